// Clause: initial values of static objects in functions, whose types and values use names that are local to the
// function (facts 1.11)
// pthreads: no
#include <stddef.h>
#include <upc.h>

#include "check.h"

shared int x = 5;
shared [3] int row[6 * THREADS];

static int depth(int n)
{
    struct frame {
        int n;
        shared int *p;
        char name[8];
    };
    static shared struct frame s = {1, &x, "first"};
    static struct frame t[2] = {{2, NULL, "x"}, {3, &x, "y"}};
    if (n > 0) {
        struct frame {   // hides the outer one
            double d;
            shared struct frame *next;
        };
        static shared struct frame inner[2 * THREADS] = {{1.5, NULL}, {2.5, &inner[0]}};
        CHECK(inner[1].next == &inner[0] && inner[1].d == 2.5 && inner[0].next == NULL);
        return depth(n - 1) + s.n + t[1].n;
    }
    CHECK(s.p == &x && s.name[4] == 't' && t[1].p == &x && t[0].p == NULL && t[1].name[0] == 'y');
    return *s.p;
}

static inline int *local_addresses(void)
{
    enum { COUNT = 3, INDEX = 4 };
    typedef struct {
        int *to_private;
        int count;
        shared [3] int *to_shared;
        const char *function;
    } mixed;
    static int private_object[COUNT] = {7, 8, 9};
    static shared mixed m = {&private_object[1], sizeof private_object / sizeof *private_object, &row[INDEX], "name"};
    static mixed own = {.to_shared = row + COUNT, .to_private = private_object};
    CHECK(m.count == COUNT && m.to_shared == &row[4] && upc_phaseof(m.to_shared) == 1);
    CHECK(own.to_shared == &row[3] && own.to_private == private_object);
    if (MYTHREAD == 0)
        EQ(*m.to_private, 8);
    static shared int constant = COUNT * 2;
    static shared enum { RED, GREEN = 6 } colour = GREEN;
    static shared union {
        long bits;
        shared int *p;
    } u = {.p = &x};
    EQ(constant, 6);
    CHECK(colour == GREEN && u.p == &x);
    return private_object;
}

static void member_addresses(void)
{
    struct point {
        char pad;
        struct {
            int a;
            struct {
                short b[4];
            };
        } in[2];
    };
    static shared struct point point;
    static shared [] short *b = &point.in[1].b[2];
    static shared [] int *a[2] = {&point.in[0].a, &point.in[1].a};
    static shared [] short *start = point.in[1].b;
    static shared struct point *whole = &point;
    static shared struct point many[3 * THREADS];
    static shared struct point *third = many + 2;
    CHECK(b == &point.in[1].b[2] && a[0] == &point.in[0].a && a[1] == &point.in[1].a);
    CHECK(start == &point.in[1].b[0] && whole == &point && third == &many[2]);
}

static void designated(void)
{
    static struct {
        struct {
            int n;
            shared int *p;
        } in;
        shared int *q;
    } deep = {.in.n = 4, &x, &x};
    CHECK(deep.in.n == 4 && deep.in.p == &x && deep.q == &x);
    static shared int *braced = {&x}, *braced_null = {0};
    CHECK(braced == &x && braced_null == NULL);
    static struct cell {
        int n;
        shared int *p;
    } literal = (struct cell){3, &x}, range[4] = {[1 ... 2] = {1, &x}};
    CHECK(literal.p == &x && literal.n == 3);
    CHECK(range[0].p == NULL && range[1].p == &x && range[2].p == &x && range[3].p == NULL);
}

int main(void)
{
    EQ(depth(3), 5 + 3 * (1 + 3));
    EQ(local_addresses()[0], 7);
    member_addresses();
    designated();
    return finish();
}
