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
 * Replaces the word at place, of 4 or 8 bytes, by next(its value), and returns the old value; next may be called
 * several times. @cost Two network operations, and two more for each other thread that changes the word meanwhile.
 */
uint64_t bn_remote_change_word(struct bn_remote_place place, unsigned bytes,
                               uint64_t (*next)(uint64_t old, const void *how), const void *how);

/**
 * The same for up to BN_LOCKED_BYTES bytes, under a lock of the thread that has them; it is atomic only with respect to
 * other calls of this function. next returns false if nothing is to be changed. *old_p becomes the old value.
 * @cost Four network operations, and waiting for others that change data of the same thread by this function.
 */
enum { BN_LOCKED_BYTES = 16 };
void bn_remote_change_locked(struct bn_remote_place place, unsigned bytes,
                             bool (*next)(const void *old, const void *how, void *next), const void *how, void *old_p);

/** bn_remote_change_word for a word of 4 bytes, under that lock. */
uint32_t bn_remote_change_locked_narrow(struct bn_remote_place place, uint64_t (*next)(uint64_t old, const void *how),
                                        const void *how);

#endif
