// Clause: strict and relaxed accesses to objects that hold private addresses: of functions, of arrays, of pointers
#include <upc_relaxed.h>

#include "check.h"

typedef int row_t[3];
typedef int function_t(int);
struct addresses {
    int (*f)(int);
    int (*row)[3];
    int (*(*table)[2])(int);
    int (*(*chooser)(int))[3];
    shared int **to_pts;
    shared int *(*pts_row)[2];
    row_t *named;
};

static int twice(int x)
{
    return 2 * x;
}

static int next(int x)
{
    return x + 1;
}

static int rows[4][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}};
static int (*functions[2])(int) = {twice, next};
shared int number[THREADS];

static int (*choose(int i))[3]
{
    return &rows[i];
}

/* An element of each type, for each thread */
#define DECLARE(MODE)                                      \
    static int (*MODE shared MODE##_f[THREADS])(int);      \
    int (*MODE shared MODE##_row[THREADS])[3];             \
    int (*(*MODE shared MODE##_table[THREADS])[2])(int);   \
    int (*(*MODE shared MODE##_chooser[THREADS])(int))[3]; \
    shared int **MODE shared MODE##_to_pts[THREADS];       \
    shared int *(*MODE shared MODE##_pts_row[THREADS])[2]; \
    row_t *MODE shared MODE##_named[THREADS];              \
    function_t *MODE shared MODE##_function[THREADS];      \
    MODE shared struct addresses MODE##_record[THREADS];

DECLARE(strict)
DECLARE(relaxed)

/* Writes and reads, with and without the value of the assignment */
#define WRITE_AND_READ(F, ROW, TABLE, CHOOSER, TO_PTS, PTS_ROW, NAMED)              \
    do {                                                                            \
        shared int *pts[4] = {0, &number[MYTHREAD], &number[0], 0};                 \
        shared int *(*in_pts)[2] = (shared int *(*)[2])pts;                         \
        F = twice;                                                                  \
        EQ(F(4), 8);                                                                \
        EQ((F = next)(4), 5);                                                       \
        EQ((*F)(5), 6);                                                             \
        CHECK(F == next && F != twice && F);                                        \
        int (*f)(int) = F;                                                          \
        EQ(f(6), 7);                                                                \
        ROW = rows;                                                                 \
        EQ((*ROW)[0] + ROW[3][1], 12);                                              \
        EQ((*(ROW = rows + 1))[2], 6);                                              \
        EQ((*(ROW += 2))[2], 12);                                                   \
        ROW -= 1;                                                                   \
        EQ((*ROW)[0], 7);                                                           \
        EQ((*ROW++)[1], 8);                                                         \
        EQ((*--ROW)[1], 8);                                                         \
        ROW--;                                                                      \
        ++ROW;                                                                      \
        CHECK(ROW-- - rows == 2 && ++ROW == rows + 2);                              \
        TABLE = &functions;                                                         \
        EQ((*TABLE)[1](3), 4);                                                      \
        EQ((*(TABLE = &functions))[0](4), 8);                                       \
        CHOOSER = choose;                                                           \
        EQ((*CHOOSER(3))[2], 12);                                                   \
        EQ((*(CHOOSER = choose)(0))[0], 1);                                         \
        TO_PTS = pts;                                                               \
        TO_PTS++;                                                                   \
        EQ(upc_threadof(*TO_PTS), MYTHREAD);                                        \
        CHECK(*(TO_PTS += 1) == &number[0] && *--TO_PTS == &number[MYTHREAD]);      \
        PTS_ROW = in_pts;                                                           \
        CHECK((*PTS_ROW++)[1] == &number[MYTHREAD] && (*PTS_ROW)[0] == &number[0]); \
        NAMED = rows;                                                               \
        NAMED++;                                                                    \
        EQ((*NAMED)[0], 4);                                                         \
        EQ((*(NAMED = rows + 3))[0], 10);                                           \
    } while (0)

#define OF_ARRAYS(M, i) \
    WRITE_AND_READ(M##_f[i], M##_row[i], M##_table[i], M##_chooser[i], M##_to_pts[i], M##_pts_row[i], M##_named[i])
#define OF_RECORD(R) \
    WRITE_AND_READ((R).f, (R).row, (R).table, (R).chooser, (R).to_pts, (R).pts_row, (R).named)

static int calls;

static int here(void)
{
    calls++;
    number[MYTHREAD]++; /* before the strict access of which it is an operand */
    return MYTHREAD;
}

/* Types that only this function names */
static void of_local_types(void)
{
    typedef int local_row[3];
    typedef int local_function(int);
    static local_row *shared row[THREADS], *own = rows;
    static local_function *strict shared f[THREADS];
    static strict shared struct {
        const local_row *row;
        local_function *f;
        __typeof__(int[3]) *unnamed;
        local_row whole;
    } record[THREADS];
    local_row *(*identity)(shared int *) = 0;

    row[MYTHREAD] = own + 1;
    f[MYTHREAD] = twice;
    record[MYTHREAD].row = (const local_row *)rows;
    record[MYTHREAD].f = next;
    record[MYTHREAD].unnamed = rows + 2;
    record[MYTHREAD].whole[1] = 5;
    EQ((*row[MYTHREAD])[0] + f[MYTHREAD](3), 10);
    EQ((*record[MYTHREAD].row)[1] + record[MYTHREAD].f(3) + (*record[MYTHREAD].unnamed)[2], 15);
    EQ(record[MYTHREAD].whole[1], 5);
    CHECK(identity == 0);
}

int main(void)
{
    int t = MYTHREAD;
    strict shared [] struct addresses *p = (strict shared [] struct addresses *)&strict_record[t];
    shared [] struct addresses *q = (shared [] struct addresses *)&relaxed_record[t];

    OF_ARRAYS(strict, t);
    OF_ARRAYS(relaxed, t);
    OF_ARRAYS(strict, here());
    CHECK(calls == number[t] && calls > 0);
    OF_RECORD(strict_record[t]);
    OF_RECORD(relaxed_record[t]);
    OF_RECORD(strict_record[here()]);
    OF_RECORD(*p);
    OF_RECORD(*q);
    {
#pragma upc strict
        shared [] struct addresses *r = q;
        OF_RECORD(*r);
        OF_RECORD(r[here() - t]);
        struct addresses whole = *r;
        EQ(whole.f(2) + (*whole.named)[0], 13);
        relaxed_record[t] = strict_record[t];
    }
    strict_function[t] = twice;
    relaxed_function[t] = strict_function[t];
    EQ(relaxed_function[t](21), 42);
    EQ((strict_function[t] = next)(21), 22);
    of_local_types();
    return finish();
}
