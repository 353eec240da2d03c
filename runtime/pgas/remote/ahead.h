/*
 * ahead.h: read-ahead.  Data that relaxed reads have fetched from far threads are kept, and if reads proceed through
 * memory sequentially, more is fetched than was requested, up to BN_AHEAD_BYTES at a time
 * (docs/design/010-far-accesses.md).
 *
 * Kept data may be stale.  So they are dropped wherever UPC guarantees that a thread sees what others have written: at
 * fences and strict accesses (bn_complete), barriers, locks, atomic operations, flags, upc_poll.  They are also dropped
 * after BN_AHEAD_HITS reads, so that a program that spins on relaxed reads does not wait forever.
 */
#ifndef BN_PGAS_REMOTE_AHEAD_H
#define BN_PGAS_REMOTE_AHEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    BN_AHEAD_BYTES = 16 << 10,     /* most that is fetched at a time */
    BN_AHEAD_WINDOWS = 32,         /* stretches of far memory that are kept */
    BN_AHEAD_READ_BYTES = 1 << 10, /* longer reads bypass the read-ahead */
    BN_AHEAD_HITS = 4096,
};

/** A stretch of far memory to be fetched, and where to put it. */
struct bn_ahead_window {
    uint64_t begin; /* window address */
    size_t size_bytes;
    unsigned char *data;
    const unsigned char *asked; /* where the requested bytes will be, all of them */
};

/** The kept copy of the bytes at an address; null unless all of them are kept. */
const void *bn_ahead_find(uint64_t address, size_t size_bytes);

/**
 * What to fetch for a read of up to BN_AHEAD_READ_BYTES that was not found: the missing part, or more if there were
 * reads close to it before.  It lies within [first, end), the part of the thread's memory that contains the address,
 * and must be fetched immediately.
 */
struct bn_ahead_window bn_ahead_plan(uint64_t address, size_t size_bytes, uint64_t first, uint64_t end);

/** This thread writes these bytes: updates the copies of them. */
void bn_ahead_write(uint64_t address, const void *src, size_t size_bytes);

/** Forgets all. */
void bn_ahead_forget(void);

#endif
