/*
 * No wake-up is lost, for the reason given in wait.c, with the value in the role of the event.  All sleepers are woken,
 * because one that needs few units may sleep behind one that needs many.
 *
 * tests/models/semaphore.pml checks these steps:
 *
 *     P1  value += units                      T1  take units, if there are enough
 *     P2  sleepers += 0                       W1  sleepers += 1
 *     P3  futex wake, if there are sleepers   W2  take units, if there are enough; else read value
 *                                             W3  futex wait, if value is still old; W2 again
 *                                             W4  sleepers -= 1
 */
#include "sync/semaphore.h"

#include "platform/futex.h"
#include "platform/pause.h"

#include <limits.h>

static void wake_sleepers(struct bn_semaphore *semaphore)
{
    if (__atomic_fetch_add(&semaphore->sleepers, 0, __ATOMIC_SEQ_CST) != 0) /* P2 */
        bn_futex_wake(&semaphore->value, INT_MAX);                          /* P3 */
}

bool bn_semaphore_post(struct bn_semaphore *semaphore, uint32_t units, uint32_t max_value)
{
    uint32_t value = __atomic_load_n(&semaphore->value, __ATOMIC_RELAXED);
    do {
        if (units > max_value || value > max_value - units)
            return false;
    } while (!__atomic_compare_exchange_n(&semaphore->value, &value, value + units, 1, __ATOMIC_SEQ_CST,
                                          __ATOMIC_RELAXED)); /* P1 */
    wake_sleepers(semaphore);
    return true;
}

void bn_semaphore_raise(struct bn_semaphore *semaphore)
{
    __atomic_exchange_n(&semaphore->value, 1, __ATOMIC_SEQ_CST); /* P1 */
    wake_sleepers(semaphore);
}

bool bn_semaphore_try(struct bn_semaphore *semaphore, uint32_t units)
{
    uint32_t value = __atomic_load_n(&semaphore->value, __ATOMIC_SEQ_CST);
    while (value >= units) {
        if (__atomic_compare_exchange_n(&semaphore->value, &value, value - units, 1, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST)) /* T1 */
            return true;
    }
    return false;
}

static bool try_for_a_while(struct bn_semaphore *semaphore, uint32_t units, const struct bn_wait_policy *policy)
{
    for (uint32_t i = 0; i < policy->spin_count; i += policy->spin_count != UINT32_MAX) {
        if (bn_semaphore_try(semaphore, units))
            return true;
        bn_cpu_pause();
    }
    struct bn_yields yields = {0, 0};
    do {
        if (bn_semaphore_try(semaphore, units))
            return true;
    } while (bn_wait_may_yield(&yields, policy));
    return false;
}

void bn_semaphore_wait(struct bn_semaphore *semaphore, uint32_t units, const struct bn_wait_policy *policy)
{
    if (try_for_a_while(semaphore, units, policy))
        return;
    __atomic_fetch_add(&semaphore->sleepers, 1, __ATOMIC_SEQ_CST); /* W1 */
    while (!bn_semaphore_try(semaphore, units)) {                  /* W2 */
        uint32_t seen = __atomic_load_n(&semaphore->value, __ATOMIC_SEQ_CST);
        if (seen < units)
            bn_futex_wait(&semaphore->value, seen, BN_FUTEX_FOREVER); /* W3 */
    }
    __atomic_fetch_sub(&semaphore->sleepers, 1, __ATOMIC_SEQ_CST); /* W4 */
}

uint32_t bn_semaphore_value(const struct bn_semaphore *semaphore)
{
    return __atomic_load_n(&semaphore->value, __ATOMIC_ACQUIRE);
}

void bn_semaphore_watch(const struct bn_semaphore *semaphore, uint32_t units, const struct bn_wait_policy *policy)
{
    uint32_t step = 0;
    while (bn_semaphore_value(semaphore) < units)
        bn_wait_step(&step, policy);
}
