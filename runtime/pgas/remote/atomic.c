#include "pgas/remote/atomic.h"

#include "pgas/remote/remote.h"

uint64_t bn_remote_change_word(struct bn_remote_place place, unsigned bytes,
                               uint64_t (*next)(uint64_t old, const void *how), const void *how)
{
    const struct bn_transport *transport = bn_remote.transport;
    uint64_t old = transport->atomic(BN_TRANSPORT_FETCH, bytes, place.thread, place.offset, 0, 0);
    for (;;) {
        uint64_t wanted = next(old, how);
        if (wanted == old)
            return old;
        uint64_t found = transport->atomic(BN_TRANSPORT_CHANGE, bytes, place.thread, place.offset, old, wanted);
        if (found == old)
            return old;
        old = found;
    }
}

static uint64_t lock_offset(uint64_t offset)
{
    return BN_CONTROL_OFFSET(word_locks) + offset / sizeof(uint64_t) % BN_WORD_LOCKS * sizeof(uint64_t);
}

void bn_remote_change_locked(struct bn_remote_place place, unsigned bytes,
                             bool (*next)(const void *old, const void *how, void *next), const void *how, void *old_p)
{
    const struct bn_transport *transport = bn_remote.transport;
    uint64_t lock = lock_offset(place.offset);
    uint32_t step = 0;
    uint64_t wanted[BN_LOCKED_BYTES / sizeof(uint64_t)];
    while (transport->change(place.thread, lock, 0, 1) != 0)
        bn_remote_step(&step);
    transport->get(old_p, place.thread, place.offset, bytes);
    if (next(old_p, how, wanted)) {
        transport->put(place.thread, place.offset, wanted, bytes);
        transport->complete();
    }
    transport->swap(place.thread, lock, 0);
}
