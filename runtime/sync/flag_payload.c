/* flag_payload.c: the payload of a flag, which may be on another node. */
#include "platform/copy.h"
#include "sync/flag.h"

/* How many bytes of a piece of the payload lie in the first line */
static size_t first_bytes(size_t offset, size_t size_bytes)
{
    size_t room = offset < BN_FLAG_LINE_BYTES ? BN_FLAG_LINE_BYTES - offset : 0;
    return size_bytes < room ? size_bytes : room;
}

void bn_flag_put(struct bn_flag *flag, size_t offset, const void *payload, size_t size_bytes)
{
    size_t first = first_bytes(offset, size_bytes);
    if (first > 0)
        bn_copy(flag->payload + offset, payload, first);
    if (size_bytes > first)
        bn_copy(flag->spill + (offset + first - BN_FLAG_LINE_BYTES), (const unsigned char *)payload + first,
                size_bytes - first);
}

void bn_flag_send(struct bn_flag *flag, size_t offset, const void *payload, size_t size_bytes, uint64_t number)
{
    if (size_bytes > 0 && first_bytes(offset, size_bytes) == size_bytes) {
        bn_flag_raise_behind(flag, number, flag->payload + offset, payload, size_bytes);
        return;
    }
    bn_flag_put(flag, offset, payload, size_bytes);
    bn_flag_raise(flag, number);
}

void bn_flag_get(const struct bn_flag *flag, size_t offset, void *payload, size_t size_bytes)
{
    size_t first = first_bytes(offset, size_bytes);
    if (first > 0)
        bn_copy(payload, flag->payload + offset, first);
    if (size_bytes > first)
        bn_copy((unsigned char *)payload + first, flag->spill + (offset + first - BN_FLAG_LINE_BYTES),
                size_bytes - first);
}
