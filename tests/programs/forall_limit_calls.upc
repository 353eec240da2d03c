// Limits of upc_forall that call functions of the program: what `return expression;` alone reads is looked at once or
// for each own iteration, and the iterations are those of a loop that tests each.
// races: no, limits that differ between threads make several write to one element
#include <upc.h>

#include "check.h"

enum { N = 40, MOST = 64 * N };

struct size {
    int rows, columns[3];
};

static const struct size sizes[2] = {{N, {3, 5, 7}}, {2 * N, {11, 13, 17}}};
static shared int cyclic[N * THREADS];
static shared[4] int blocked[N * THREADS];
static shared int shared_count;
static int count, order[MOST], order_count, all, calls;
static struct size current = {N / 2, {1, 2, 3}};

static inline int rows_of(int which)
{
    return sizes[which & 1].rows;
}

static long area_of(int which, int column)
{
    return (long)rows_of(which) + sizes[which & 1].columns[column];
}

static int current_count(void)
{
    return count;
}

static int rows_at(const struct size *size)
{
    return size->rows + size->columns[1];
}

static int rows_in(struct size size)
{
    return size.rows;
}

static int threads_of(int n)
{
    return n > 0 ? shared_count + 0 * THREADS : 0;
}

static int counted(void)
{
    return calls++ < MOST ? N : 0;
}

static int sum_to(int n)
{
    return n == 0 ? 0 : n + sum_to(n - 1);
}

static int own_parameter(int i)
{
    return i + 3;
}

static int global_index;

static int beside_index(void)
{
    return global_index < 5 ? N : 9;
}

static void note(int i)
{
    if (order_count < MOST)
        order[order_count++] = i;
}

static void shrink(void)
{
    if (count > 10)
        count -= 5;
}

/* The recorded iterations must be those of 0 .. end - 1 that this thread owns; then clears the record. */
static void expect(int end, int block)
{
    int at = 0;
    for (int i = 0; i < end; i++)
        if (all || i / block % THREADS == MYTHREAD) {
            CHECK(at < order_count && order[at] == i);
            at++;
        }
    EQ(order_count, at);
    order_count = 0;
}

static void fixed_limits(void)
{
    int which = MYTHREAD & 1;
    upc_forall (int i = 0; i < rows_of(0); i++; &cyclic[i]) { cyclic[i] = i; note(i); }
    expect(N, 1);
    upc_forall (int i = 0; i < rows_of(which) / (which + 1); i++; &cyclic[i]) note(i);
    expect(N, 1);
    upc_forall (long i = 0; i < area_of(2, 1) - 5; i++; &blocked[i]) { blocked[i] = (int)i; note((int)i); }
    expect(N, 4);
    upc_forall (int i = 0; i < sizes[0].columns[2]; i++; i) note(i);
    expect(7, 1);
    count = 17;
    upc_forall (int i = 0; i < current_count(); i++; i) note(i);
    expect(17, 1);
    upc_forall (int i = 0; i < own_parameter(14); i++; i) note(i);
    expect(17, 1);
}

/* Changes what the limits of these loops read */
static void limits_that_change(void)
{
    count = 30;
    upc_forall (int i = 0; i < current_count(); i++; 0) {
        note(i);
        count--;
    }
    if (all || MYTHREAD == 0)
        expect(15, 1 << 20);
    else
        EQ(order_count, 0);
    count = 30;
    upc_forall (int i = 0; i < current_count(); i++; 0) {
        note(i);
        shrink();
    }
    if (all || MYTHREAD == 0)
        expect(10, 1 << 20);
    else
        EQ(order_count, 0);
    current.rows = 20;
    upc_forall (int i = 0; i < rows_in(current); i++; 0) {
        note(i);
        current.rows -= 3;
    }
    if (all || MYTHREAD == 0)
        expect(5, 1 << 20);
    current.rows = 20;
    upc_forall (int i = 0; i < rows_at(&current); i++; 0) {
        note(i);
        current.rows -= 3;
    }
    if (all || MYTHREAD == 0)
        expect(6, 1 << 20);
    order_count = 0;
    upc_forall (int i = 0; i < threads_of(3); i++; i) note(i);
    expect(23, 1);
}

/* Limits with side effects: every thread tests each iteration. */
static void limits_with_effects(void)
{
    calls = 0;
    upc_forall (int i = 0; i < counted(); i++; i) note(i);
    EQ(calls, N + 1);
    expect(N, 1);
    upc_forall (int i = 0; i < sum_to(8); i++; i) note(i);
    expect(36, 1);
    upc_forall (int i = 0; i < own_parameter(i) && i < N; i++; i) note(i);
    expect(N, 1);
    upc_forall (global_index = 0; global_index < beside_index(); global_index++; global_index) note(global_index);
    expect(9, 1);
}

static void all_limits(void)
{
    fixed_limits();
    limits_that_change();
    limits_with_effects();
}

int main(void)
{
    if (MYTHREAD == 0)
        shared_count = 23;
    upc_barrier;
    all_limits();
    upc_barrier;
    all = 1;
    upc_forall (int t = 0; t < THREADS; t++; t) all_limits();
    return finish();
}
