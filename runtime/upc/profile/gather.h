/*
 * gather.h: the books of all threads, combined into one profile.
 */
#ifndef BN_UPC_PROFILE_GATHER_H
#define BN_UPC_PROFILE_GATHER_H

#include "profile/book.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { BN_PLACE_TEXT_BYTES = 320 };

/* Totals of one operation, or of a part of it */
struct bn_profile_sum {
    uint64_t calls, bytes;
    double ns; /* of all threads together */
};

struct bn_profile_operation_sum {
    struct bn_profile_sum all;
    uint64_t calls_to[BN_DISTANCES], bytes_to[BN_DISTANCES];
};

/* Calls from one place in the program */
struct bn_profile_place {
    uint64_t pc;
    enum bn_profile_operation operation;
    struct bn_profile_sum sum;
    char text[BN_PLACE_TEXT_BYTES]; /* "heat.upc:42", "in function main"; "" before bn_profile_locate */
    bool has_line;
};

struct bn_profile_way_sum {
    enum bn_profile_operation operation;
    const char *name;
    struct bn_profile_sum sum;
};

struct bn_profile {
    const char *program;
    int thread_count, node_count;
    bool is_early;   /* the job was ended before all threads had finished */
    double *seconds; /* of each thread, from the barrier before main to its end */
    int *nodes;      /* node of each thread, counted from 0 */
    struct bn_profile_operation_sum operations[BN_PROFILE_OPERATIONS];
    struct bn_profile_sum *shares; /* of each thread: [operation * thread_count + thread] */
    struct bn_book_flow *flows;    /* [thread * thread_count + other] */
    struct bn_profile_place *places;
    size_t place_count; /* the longest first */
    struct bn_profile_way_sum *ways;
    size_t way_count; /* by operation */
    uint64_t gets, get_bytes, puts, put_bytes;
    uint64_t events, dropped_events;
};

/** Reads the books of all threads.  False: no memory, reported. */
bool bn_profile_gather(struct bn_profile *profile);
void bn_profile_destroy(struct bn_profile *profile);

/** Finds the source lines of the first `count` places, and merges places on the same line.  Waits for addr2line. */
void bn_profile_locate(struct bn_profile *profile, size_t count);

/** Time of a thread in all operations, in ns. */
double bn_profile_thread_ns(const struct bn_profile *profile, int thread);

/** Factor from ticks to ns, taken from a book, or else from this machine's clock. */
double bn_profile_ns_per_tick(const struct bn_book *book);

/** The name of a collective operation's way, given the number that was passed to bn_span_way. */
const char *bn_profile_way_name(enum bn_profile_operation operation, uint32_t way);

/** Write the profile: as a readable table, at most 79 columns wide, or as JSON according to
 * docs/profile.schema.json. */
void bn_profile_write_table(FILE *file, const struct bn_profile *profile);
void bn_profile_write_json(FILE *file, const struct bn_profile *profile);

/** Writes the events of all books in Perfetto's format. */
void bn_trace_write(FILE *file, const struct bn_profile *profile);

#ifdef __cplusplus
}
#endif

#endif
