/*
 * book.h: the book of a thread: what it did, in memory that the others can read.
 *
 * Written by its thread alone.  Another may read it when that thread has come to its end; before that, what it reads is
 * as old as memory is, and may be of two moments.
 *
 * Times are ticks of bn_clock_ticks.
 *
 *     struct bn_book | a struct bn_book_flow for each thread | a struct bn_book_event for each event there is room for
 */
#ifndef BN_PROFILE_BOOK_H
#define BN_PROFILE_BOOK_H

#include "profile/tally.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum bn_profile_operation {
#define X(ID, name, group, is_brief) BN_PROFILE_##ID,
#include "profile/operations.def"
#undef X
    BN_PROFILE_OPERATIONS
};

/* How far the other thread of an operation is */
enum bn_distance { BN_TO_SELF, BN_TO_NODE, BN_TO_FAR, BN_DISTANCES };

struct bn_book_row {
    struct bn_tally all;
    uint64_t calls_to[BN_DISTANCES]; /* with one other thread; sum at most all.calls */
    uint64_t bytes_to[BN_DISTANCES];
};

/* Calls of one operation from one place in the program */
struct bn_book_site {
    uint64_t pc; /* where the call returns to; 0: not in use */
    uint32_t operation;
    struct bn_tally tally;
};

/* Calls of one collective operation that went one way */
struct bn_book_way {
    uint32_t operation;
    uint32_t way; /* number that the layer above gave it, plus 1; 0: not in use */
    struct bn_tally tally;
};

/* What this thread took from and gave to another one */
struct bn_book_flow {
    uint64_t taken_bytes;
    uint64_t given_bytes;
};

struct bn_book_event {
    uint64_t begin_ticks, end_ticks;
    uint64_t bytes;
    int32_t peer; /* -1: none, or all */
    uint16_t operation;
    uint16_t way; /* plus 1; 0: none */
};

enum { BN_BOOK_SITES = 512, BN_BOOK_WAYS = 64 };

struct bn_book {
    uint64_t begin_ns, end_ns; /* of bn_clock_ns: from the barrier before main to the end of the program; 0: not yet */
    uint64_t begin_ticks;      /* at begin_ns */
    uint64_t ns_of_ticks;      /* ns in 2^20 ticks; 0: not known */
    uint64_t module_address;   /* of the program's code: how far this process has it from where it was linked for */
    uint32_t thread_count, event_room;
    uint32_t early_reports; /* of the lowest thread of a node: how many there have come to bn_profile_report_early */
    uint64_t event_count, dropped_events;
    uint64_t gets, get_bytes, puts, put_bytes; /* messages to and from other nodes */
    struct bn_book_row rows[BN_PROFILE_OPERATIONS];
    struct bn_book_way ways[BN_BOOK_WAYS];
    struct bn_book_site sites[BN_BOOK_SITES]; /* by a hash of pc and operation; what finds no room is in no site */
};

/** Bytes of a book, a multiple of a page, and where its parts are. */
uint64_t bn_book_bytes(int thread_count, uint32_t event_room);
static inline uint64_t bn_book_flows_offset(void)
{
    return sizeof(struct bn_book);
}
static inline uint64_t bn_book_events_offset(uint32_t thread_count)
{
    return bn_book_flows_offset() + thread_count * sizeof(struct bn_book_flow);
}

/** The place of calls of an operation from pc, which is made if it is not there.  Null: no room. */
struct bn_book_site *bn_book_site(struct bn_book *book, uint64_t pc, enum bn_profile_operation operation);

/** The same for the ways of collective operations; way from 0 on. */
struct bn_book_way *bn_book_way(struct bn_book *book, enum bn_profile_operation operation, uint32_t way);

const char *bn_profile_name(enum bn_profile_operation operation);
const char *bn_profile_group(enum bn_profile_operation operation);
bool bn_profile_is_brief(enum bn_profile_operation operation);

#ifdef __cplusplus
}
#endif

#endif
