// Clause: thread-local pointers-to-shared have shared addresses as initial values, like other private objects
#include <upc.h>

#include "check.h"

shared int a[4 * THREADS];
struct record {
    shared int *p;
    int n;
};
_Thread_local shared int *of_program = a;
static __thread shared int *of_file = &a[2];
_Thread_local struct record records[2] = {{&a[1], 4}, {.n = 5}};
extern _Thread_local shared int *declared_before;
_Thread_local shared int *declared_before = a + 3;
_Thread_local shared int **to_own = &of_program;

static shared int *next(int i)
{
    static _Thread_local shared int *local = &a[1];
    local += i;
    return local;
}

int main(void)
{
    CHECK(of_program == a && of_file == &a[2] && declared_before == &a[3]);
    CHECK(records[0].p == &a[1] && records[0].n == 4 && records[1].p == NULL && records[1].n == 5);
    CHECK(next(0) == &a[1] && next(2) == &a[3] && next(0) == &a[3]);
    upc_barrier;
    of_program = &a[MYTHREAD];
    upc_barrier;
    CHECK(of_program == &a[MYTHREAD] && to_own == &of_program);
    return finish();
}
