/*
 * bench.h: an operation that can be measured, and its parameters.
 *
 * A system offers one table of these, uoms_benches[], which ends with a null name.  The harness calls, on all threads:
 *
 *     setup      once for a benchmark, with the largest size in run->bytes: allocates and touches
 *     prepare    rewrites the sources that the calling thread owns, with values made from run->seed
 *     clear      before an operation that will be checked: destroys what is in the destinations of the calling thread
 *     run        count operations, which are timed
 *     check      after an operation that followed prepare and clear: number of wrong bytes among those the thread owns
 *     teardown   once, after the last size
 *
 * with barriers of its own between prepare, clear, run and check.
 */
#ifndef UOMS_BENCH_H
#define UOMS_BENCH_H

#include <stddef.h>

struct uoms_options;

enum {
    UOMS_SIZED = 1,       /* takes sizes; others run once, with 0 bytes */
    UOMS_BATCHED = 2,     /* consecutive calls do not help each other: a sample may have many (uoms_plan_batch) */
    UOMS_ALONE = 4,       /* thread 0 does the work, the others wait */
    UOMS_PAIR = 8,        /* between thread 0 and the last thread; with 2 threads, measured for pairs of cores */
    UOMS_ROOTED = 16,     /* has a root */
    UOMS_SYNC_MODES = 32, /* obeys -sync_mode */
    UOMS_REDUCES = 64,    /* obeys -reduce_op */
    UOMS_INTEGERS = 128,  /* bitwise operators are defined for its type */
    UOMS_FEW_CALLS = 256  /* each call takes resources or waits for other threads: a sample has fewer calls */
};

enum uoms_bandwidth { UOMS_NO_BANDWIDTH, UOMS_TIMES_ONE, UOMS_TIMES_THREADS, UOMS_TIMES_SQUARE };

struct uoms_bench;

struct uoms_run {
    const struct uoms_bench *bench;
    const struct uoms_options *options;
    int thread;
    int threads;
    int root; /* of this operation */
    size_t bytes;
    unsigned seed;       /* differs from iteration to iteration */
    double work_ns;      /* set by run: the part of its time that does not count */
    struct uoms_region { /* the data that the thread owns, for -cache; set by setup */
        void *data;
        size_t per_byte; /* bytes of the region in use = per_byte * run->bytes */
    } regions[4];
    size_t bad_place;    /* set by check: the first wrong byte, */
    unsigned bad_value;  /* what it was, */
    unsigned good_value; /* and what it should have been */
};

struct uoms_bench {
    const char *name;      /* as users call it: upc_all_broadcast, MPI_Bcast */
    const char *operation; /* the same in every system: broadcast, reduce_D; used to match peers */
    const char *group;
    unsigned flags;
    enum uoms_bandwidth bandwidth;
    size_t unit;                                       /* sizes are multiples of this; 1 if any size is possible */
    const char *missing;                               /* null, or why this build cannot run it */
    size_t (*shared_bytes)(size_t bytes, int threads); /* per thread, or SIZE_MAX; null if none are needed */
    int (*setup)(struct uoms_run *run);                /* non-zero if there is no memory */
    void (*prepare)(struct uoms_run *run);
    void (*clear)(struct uoms_run *run);
    void (*run)(struct uoms_run *run, long count);
    size_t (*check)(struct uoms_run *run);
    void (*teardown)(struct uoms_run *run);
    int param; /* for the benchmark's own use */
};

extern const struct uoms_bench uoms_benches[];

/* Command name and one line about the suite, for -help and -version */
extern const char uoms_command[];
extern const char uoms_title[];

/* The byte of thread `owner` at a place, for a seed; differs between neighbours, owners and seeds */
static inline unsigned char uoms_pattern(int owner, size_t place, unsigned seed)
{
    size_t mixed =
        (place + (place >> 8) * 31 + (place >> 16) * 17 + (size_t)owner * 101 + (size_t)seed * 59 + 7) * 0x9E3779B1u;
    return (unsigned char)(mixed >> 16);
}

/* Fills or checks [first, first + size_bytes) of a thread's data at `data`. */
void uoms_fill(void *data, int owner, size_t first, size_t size_bytes, unsigned seed);
size_t uoms_compare(struct uoms_run *run, const void *data, int owner, size_t first, size_t size_bytes, unsigned seed,
                    size_t place);

/* Bytes after each destination that an operation must not touch */
#define UOMS_GUARD 64
#define UOMS_POISON 0xA5
void uoms_poison(void *data, size_t size_bytes);
size_t uoms_compare_guard(struct uoms_run *run, const void *guard, size_t place);

/* Sums and products of sizes; SIZE_MAX, which never fits, if they would be larger */
size_t uoms_plus(size_t a, size_t b);
size_t uoms_times(size_t a, size_t b);

/* Rounds up to whole cache lines and adds room for the guard; SIZE_MAX as above. */
size_t uoms_room(size_t size_bytes);

#endif
