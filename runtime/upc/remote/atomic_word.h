/*
 * atomic_word.h: operations of sync/atomic.h that the network supports natively.
 */
#ifndef BN_UPC_REMOTE_ATOMIC_WORD_H
#define BN_UPC_REMOTE_ATOMIC_WORD_H

#include "pgas/remote/atomic.h"
#include "pgas/remote/remote.h"
#include "sync/atomic.h"

/* Carries out op on a word of 4 or 8 bytes and returns the old value.  Not for bitwise operations, MULT, MIN and
 * MAX. */
static inline uint64_t bn_atomic_word(unsigned long op, struct bn_remote_place place, unsigned bytes, uint64_t a,
                                      uint64_t b)
{
    enum bn_transport_op native = BN_TRANSPORT_FETCH;
    switch (op) {
    case BN_ATOMIC_SET: native = BN_TRANSPORT_SWAP; break;
    case BN_ATOMIC_CSWAP: native = BN_TRANSPORT_CHANGE; break;
    case BN_ATOMIC_ADD:
    case BN_ATOMIC_INC: native = BN_TRANSPORT_ADD; break;
    case BN_ATOMIC_SUB:
    case BN_ATOMIC_DEC:
        native = BN_TRANSPORT_ADD;
        a = 0 - a;
        break;
    default: break; /* GET */
    }
    return bn_remote.transport->atomic(native, bytes, place.thread, place.offset, a, b);
}

#endif
