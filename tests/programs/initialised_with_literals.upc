// Clause: compound literals at file scope have static storage, with shared addresses in them, too (C11 6.5.2.5)
#include <upc.h>

#include "check.h"

shared int a[4 * THREADS];
struct record {
    shared int *p;
    int n;
};
shared int **list = (shared int *[]){a + 1, &a[2]};
static struct record *single = &(struct record){.p = &a[3], .n = 3};
struct late {
    shared int *p;
    int n;
} *first = &(struct late){.p = &a[0], .n = 1}, *second = (struct late[]){{.n = 1}, {&a[1], 2}};
void *untyped = (shared int *[]){&a[1]};
shared int **one = &(shared int *){&a[2]};
struct outer {
    struct record *in;
} *nested = &(struct outer){&(struct record){&a[2], 7}};
struct record *const table[] = {&(struct record){&a[1], 1}, NULL, &(struct record){&a[2], 2}};
shared int **null = (shared int *[]){0, NULL};
void *defined_here = &(struct inner { shared int *p; }){&a[2]};
struct record direct = (struct record){&a[1], 2};

int main(void)
{
    CHECK(list[0] == &a[1] && list[1] == &a[2]);
    CHECK(single->p == &a[3] && single->n == 3);
    CHECK(first->p == &a[0] && first->n == 1);
    CHECK(second[0].p == NULL && second[0].n == 1 && second[1].p == &a[1] && second[1].n == 2);
    CHECK(*(shared int **)untyped == &a[1]);
    CHECK(*one == &a[2]);
    CHECK(nested->in->p == &a[2] && nested->in->n == 7);
    CHECK(table[0]->p == &a[1] && table[1] == NULL && table[2]->p == &a[2] && table[2]->n == 2);
    CHECK(null[0] == NULL && null[1] == NULL);
    CHECK(((struct inner *)defined_here)->p == &a[2]);
    CHECK(direct.p == &a[1] && direct.n == 2);

    upc_barrier;
    single->p = &a[MYTHREAD];  // each thread has its own
    upc_barrier;
    CHECK(single->p == &a[MYTHREAD]);
    return finish();
}
