// Thousands of locks can be made, used and freed again and again (facts 2.3)
#include <upc.h>

#include "check.h"

enum { LOCKS = 1000 };

int main(void)
{
    for (int round = 0; round < 5; round++) {
        upc_lock_t *lock[LOCKS];
        for (int i = 0; i < LOCKS; i++) {
            lock[i] = upc_global_lock_alloc();
            CHECK(lock[i] != NULL);
            EQ(upc_lock_attempt(lock[i]), 1);
        }
        for (int i = 0; i < LOCKS; i++) {
            upc_unlock(lock[i]);
            upc_lock_free(lock[i]);
        }
        upc_lock_t *all = upc_all_lock_alloc();
        upc_lock(all);
        upc_unlock(all);
        upc_all_lock_free(all);
    }
    return finish();
}
