/*
 * record.h: when a member did what in operations over several nodes, for pictures of them (bench/clusters/timeline).
 *
 * Off unless somebody gives a struct bn_wide a record; then each step costs a look at a pointer.
 */
#ifndef BN_WIDE_RECORD_H
#define BN_WIDE_RECORD_H

#include "coll/operation.h"
#include "platform/clock.h"

#ifdef __cplusplus
extern "C" {
#endif

enum bn_record_kind {
    BN_RECORD_CALL,
    BN_RECORD_NEAR, /* the node's share of a piece, waiting for the others of the node included */
    BN_RECORD_SEND,
    BN_RECORD_RECEIVE,
    BN_RECORD_CIRCLE, /* of leaders together (circle.h): begun, and seen to be done */
    BN_RECORD_AWAIT,  /* nothing but waiting for messages */
    BN_RECORD_KIND_COUNT
};

struct bn_record_entry {
    uint64_t begin_ns, end_ns; /* of bn_clock_ns; of messages: begun, and seen to be done */
    size_t nbytes;
    uint32_t call; /* that it belongs to, from 1 on */
    int other;     /* of messages: who gets it, or sends it */
    enum bn_record_kind kind;
    enum bn_operation operation; /* of calls and of the node's share */
};

/* A list that ends with the last entry for which there was room, or memory.  All zero: empty */
struct bn_record {
    struct bn_record_entry *entries;
    uint32_t count, room, call_count;
};
enum { BN_RECORD_MOST = 1 << 18 };

/** Adds an entry that begins now, if record is not null; its number, for bn_record_end. */
uint32_t bn_record_add(struct bn_record *record, struct bn_record_entry entry);
static inline uint32_t bn_record_begin(struct bn_record *record, struct bn_record_entry entry)
{
    return __builtin_expect(record != NULL, 0) ? bn_record_add(record, entry) : 0;
}

static inline void bn_record_end(struct bn_record *record, uint32_t entry)
{
    if (__builtin_expect(record != NULL, 0) && entry < record->count)
        record->entries[entry].end_ns = bn_clock_ns();
}

const char *bn_record_kind_name(enum bn_record_kind kind);

#ifdef __cplusplus
}
#endif

#endif
