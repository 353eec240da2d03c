/* place.c: memory for the records of -fcheck on one machine, made before the threads are forked. */
#include "upc/check/place.h"

#include "banyan/check.h"
#include "platform/atomic_word.h"
#include "platform/memory.h"
#include "upc/context.h"

#include <string.h>

bn_status_t bn_check_parts_create(uint64_t bytes_each, struct bn_check_parts *parts)
{
    void *memory;
    bn_status_t status = bn_memory_share((uint64_t)bn_context.thread_count * bytes_each, &memory);
    *parts = (struct bn_check_parts){status == BN_OK ? memory : NULL, bytes_each};
    return status;
}

void bn_check_makes(int *first_p, int *end_p)
{
    *first_p = 0;
    *end_p = bn_context.thread_count;
}

static signed char *shadow;
static uint64_t shadowed_bytes;

bn_status_t bn_check_marks_create(uint64_t window_bytes, signed char **shadow_p)
{
    void *memory;
    bn_status_t status = bn_memory_share_table((window_bytes >> BN_CHECK_GRANULE_SHIFT) + BN_CHECK_NEAR, &memory);
    if (status != BN_OK)
        return status;
    *shadow_p = shadow = memory;
    shadowed_bytes = window_bytes;
    return BN_OK;
}

signed char *bn_check_marks_of(uint64_t address, uint64_t *bytes_p)
{
    uint64_t offset = address - bn_context.segments.base;
    *bytes_p = shadowed_bytes - offset;
    return &shadow[offset >> BN_CHECK_GRANULE_SHIFT];
}

void bn_check_read_marks(signed char *dst, const signed char *marks, uint64_t count)
{
    memcpy(dst, marks, count);
}

bool bn_check_change(uint64_t address, uint64_t expected, uint64_t value)
{
    return bn_word64_change((uint64_t *)address, &expected, value);
}
