// Names of types mean other things in inner scopes, where objects of the outer types are used.
#include <upc.h>
#include "check.h"

typedef int number;
typedef struct {
    char before;
    int value;
} plain;
struct tagged {
    char before;
    int value;
    struct inner {
        short deep;
    } in;
};
union both {
    int i;
    short s[2];
};
enum colour { RED, GREEN, BLUE };

shared number scalar;
shared [2] number array[4 * THREADS];
shared plain plains[THREADS];
shared struct tagged tagged[THREADS];
shared union both either;
shared enum colour colour;
shared struct inner inner;
shared [4] int rows[8 * THREADS][4];

static int variable_instead_of_type(int plain)
{
    int number = 1;
    scalar = number + 1;
    array[number] = 7;
    plains[0].value = plain;
    return scalar + array[number] + plains[0].value;
}

static int other_types(void)
{
    struct tagged {
        long value;
        long more;
    } own = { 3, 4 };
    union both {
        long l;
    };
    struct inner {
        long deep;
    };
    enum colour { BLACK, WHITE };
    tagged[0].value = own.value;
    tagged[0].in.deep = 5;
    inner.deep = 6;
    either.s[0] = 1;
    either.s[1] = 0;
    colour = BLUE;
    return tagged[0].value + tagged[0].in.deep + inner.deep + either.i + colour + WHITE;
}

static shared number *local_types(int n)
{
    typedef long number;
    typedef shared int *place;
    static shared number wide[THREADS];
    static place at = &scalar;
    number v = 1l << 40;
    wide[0] = v;
    EQ(wide[0], 1l << 40);
    EQ(sizeof wide, sizeof(long) * THREADS);
    *at += n;
    return at;
}

// The same with types that are local to a function, hidden in an inner block
static int local_tags(void)
{
    struct pair {
        int a, b;
    };
    typedef struct {
        long a;
    } single;
    static shared struct pair pairs[THREADS];
    static shared single one;
    struct pair own = {0, 0};
    {
        struct pair {
            char c;
        } other = {4};
        int single = other.c;
        pairs[0].b = single;
        pairs[0].a = 2;
        own = pairs[0];
        one.a = 3;
        EQ(sizeof(struct pair), 1);
        EQ(sizeof pairs, 2 * sizeof(int) * THREADS);
    }
    return own.a + own.b + one.a;
}

// Numbers that depend on the size or type of a variable of the body
static int sum_of_rows(int n)
{
    char own[1];
    long one = 0;
    int sum = (int)sizeof own + (int)one;
    for (int j = 0; j < 4; j++) {
        char own[5];
        own[0] = (char)j;
        sum += rows[sizeof own + n][own[0]];
    }
    for (int j = 0; j < 4; j++) {
        unsigned char one = (unsigned char)j;
        sum += rows[(__typeof__(one))(n + 256) + 5][one];
    }
    for (int j = 0; j < 4; j++) {
        _Alignas(16) char own[5];
        own[0] = (char)j;
        sum += rows[__alignof__(own) / 16 + n + 4][own[0]];
    }
    for (int j = 0; j < 4; j++) {
        char one = (char)j;
        sum += rows[_Generic(one, char: 5, default: 0) + n][one];
    }
    return sum;
}

// The same in limits
shared [8] int a[THREADS][8], b[8 * THREADS][8];
static void multiply(int i, int n)
{
    for (int j = 0; j < n; j++) {
        double t = 1;
        for (int k = 0; k < (int)sizeof t; k++)
            a[i][j] += (int)t * b[k][j];
    }
}

int main(void)
{
    if (MYTHREAD == 0) {
        EQ(variable_instead_of_type(4), 2 + 7 + 4);
        EQ(other_types(), 3 + 5 + 6 + 1 + 2 + 1);
        EQ(*local_types(5), 7);
        EQ(local_tags(), 9);
        for (int i = 0; i < 8; i++) {
            for (int j = 0; j < 4; j++)
                rows[i][j] = 10 * i + j;
            for (int j = 0; j < 8; j++)
                b[i][j] = j;
        }
        EQ(sum_of_rows(2), 1 + 4 * (4 * 70 + 6));
        multiply(0, 8);
        for (int j = 0; j < 8; j++)
            EQ(a[0][j], 8 * j);
    }
    return finish();
}
