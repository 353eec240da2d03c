/*
 * mailbox.h: sends blocks from one thread to another, which has two places for them.
 *
 * Each pair of threads has a mailbox in the shared memory of the receiver and a word in that of the sender.  Blocks are
 * counted from 1.  The sender puts block n into place n % 2 and raises `arrived` to n, in one message where the network
 * can do that; the receiver raises `emptied` to n when it has read the block.  So a sender waits only if the receiver
 * is two blocks behind, and neither polls the other's memory.
 */
#ifndef BN_UPC_AGGREGATE_MAILBOX_H
#define BN_UPC_AGGREGATE_MAILBOX_H

#include "banyan/access.h"
#include "sync/flag.h"

#include <stdint.h>

enum { BN_MAILBOX_PLACES = 2, BN_MAILBOX_HEAD_BYTES = 64 };

/* Header of a block, before its items */
struct bn_mail_head {
    uint64_t item_count; /* may be 0 in the last block of a phase */
    uint64_t is_last;    /* whether this is the last block of a phase */
};

/* What thread t holds for each other thread u */
struct bn_mailbox_flags {
    struct bn_flag arrived; /* number of the last block from u; u raises it */
    struct bn_flag emptied; /* number of the last block of t's that u has read; u raises it */
};

/* The mailboxes of all pairs of threads: on each thread THREADS flags, then THREADS times two places */
struct bn_mailboxes {
    char *first;          /* on thread 0 */
    uint64_t place_bytes; /* of a block with its head; a multiple of the cache line size */
    int thread_count;
};

/* Shared memory that a thread needs for them */
static inline uint64_t bn_mailboxes_bytes(const struct bn_mailboxes *boxes)
{
    return (uint64_t)boxes->thread_count * (sizeof(struct bn_mailbox_flags) + BN_MAILBOX_PLACES * boxes->place_bytes);
}

static inline char *bn_mailboxes_of(const struct bn_mailboxes *boxes, int owner)
{
    return boxes->first + bn_stride((uint64_t)owner);
}

static inline struct bn_mailbox_flags *bn_mailbox_flags(const struct bn_mailboxes *boxes, int owner, int other)
{
    return (struct bn_mailbox_flags *)bn_mailboxes_of(boxes, owner) + other;
}

/* Where block number n of a sender lies in the memory of its receiver */
static inline struct bn_mail_head *bn_mailbox_place(const struct bn_mailboxes *boxes, int receiver, int sender,
                                                    uint64_t n)
{
    uint64_t place = (uint64_t)sender * BN_MAILBOX_PLACES + n % BN_MAILBOX_PLACES;
    char *places = (char *)bn_mailbox_flags(boxes, receiver, boxes->thread_count);
    return (struct bn_mail_head *)(places + place * boxes->place_bytes);
}

#endif
