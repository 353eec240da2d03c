// Clause: initial values that are set at start and are addresses of arrays, functions and pointers: of private objects
// under -pthreads, and of shared ones whose value depends on THREADS
#include <upc.h>

#include "check.h"

typedef int row_t[3];
typedef int function_t(int);

static int twice(int x)
{
    return 2 * x;
}

static int next(int x)
{
    return x + 1;
}

int tab[3] = {1, 2, 3}, two[2][3] = {{1, 2, 3}, {4, 5, 6}};
int (*rows)[3] = &tab, (*of_two[2])[3] = {two, two + 1}, (**to_rows)[3] = &rows;
row_t *named = two + 1, *const constant = &tab;
int (*pf)(int) = twice, (**ppf)(int) = &pf, (*(*pfs)[1])(int) = (int (*(*)[1])(int)) & pf;
function_t **to_function = &pf;
shared int number[THREADS];
shared int *spa[2] = {&number[0], number + 1}, *(*sp2)[2] = &spa, **to_spa = &spa[1];
static struct {
    int (*row)[3], (**f)(int);
    shared int *(*in)[2];
    struct {
        row_t *named[2];
    } deep;
} record = {two + 1, &pf, &spa, {{&tab, two}}}, records[2] = {[1] = {.row = &tab, .deep.named[1] = two}};

/* For thread 0 only, as processes on several hosts have different addresses */
int (*shared shared_f[THREADS])(int) = {THREADS > 2 ? twice : next};
shared struct {
    int (*f)(int);
    int (*(*choose)(int))[3];
    function_t *named;
} shared_record = {THREADS > 2 ? twice : next, 0, THREADS > 2 ? next : twice};
int (*shared shared_row)[3] = two + THREADS % 2;

static int in_a_function(void)
{
    static int mine[2][3] = {{7, 8, 9}}, (*row)[3] = mine, (*pair[2])[3] = {mine, mine + 1};
    static int (*f)(int) = twice, (**to_f)(int) = &f;
    static struct {
        int (*row)[3], (**f)(int);
    } here = {mine, &f};
    typedef int local_row[3];
    static local_row *local = mine, **to_local = &local;
    (*row)[1]++;
    CHECK(pair[1] - pair[0] == 1 && here.row == row && here.f == to_f && *to_local == mine);
    return (*here.row)[1] + (*to_f)(1) + (*local)[0];
}

int main(void)
{
    tab[1] += MYTHREAD;
    two[1][0] += MYTHREAD;
    upc_barrier;
    EQ((*rows)[1], 2 + MYTHREAD);
    EQ((**to_rows)[1], 2 + MYTHREAD);
    EQ((*of_two[0])[2] + (*of_two[1])[0], 7 + MYTHREAD);
    EQ((*named)[0] + (*constant)[1], 6 + 2 * MYTHREAD);
    EQ((*ppf)(3) + (*pfs)[0](4) + (*to_function)(5), 24);
    CHECK((*sp2)[0] == &number[0] && (*sp2)[1] == *to_spa && *to_spa == number + 1);
    EQ((*record.row)[0], 4 + MYTHREAD);
    EQ((*record.f)(2), 4);
    CHECK((*record.in)[1] == number + 1 && record.deep.named[0] == &tab && record.deep.named[1] == two);
    CHECK(records[0].row == 0 && records[1].row == &tab && records[1].deep.named[1] == two);
    EQ(in_a_function(), 18);
    EQ(in_a_function(), 19);
    if (MYTHREAD == 0) {
        EQ(shared_f[0](5), THREADS > 2 ? 10 : 6);
        EQ(shared_record.f(5), THREADS > 2 ? 10 : 6);
        EQ(shared_record.named(5), THREADS > 2 ? 6 : 10);
        EQ((*shared_row)[1], THREADS % 2 ? 5 : 2);
    }
    CHECK(shared_record.choose == 0);
    return finish();
}
