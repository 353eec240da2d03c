/*
 * Limits and pointers in private structs that lie in shared memory or in a variable, and are written there as another
 * member of a union, as part of a vector or of a complex number: loops look at them again.
 */
#include <complex.h>
#include <upc_relaxed.h>

#include "check.h"

#define N 40

typedef union {
    double real;
    long n;
    struct { long n[2]; } two;
} value;

shared value values[THREADS];
shared double _Complex numbers[THREADS];
shared double plain[THREADS];
static value own;

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
    return finish();
}
