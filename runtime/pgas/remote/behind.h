/*
 * behind.h: write-behind.  Small relaxed writes to far threads are collected here; writes to adjacent memory are sent
 * as one message (docs/design/010-far-accesses.md).  They are sent when the thread completes its writes, reads memory
 * that they may have changed, or polls, and when no room is left.
 *
 * This module also tracks where the thread has written since its writes were last complete: a read from there waits for
 * the writes, and another write to it is ordered after them.
 */
#ifndef BN_PGAS_REMOTE_BEHIND_H
#define BN_PGAS_REMOTE_BEHIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    BN_BEHIND_BYTES = 4096,      /* most that one message collects; divides the bounds of a thread's memory */
    BN_BEHIND_RUNS = 32,         /* how many messages are collected at a time */
    BN_BEHIND_WRITE_BYTES = 256, /* longer writes are sent directly */
    BN_BEHIND_PLACES = 64,       /* how many written ranges are tracked separately */
};

/** The put by which collected bytes are sent. */
typedef void (*bn_behind_send)(uint64_t address, const void *src, size_t size_bytes);

/** Collects a write of up to BN_BEHIND_WRITE_BYTES to a far thread. */
void bn_behind_write(uint64_t address, const void *src, size_t size_bytes, bn_behind_send send);

/** Send what is collected: everything, or only what touches these bytes. */
void bn_behind_send_all(bn_behind_send send);
void bn_behind_send_near(uint64_t address, size_t size_bytes, bn_behind_send send);

/** Whether collected writes touch these bytes. */
bool bn_behind_holds(uint64_t address, size_t size_bytes);

/** Record that a put to these bytes has been sent; ask whether one may have been sent since the writes were last
 * complete. */
void bn_behind_note(uint64_t address, size_t size_bytes);
bool bn_behind_has_sent(uint64_t address, size_t size_bytes);

/** Records that everything that was sent is complete. */
void bn_behind_completed(void);

#endif
