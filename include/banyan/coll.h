/*
 * coll.h: the ways in which collectives can go, for programs that measure them: uoms -algorithm.
 *
 * An operation is "broadcast", "scatter", "gather", "gather_all", "exchange", "permute", "reduce", "reduce_all",
 * "prefix" or "barrier"; a way has the name that BANYAN_COLL_<OPERATION> takes and that banyan-info explains.
 */
#ifndef BANYAN_COLL_H
#define BANYAN_COLL_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Names of the ways of an operation, which are never freed: the first room of them.  How many there are; 0 for no
 * operation. */
int bn_coll_ways(const char *operation, const char **names, int room);

/** Largest block, in bytes, that a way can carry; 0 for any. */
size_t bn_coll_way_limit(const char *operation, const char *name);

/**
 * From now on the operation goes this way only; null: as the runtime chooses.  Collective, with the same arguments, not
 * between upc_notify and upc_wait.  Non-zero, and nothing changed, if the operation has no such way.
 */
int bn_coll_use_way(const char *operation, const char *name);

/** The way that blocks of nbytes took with these upc_flag_t flags; null if there was no such call. */
const char *bn_coll_way(const char *operation, size_t nbytes, int flags);

/** Bytes that this thread has copied to and from threads of other nodes since the start, in collectives and
 * elsewhere. */
unsigned long long bn_coll_far_bytes(void);

#ifdef __cplusplus
}
#endif

#endif
