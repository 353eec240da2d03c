/*
 * No wake-up is lost.  A waiter that goes to sleep and the writer do
 *
 *     waiter                                   writer
 *     W1  sleepers += 1                        P1  number = new
 *     W2  read turn                            P2  sleepers += 0
 *     W3  read number                          P3  turn += 1, if there are sleepers
 *     W4  futex wait, if turn is unchanged     P4  futex wake
 *     W5  sleepers -= 1
 *
 * W1 and P2 modify the same word, so one of them comes first.  If P2 does, P1 happens before W3: the waiter sees the
 * new number.  If W1 does, the writer sees the sleeper and increments turn.  A waiter that read turn after that sees
 * the number, too; one that read it before does not fall asleep any more, or is woken.  Waiters do not sleep on the
 * number itself, because futexes have 32 bits and two numbers may agree in either half.  tests/models/flag.pml checks
 * these steps.
 */
#include "sync/flag.h"

#include "platform/clock.h"
#include "platform/copy.h"
#include "platform/futex.h"

#include <limits.h>

_Static_assert(sizeof(struct bn_flag) == 2 * BN_LINE_BYTES, "two lines");

void bn_flag_raise(struct bn_flag *flag, uint64_t number)
{
    __atomic_store_n(&flag->number, number, __ATOMIC_RELEASE);         /* P1 */
    if (__atomic_fetch_add(&flag->sleepers, 0, __ATOMIC_SEQ_CST) == 0) /* P2 */
        return;
    __atomic_fetch_add(&flag->turn, 1, __ATOMIC_RELEASE); /* P3 */
    bn_futex_wake(&flag->turn, INT_MAX);                  /* P4 */
}

void bn_flag_raise_behind(struct bn_flag *flag, uint64_t number, void *dst, const void *src, size_t size_bytes)
{
    bn_copy(dst, src, size_bytes);
    bn_flag_raise(flag, number);
}

void bn_flag_hand_over(struct bn_flag *flag, uint64_t number, void *dst, const void *src, size_t size_bytes)
{
    bn_flag_raise_behind(flag, number, dst, src, size_bytes);
}

void bn_flag_hand_over_part(void *dst, const void *src, size_t size_bytes)
{
    bn_copy(dst, src, size_bytes);
}

void bn_flag_raise_for_node(struct bn_flag *flag, uint64_t number)
{
    bn_flag_raise(flag, number);
}

static bool sleep_for(struct bn_flag *flag, uint64_t number, int64_t timeout_ns)
{
    uint64_t end_ns = timeout_ns == BN_FUTEX_FOREVER ? UINT64_MAX : bn_clock_ns() + (uint64_t)timeout_ns;
    bool has_reached;
    __atomic_fetch_add(&flag->sleepers, 1, __ATOMIC_SEQ_CST); /* W1 */
    for (;;) {
        uint32_t seen = __atomic_load_n(&flag->turn, __ATOMIC_ACQUIRE); /* W2 */
        has_reached = bn_flag_has_reached(flag, number);                /* W3 */
        if (has_reached || (end_ns != UINT64_MAX && bn_clock_ns() >= end_ns))
            break;
        bn_wait_sleep(&flag->turn, seen, timeout_ns); /* W4 */
    }
    __atomic_fetch_sub(&flag->sleepers, 1, __ATOMIC_SEQ_CST); /* W5 */
    return has_reached;
}

bool bn_flag_await_for(struct bn_flag *flag, uint64_t number, const struct bn_wait_policy *policy, int64_t timeout_ns)
{
    for (uint32_t i = 0; i < policy->spin_count || policy->spin_count == UINT32_MAX; i++) {
        if (bn_flag_has_reached(flag, number))
            return true;
        bn_wait_spin(i);
    }
    struct bn_yields yields = {0, 0};
    do {
        if (bn_flag_has_reached(flag, number))
            return true;
    } while (bn_wait_may_yield(&yields, policy));
    return sleep_for(flag, number, timeout_ns);
}

void bn_flag_await(struct bn_flag *flag, uint64_t number, const struct bn_wait_policy *policy)
{
    bn_flag_await_for(flag, number, policy, BN_FUTEX_FOREVER);
}
