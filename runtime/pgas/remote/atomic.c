#include "pgas/remote/atomic.h"

#include "pgas/remote/remote.h"

#include <string.h>

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

/* A function of whole words, and its context */
struct next_word {
    uint64_t (*next)(uint64_t old, const void *how);
    const void *how;
};

static bool next_narrow(const void *old, const void *context, void *next)
{
    const struct next_word *of_words = context;
    uint32_t word;
    memcpy(&word, old, sizeof word);
    uint32_t wanted = (uint32_t)of_words->next(word, of_words->how);
    memcpy(next, &wanted, sizeof wanted);
    return wanted != word;
}

uint32_t bn_remote_change_locked_narrow(struct bn_remote_place place, uint64_t (*next)(uint64_t old, const void *how),
                                        const void *how)
{
    uint32_t old;
    bn_remote_change_locked(place, sizeof old, next_narrow, &(struct next_word){next, how}, &old);
    return old;
}
