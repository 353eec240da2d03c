/*
 * coll.h: the algorithms ("ways") of the collectives, for programs that measure them (uoms -algorithm).
 *
 * An operation is "broadcast", "scatter", "gather", "gather_all", "exchange", "permute", "reduce", "reduce_all",
 * "prefix" or "barrier"; a way is named as BANYAN_COLL_<OPERATION> accepts it and banyan-info explains it.
 */
#ifndef BANYAN_COLL_H
#define BANYAN_COLL_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Stores the names of up to `room` ways of an operation, which are never freed.  Returns how many ways there are; 0 if
 * there is no such operation. */
int bn_coll_ways(const char *operation, const char **names, int room);

/** The largest block, in bytes, that a way can carry; 0 if there is no limit. */
size_t bn_coll_way_limit(const char *operation, const char *name);

/**
 * From now on the operation always uses this way; if name is null, the runtime chooses again.  Collective, with the
 * same arguments on all threads, and not between upc_notify and upc_wait.  Returns non-zero and changes nothing if the
 * operation has no such way.
 */
int bn_coll_use_way(const char *operation, const char *name);

/** The way used for blocks of nbytes in calls with these upc_flag_t flags; null if there was no such call. */
const char *bn_coll_way(const char *operation, size_t nbytes, int flags);

/** The number of bytes that this thread has copied to and from threads of other nodes since the start, in collectives
 * and elsewhere. */
unsigned long long bn_coll_far_bytes(void);

#ifdef __cplusplus
}
#endif

#endif
