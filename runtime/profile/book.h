/*
 * book.h: the book of a thread: a record of what it did, in memory that the other threads can read.
 *
 * Only its own thread writes it.  Other threads may read it once that thread has ended; earlier reads may be stale and
 * inconsistent.
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

/* The distance of the other thread of an operation */
enum bn_distance { BN_TO_SELF, BN_TO_NODE, BN_TO_FAR, BN_DISTANCES };

struct bn_book_row {
    struct bn_tally all;
    uint64_t calls_to[BN_DISTANCES]; /* calls that involve one other thread; their sum is at most all.calls */
    uint64_t bytes_to[BN_DISTANCES];
};

/* Calls of one operation from one place in the program */
struct bn_book_site {
    uint64_t pc; /* return address of the call; 0: not in use */
    uint32_t operation;
    struct bn_tally tally;
};

/* Calls of one collective operation that used one way */
struct bn_book_way {
    uint32_t operation;
    uint32_t way; /* number given by the layer above, plus 1; 0: not in use */
    struct bn_tally tally;
};

/* Bytes that this thread read from and wrote to another one */
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
    uint64_t begin_ns, end_ns; /* by bn_clock_ns, from the barrier before main to the end of the program; 0: not yet */
    uint64_t begin_ticks;      /* at begin_ns */
    uint64_t ns_of_ticks;      /* ns in 2^20 ticks; 0: unknown */
    uint64_t module_address;   /* load offset of the program's code in this process */
    uint32_t thread_count, event_room;
    uint32_t early_reports; /* in the lowest thread of a node: how many threads there have entered
                             * bn_profile_report_early */
    uint64_t event_count, dropped_events;
    uint64_t gets, get_bytes, puts, put_bytes; /* messages to and from other nodes */
    struct bn_book_row rows[BN_PROFILE_OPERATIONS];
    struct bn_book_way ways[BN_BOOK_WAYS];
    struct bn_book_site sites[BN_BOOK_SITES]; /* hashed by pc and operation; calls that find no room belong to no
                                               * site */
};

/** The size of a book, a multiple of the page size, and the offsets of its parts. */
uint64_t bn_book_bytes(int thread_count, uint32_t event_room);
static inline uint64_t bn_book_flows_offset(void)
{
    return sizeof(struct bn_book);
}
static inline uint64_t bn_book_events_offset(uint32_t thread_count)
{
    return bn_book_flows_offset() + thread_count * sizeof(struct bn_book_flow);
}

/** The site of calls of an operation from pc, which is created if necessary.  Null if there is no room. */
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
