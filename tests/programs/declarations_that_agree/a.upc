#include "../check.h"

typedef long number;
enum colour { RED, GREEN };
struct node;
struct pair {
    int first;
    unsigned bits : 3;
    double rest[2];
    shared struct node *node;
    shared [2] int *shared *to_pointer;
};
struct node {
    shared struct node *next;
};
shared [2] int unsized[4 * THREADS];
shared int rows[THREADS][3];
shared [*] char automatic[6 * THREADS];
shared number word;
shared enum colour colour;
shared struct pair pair;
shared [] struct pair *shared pairs;
shared [4] const volatile double *shared doubles;
strict shared int flag;
shared int another[THREADS];
static shared int own;

int sum_there(void);

int main(void)
{
    if (MYTHREAD == 0) {
        unsized[3] = 1;
        rows[0][2] = 2;
        automatic[5] = 3;
        word = 4;
        colour = GREEN;
        pair.first = 5;
        flag = 6;
        own = 7;
    }
    upc_barrier;
    EQ(sum_there(), 23);
    CHECK(pairs == NULL && doubles == NULL && another[0] == 0);
    return finish();
}
