#include "common.h"

#include "../check.h"

static shared int same_name = 2;
static shared [2] int only_here[2 * THREADS];

int main(void)
{
    static int calls;
    if (++calls > 1)
        return calls;
    int result = 2;
    upc_forall (int i = 0; i < 1; i++; i)
        result = call_main();
    EQ(result, 2);
    EQ(scalar, 17);
    EQ(upc_blocksizeof(blocked), 3);
    EQ(upc_blocksizeof(open_array[0]), 1);
    CHECK(pointer == &blocked[4] && shared_pointer == &blocked[5]);
    EQ(upc_phaseof(pointer), 1);
    upc_barrier;
    if (MYTHREAD == 0) {
        for (int i = 0; i < 9 * THREADS; i++)
            blocked[i] = i;
        for (int i = 0; i < 5 * THREADS; i++)
            open_array[i] = 2 * i;
        flag = 1;
    }
    private_object += MYTHREAD;
    only_here[2 * MYTHREAD] = MYTHREAD;
    lock = upc_all_lock_alloc();
    records[MYTHREAD] = make_record(MYTHREAD);
    upc_barrier;
    EQ(sum_of_blocked(blocked, 9), 36);
    EQ(*at(7), 7);
    EQ(open_array[5 * THREADS - 1], 2 * (5 * THREADS - 1));
    EQ(flag, 1);
    EQ(private_object, 3 + MYTHREAD);
    for (int t = 0; t < THREADS; t++) {
        EQ(records[t].x, t);
        EQ(*records[t].p, t);
        EQ(only_here[2 * t], t);
    }
    EQ(own_static() * 10 + same_name, 12);
    int done = 0;
    upc_forall (int i = 0; i < THREADS; i++; i)
        done += count_inside_forall();
    EQ(done, 6);
    upc_lock(lock);
    upc_unlock(lock);
    upc_all_lock_free(lock);
    return finish();
}
