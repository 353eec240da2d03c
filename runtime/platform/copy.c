#include "platform/copy.h"

#include <stdlib.h>

struct bn_far bn_far;

void bn_far_set(uint64_t mask, const struct bn_far_mover *mover)
{
    bn_far = (struct bn_far){mask, mover};
}

const void *bn_bring(const void *src, size_t size_bytes, struct bn_scratch *scratch)
{
    if (bn_is_mapped(src))
        return src;
    if (scratch->size_bytes < size_bytes) {
        void *memory = realloc(scratch->memory, size_bytes);
        if (!memory)
            return NULL;
        *scratch = (struct bn_scratch){memory, size_bytes};
    }
    bn_copy(scratch->memory, src, size_bytes);
    return scratch->memory;
}

unsigned long long bn_copied_far(void)
{
    return bn_far.mover ? bn_far.mover->copied_bytes() : 0;
}
