/*
 * Loops look again at what an iteration changes in another way than by its name: limits and pointers in private structs
 * that lie in shared memory or in a variable, and are written there as another member of a union, as part of a vector
 * or of a complex number; elements of arrays that are written through a pointer, and the loop variable itself; what
 * functions change that run when a variable goes out of scope.
 */
#include <complex.h>
#include <upc_relaxed.h>

#include "check.h"

#define N 40
#define ARRAY(...) { __VA_ARGS__ }

typedef union {
    double real;
    long n;
    struct { long n[2]; } two;
} value;

shared value values[THREADS];
shared double _Complex numbers[THREADS];
shared double plain[THREADS];
static value own;
shared [4] int table[4 * THREADS][4];
shared int from[4 * THREADS], to[4 * THREADS];

/* Each loop ends after the first iteration that this thread owns, which sets the limit to 0. */
static long until_shared_changes(const value *p)
{
    long count = 0;
    upc_forall (int i = 0; i < p->n; i++; i) {
        values[MYTHREAD].real = 0;
        count++;
    }
    return count;
}

static long until_part_changes(const value *p)
{
    long count = 0;
    upc_forall (int i = 0; i < p->two.n[0]; i++; i) {
        values[MYTHREAD].real = 0;
        count++;
    }
    return count;
}

static long until_variable_changes(const value *p)
{
    long count = 0;
    upc_forall (int i = 0; i < p->n; i++; i) {
        own.real = 0;
        count++;
    }
    return count;
}

static long until_number_changes(const double *p)
{
    long count = 0;
    upc_forall (int i = 0; i < *p; i++; i) {
        numbers[MYTHREAD] = 0;
        count++;
    }
    return count;
}

/* What nothing writes stays. */
static long until_the_end(const value *p)
{
    long count = 0;
    upc_forall (int i = 0; i < p->n; i++; i) {
        plain[MYTHREAD] = i;
        count++;
    }
    return count;
}

static int *same(int *p)
{
    return p;
}

/* An array becomes a pointer to its first element in many ways. */
#define UNTIL_CHANGED(name, array, pointer, element)       \
    static long name(void)                                 \
    {                                                      \
        array;                                             \
        int *p = pointer;                                  \
        long count = 0;                                    \
        upc_forall (int i = 0; i < element; i++; MYTHREAD) { \
            *p = 0;                                        \
            count++;                                       \
        }                                                  \
        return count;                                      \
    }

UNTIL_CHANGED(until_name, int limit[1] = { N }, limit, limit[0])
UNTIL_CHANGED(until_sum, int limit[2] = ARRAY(N, N), limit + 1, limit[1])
UNTIL_CHANGED(until_place, int limit[1] = { N }, &*limit, limit[0])
UNTIL_CHANGED(until_turned_index, int limit[1] = { N }, &0 [limit], limit[0])
UNTIL_CHANGED(until_argument, int limit[1] = { N }, same(limit), limit[0])
UNTIL_CHANGED(until_list, int limit[1] = { N }, *(int *[]){ limit }, limit[0])
UNTIL_CHANGED(until_choice, int limit[1] = { N }, MYTHREAD >= 0 ? (limit) : NULL, limit[0])
UNTIL_CHANGED(until_statement, int limit[1] = { N }, ({ limit; }), limit[0])
UNTIL_CHANGED(until_row, int limit[2][1] = ARRAY({ N }, { N }), limit[1], limit[1][0])
UNTIL_CHANGED(until_row_of_sum, int limit[2][1] = ARRAY({ N }, { N }), *(limit + 1), limit[1][0])
UNTIL_CHANGED(until_member, struct { int of[1]; } limit = { { N } }, limit.of, limit.of[0])
UNTIL_CHANGED(until_union, union { int n; int of[1]; } limit = { N }, limit.of, limit.n)

