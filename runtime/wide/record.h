/*
 * record.h: a timeline of a member's steps in operations over several nodes, for plotting (bench/clusters/timeline).
 *
 * Off unless a struct bn_wide is given a record; while off, each step costs a test of a pointer.
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
    BN_RECORD_NEAR, /* the node's share of a piece, including waiting for others on the node */
    BN_RECORD_SEND,
    BN_RECORD_RECEIVE,
    BN_RECORD_CIRCLE, /* a collective of leaders (circle.h), from its begin until it was seen to be done */
    BN_RECORD_AWAIT,  /* only waiting for messages */
    BN_RECORD_KIND_COUNT
};

struct bn_record_entry {
    uint64_t begin_ns, end_ns; /* by bn_clock_ns; for messages from their begin until they were seen to be done */
    size_t nbytes;
    uint32_t call; /* number of the call that it belongs to, from 1 on */
    int other;     /* for messages: the receiver or sender */
    enum bn_record_kind kind;
    enum bn_operation operation; /* for calls and the node's share */
};

/* A list; entries for which there is no room or memory are dropped.  All zero: empty */
struct bn_record {
    struct bn_record_entry *entries;
    uint32_t count, room, call_count;
};
enum { BN_RECORD_MOST = 1 << 18 };

/** Adds an entry that begins now, if record is not null; returns its number, for bn_record_end. */
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
