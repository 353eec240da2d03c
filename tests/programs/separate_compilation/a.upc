#include "common.h"

shared int scalar = 17;
shared [3] int blocked[9 * THREADS];
shared int open_array[5 * THREADS];
shared record_t records[THREADS];
shared [3] int *pointer = &blocked[4];
shared [3] int *shared shared_pointer = blocked + 5;
strict shared int flag;
int private_object = 3;
upc_lock_t *lock;

static shared int same_name = 1;

int sum_of_blocked(shared [3] int *p, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += p[i];
    return sum;
}

shared [3] int *at(int i)
{
    return &blocked[i];
}

record_t make_record(int i)
{
    record_t record = {i, at(i)};
    return record;
}

int count_inside_forall(void)
{
    int done = 0;
    upc_forall (int i = 0; i < 6; i++; i)
        done++;
    return done;
}

int own_static(void)
{
    return same_name;
}

int main(void);

int call_main(void)
{
    return main();
}
