/*
 * atomic.h: atomic operations on shared words of any thread.
 *
 * All of them go through the transport, even if an instruction of this processor could reach the word: atomic
 * operations of a network adapter and of a processor do not exclude each other, and threads of other nodes may change
 * the same word.  Operations are complete on return.  Called by the UPC thread.
 */
#ifndef BN_PGAS_REMOTE_ATOMIC_H
#define BN_PGAS_REMOTE_ATOMIC_H

#include "transport/transport.h"

/** Where a word is: bn_remote_find of a window address. */
struct bn_remote_place {
    int thread;
    uint64_t offset;
};

/**
 * The word at place, of 4 or 8 bytes, is replaced by next(its value); next may be called several times.  Returns the
 * old value. @cost Two operations of the network, and two more for each other thread that changes it meanwhile.
 */
uint64_t bn_remote_change_word(struct bn_remote_place place, unsigned bytes,
                               uint64_t (*next)(uint64_t old, const void *how), const void *how);

/**
 * The same for up to BN_LOCKED_BYTES bytes, under a lock of the thread that has them, for which alone it is atomic:
 * next returns false where nothing is to change.  *old_p is what was there.
 * @cost Four operations of the network, and waiting for others that change something of that thread in this way.
 */
enum { BN_LOCKED_BYTES = 16 };
void bn_remote_change_locked(struct bn_remote_place place, unsigned bytes,
                             bool (*next)(const void *old, const void *how, void *next), const void *how, void *old_p);

#endif
