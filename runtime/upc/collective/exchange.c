#include "upc/collective/exchange.h"

#include "upc/collective/collective.h"
#include "upc/fatal.h"

#include <string.h>

/* Memory for values that do not fit into their places.  Nobody reads its old content any more. */
static uint64_t buffer_of(const char *function, uint32_t parity, size_t size_bytes)
{
    struct bn_exchange_buffer *buffer = &bn_context.exchange_buffers[parity];
    if (buffer->size_bytes >= size_bytes)
        return buffer->address;
    if (buffer->address != 0)
        bn_heaps_free(&bn_context.heaps, bn_context.thread, buffer->address);
    *buffer =
        (struct bn_exchange_buffer){bn_heaps_alloc_local(&bn_context.heaps, bn_context.thread, size_bytes), size_bytes};
    if (buffer->address == 0)
        bn_upc_fatal(function, "there is no shared memory left for %zu bytes; raise the limit of the shared heap",
                     size_bytes);
    return buffer->address;
}

static unsigned char *shown_by(int thread)
{
    unsigned char *first = (unsigned char *)bn_context.shown;
    struct bn_shown *shown = (struct bn_shown *)(first + (uint64_t)thread * bn_context.shown_stride);
    return shown->value[bn_context.exchanges % BN_SHOWN_PARITIES];
}

void bn_exchange_show(const char *function, const void *value, size_t size_bytes)
{
    bn_context_check_collective(function);
    uint32_t parity = ++bn_context.exchanges % BN_SHOWN_PARITIES;
    unsigned char *shown = shown_by(bn_context.thread);
    if (size_bytes > BN_SHOWN_BYTES) {
        uint64_t address = buffer_of(function, parity, size_bytes);
        memcpy(shown, &address, sizeof address);
        shown = (unsigned char *)address;
    }
    if (size_bytes != 0)
        memcpy(shown, value, size_bytes);
    bn_collective_barrier();
}

const void *bn_exchange_shown(int thread, size_t size_bytes)
{
    const void *shown = shown_by(thread);
    if (size_bytes > BN_SHOWN_BYTES) {
        uint64_t address;
        bn_copy(&address, shown, sizeof address);
        shown = (const void *)address;
    }
    shown = bn_bring(shown, size_bytes, &bn_context.shown_scratch);
    if (!shown)
        bn_upc_fatal("runtime", "there is no memory for %zu bytes that thread %d shows", size_bytes, thread);
    return shown;
}
