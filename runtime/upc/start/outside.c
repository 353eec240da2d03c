#include "upc/start/outside.h"

#include <stdio.h>

void bn_describe_outside(const struct bn_segments *segments, uint64_t address, char *text, size_t text_bytes)
{
    enum { NEAR_BYTES = 1 << 20 };
    if (address < segments->base) {
        uint64_t before = segments->base - address;
        if (before <= NEAR_BYTES)
            snprintf(text, text_bytes, "memory that is nobody's, %llu bytes before the static shared data of thread 0",
                     (unsigned long long)before);
        return;
    }
    uint64_t thread = (address - segments->base) / bn_stride(1);
    if (thread >= (uint64_t)segments->thread_count && thread < BN_SEGMENT_MAX_THREADS)
        snprintf(text, text_bytes, "where the shared memory of thread %llu would be, but there %s %d thread%s",
                 (unsigned long long)thread, segments->thread_count == 1 ? "is" : "are", segments->thread_count,
                 segments->thread_count == 1 ? "" : "s");
}
