/*
 * behind.h: writing behind.  Small relaxed writes to far threads are collected here; those to adjacent memory are sent
 * as one (docs/design/010-far-accesses.md).  They are sent when the thread completes its writes, reads what they may
 * have changed, or polls, and when there is no room left.
 *
 * It also keeps track of where this thread has written since its writes were last complete.  A read from there waits
 * for the writes, and another write is ordered after them.
 */
#ifndef BN_PGAS_REMOTE_BEHIND_H
#define BN_PGAS_REMOTE_BEHIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    BN_BEHIND_BYTES = 4096,      /* most that one message collects; divides the bounds of a thread's memory */
    BN_BEHIND_RUNS = 32,         /* messages that are collected at a time */
    BN_BEHIND_WRITE_BYTES = 256, /* longer writes go by themselves */
    BN_BEHIND_PLACES = 64,       /* stretches that are told apart among what was written */
};

/** What collected bytes leave by: a put. */
typedef void (*bn_behind_send)(uint64_t address, const void *src, size_t size_bytes);

/** Collects a write of up to BN_BEHIND_WRITE_BYTES to a far thread. */
void bn_behind_write(uint64_t address, const void *src, size_t size_bytes, bn_behind_send send);

/** Sends what is collected: all, or what touches these bytes. */
void bn_behind_send_all(bn_behind_send send);
void bn_behind_send_near(uint64_t address, size_t size_bytes, bn_behind_send send);

/** Whether something is collected that touches these bytes. */
bool bn_behind_holds(uint64_t address, size_t size_bytes);

/** A put has been sent to these bytes; whether one may have been since the writes were last complete. */
void bn_behind_note(uint64_t address, size_t size_bytes);
bool bn_behind_has_sent(uint64_t address, size_t size_bytes);

/** All that was sent is complete. */
void bn_behind_completed(void);

#endif
