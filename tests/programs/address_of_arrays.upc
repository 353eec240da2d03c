// Clause: &array, &array[i], decay (facts 1.9)
#include <upc.h>

#include "check.h"

shared [3] int a[6 * THREADS];
shared [3] int m[2 * THREADS][5];

static shared [3] int *decayed(shared [3] int p[])
{
    return p;
}

int main(void)
{
    shared [3] int(*whole)[6 * THREADS] = &a;
    shared [3] int(*row)[5] = m;

    EQ(upc_threadof(whole), 0);
    EQ(upc_phaseof(whole), 0);
    CHECK((shared void *)whole == (shared void *)a);
    CHECK(*whole == a && &(*whole)[4] == &a[4] && (*whole) + 4 == a + 4);
    CHECK(decayed(a) == &a[0] && decayed(a + 2) == &a[2]);
    CHECK(row == &m[0] && row + 1 == &m[1] && *(row + 1) == m[1]);
    CHECK(&m[1][2] == m[1] + 2 && &m[1][2] == *(m + 1) + 2 && &(*(m + 1))[2] == &m[1][2]);
    EQ(upc_phaseof(m[1]), 5 % 3);
    EQ(upc_threadof(&m[1]), 5 / 3 % THREADS);
    EQ(sizeof *whole, sizeof a);
    EQ(sizeof *row, 5 * sizeof(int));
    CHECK(&*a == a && *&a == a);
    CHECK(&a[6 * THREADS] - a == 6 * THREADS);
    return finish();
}
