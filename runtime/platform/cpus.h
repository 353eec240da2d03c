/*
 * cpus.h: the processors that this process may use.
 *
 * Two limits apply: the affinity mask names processing units (pu), and the control group may grant less processor time
 * than they have (quota).  Which units are close to each other is read from sysfs.  Every function that reads files
 * takes the root of the tree, "" for the real one, so that recorded machines can be read in tests.
 */
#ifndef BN_PLATFORM_CPUS_H
#define BN_PLATFORM_CPUS_H

#include "base/status.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { BN_PU_MAX = 4096 };

/* A set of processing units, numbered as by the system */
struct bn_pu_set {
    unsigned long long words[BN_PU_MAX / 64];
};

void bn_pu_set_add(struct bn_pu_set *set, int pu);
bool bn_pu_set_has(const struct bn_pu_set *set, int pu);
int bn_pu_set_count(const struct bn_pu_set *set);

/* The smallest member that is >= from; -1 if there is none */
int bn_pu_set_next(const struct bn_pu_set *set, int from);

/* Reads the kernel's notation, "0-3,8,10-11".  Returns false if the text is not in that notation; the set is
 * unspecified then. */
bool bn_pu_set_parse(const char *text, struct bn_pu_set *set_p);

/* Has room for any set in that notation: the longest is two of every three numbers, as in 3001-3002,3004-3005. */
enum { BN_PU_SET_TEXT_BYTES = (BN_PU_MAX / 3 + 1) * 10 };

/* Writes that notation; always terminated, cut short if text_bytes is too small. */
void bn_pu_set_format(const struct bn_pu_set *set, char *text, unsigned long text_bytes);

/* The affinity mask of the calling thread.  Only pu 0 if the system gives no answer. */
void bn_cpus_affinity(struct bn_pu_set *set_p);

/* Binds the calling thread.  Returns BN_ERR_SYSTEM, without a report, if the system refuses. */
bn_status_t bn_cpus_bind(const struct bn_pu_set *set);

/*
 * Processor time that the control groups of this process grant, in thousandths of a processor: 1500 is one and a half.
 * The smallest over all levels, version 1 and 2; 0 if there is no limit.
 *
 * @cost A few small files.
 */
long bn_cpus_quota_milli(const char *root);

/*
 * How many threads can run at the same time: the size of the affinity mask, limited by the quota rounded up.  At least
 * 1.  This is the number that the waiting policy compares with the number of threads.
 */
int bn_cpus_usable_count(void);

/* A usable pu and its place */
struct bn_pu_place {
    int pu;
    int core;      /* the lowest pu of its physical core */
    int core_rank; /* how many usable pus of the same core come before it: 0 is the first hardware thread */
    int numa;      /* memory region; 0 if the system knows none */
};

/*
 * Places of the members of set, in order of their numbers.  Returns how many were written (at most max).
 *
 * @cost One file per pu and one per memory region.
 */
int bn_cpus_places(const char *root, const struct bn_pu_set *set, struct bn_pu_place *places, int max);

/* The system's number of a pu's socket; 0 if the system knows none.  @cost One file. */
int bn_cpus_socket(const char *root, int pu);

/* The largest data cache of a pu */
struct bn_pu_cache {
    int first_pu; /* the lowest of the pus that share it; the pu itself if the system knows no caches */
    int level;    /* 0 if the system knows none */
    unsigned long long size_bytes;
};

/* @cost Three or four files per cache. */
struct bn_pu_cache bn_cpus_largest_cache(const char *root, int pu);

#ifdef __cplusplus
}
#endif

#endif