static long until_array_changes(void)
{
    int limit[1] = { N };
    int *p = limit;
    long count = 0;
    upc_forall (int i = 0; i < *p; i++; MYTHREAD) {
        limit[0] = 0;
        count++;
    }
    return count;
}

/* The number of a row, as an element of an array, or as another member of the union with that array */
static int sum_of_rows(void)
{
    union {
        int n;
        int of[1];
    } row = { 0 };
    struct {
        int of[1];
    } other = { { 0 } };
    int *p = row.of, *q = other.of, sum = 0;
    for (int j = 0; j < 4; j++) {
        *p = j;
        sum += table[row.n][j];
    }
    for (int j = 0; j < 4; j++) {
        *q = j;
        sum += table[other.of[0]][j];
    }
    for (int r = 0; r < 4; r++) {
        *p = r;
        for (int j = 0; j < 4; j++)
            sum += table[row.n][j];
    }
    return sum;
}

/* The pointer to the second array, in an array of structs */
static int count_in_second(void)
{
    struct {
        shared int *read, *written;
    } both[1] = { { from, from } }, *p = both;
    int count = 0;
    upc_forall (int i = 0; i < 4 * THREADS; i++; &p->read[i]) {
        both[0].written = to;
        p->written[i] = i + 1;
    }
    upc_barrier;
    for (int i = 0; i < 4 * THREADS; i++)
        count += to[i] == i + 1 && from[i] == 0;
    return count;
}

/* The limit falls with the variable, which a pointer reaches. */
static int until_halfway(void)
{
    int i, *p = &i, count = 0;
    upc_forall (i = 0; i < 20 - *p; i++; MYTHREAD)
        count++;
    return count;
}

static int limit, row;

static void end_after_four(int *i)
{
    if (*i == 4)
        limit = 0;
}

static void next_row(int *unused)
{
    (void)unused;
    row++;
}

static int until_cleaned_up(void)
{
    int count = 0;
    limit = N;
    upc_forall (int i = 0; i < limit; i++; MYTHREAD) {
        int x __attribute__((cleanup(end_after_four))) = i;
        count += x >= 0;
    }
    return count;
}

static int sum_of_rows_after_cleanup(void)
{
    int sum = 0;
    row = 0;
    for (int j = 0; j < 4; j++) {
        sum += table[row][j];
        int x __attribute__((cleanup(next_row))) = j;
        sum += x * 0;
    }
    return sum;
}

int main(void)
{
    value *mine = (value *)&values[MYTHREAD];
    mine->n = N * THREADS;
    EQ(until_shared_changes(mine), 1);
    mine->two.n[0] = N * THREADS;
    EQ(until_part_changes(mine), 1);
    own.n = N * THREADS;
    EQ(until_variable_changes(&own), 1);
    numbers[MYTHREAD] = N * THREADS;
    EQ(until_number_changes((double *)&numbers[MYTHREAD]), 1);
    mine->n = N * THREADS;
    EQ(until_the_end(mine), N);
    EQ(until_name(), 1);
    EQ(until_sum(), 1);
    EQ(until_place(), 1);
    EQ(until_turned_index(), 1);
    EQ(until_argument(), 1);
    EQ(until_list(), 1);
    EQ(until_choice(), 1);
    EQ(until_statement(), 1);
    EQ(until_row(), 1);
    EQ(until_row_of_sum(), 1);
    EQ(until_member(), 1);
    EQ(until_union(), 1);
    EQ(until_array_changes(), 1);
    EQ(until_halfway(), 10);
    upc_forall (int i = 0; i < 4 * THREADS; i++; &table[i])
        for (int j = 0; j < 4; j++)
            table[i][j] = 10 * i + j;
    upc_barrier;
    EQ(sum_of_rows(), 66 + 66 + 264);
    EQ(count_in_second(), 4 * THREADS);
    EQ(until_cleaned_up(), 5);
    EQ(sum_of_rows_after_cleanup(), 66);
    return finish();
}
