/*
 * No wake-up is lost, for the reason given in wait.c, whose steps these are; the number takes the place of the event's
 * value.  tests/models/event.pml checks them.
 */
#include "sync/flag.h"

#include "platform/futex.h"
#include "platform/pause.h"

#include <limits.h>
#include <string.h>

_Static_assert(sizeof(struct bn_flag) == 2 * BN_LINE_BYTES, "two lines");

/* What sleepers sleep on: the half of the number that changes each time */
static uint32_t *low_word(struct bn_flag *flag)
{
    uint32_t *words = (uint32_t *)(void *)&flag->number;
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? words : words + 1;
}

void bn_flag_raise(struct bn_flag *flag, uint64_t number)
{
    __atomic_store_n(&flag->number, number, __ATOMIC_RELEASE);         /* P1 */
    if (__atomic_fetch_add(&flag->sleepers, 0, __ATOMIC_SEQ_CST) != 0) /* P2 */
        bn_futex_wake(low_word(flag), INT_MAX);                        /* P3 */
}

static void sleep_for(struct bn_flag *flag, uint64_t number)
{
    __atomic_fetch_add(&flag->sleepers, 1, __ATOMIC_SEQ_CST); /* W1 */
    for (;;) {
        uint64_t seen = __atomic_load_n(&flag->number, __ATOMIC_SEQ_CST); /* W2 */
        if (seen >= number)
            break;
        bn_futex_wait(low_word(flag), (uint32_t)seen, BN_FUTEX_FOREVER); /* W3 */
    }
    __atomic_fetch_sub(&flag->sleepers, 1, __ATOMIC_SEQ_CST); /* W4 */
}

void bn_flag_await(struct bn_flag *flag, uint64_t number, const struct bn_wait_policy *policy)
{
    for (uint32_t i = 0; i < policy->spin_count; i += policy->spin_count != UINT32_MAX) {
        if (bn_flag_has_reached(flag, number))
            return;
        bn_cpu_pause();
    }
    for (uint32_t i = 0; i < policy->yield_count; i += policy->yield_count != UINT32_MAX) {
        if (bn_flag_has_reached(flag, number))
            return;
        bn_cpu_yield();
    }
    if (!bn_flag_has_reached(flag, number))
        sleep_for(flag, number);
}

/* How much of a piece of the payload lies in the first line */
static size_t first_bytes(size_t offset, size_t size_bytes)
{
    size_t room = offset < BN_FLAG_LINE_BYTES ? BN_FLAG_LINE_BYTES - offset : 0;
    return size_bytes < room ? size_bytes : room;
}

void bn_flag_put(struct bn_flag *flag, size_t offset, const void *payload, size_t size_bytes)
{
    size_t first = first_bytes(offset, size_bytes);
    if (first > 0)
        memcpy(flag->payload + offset, payload, first);
    if (size_bytes > first)
        memcpy(flag->spill + (offset + first - BN_FLAG_LINE_BYTES), (const unsigned char *)payload + first,
               size_bytes - first);
}

void bn_flag_get(const struct bn_flag *flag, size_t offset, void *payload, size_t size_bytes)
{
    size_t first = first_bytes(offset, size_bytes);
    if (first > 0)
        memcpy(payload, flag->payload + offset, first);
    if (size_bytes > first)
        memcpy((unsigned char *)payload + first, flag->spill + (offset + first - BN_FLAG_LINE_BYTES),
               size_bytes - first);
}
