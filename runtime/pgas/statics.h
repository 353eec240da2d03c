/*
 * statics.h: where static shared objects lie in the segments.
 *
 * The records of all units (struct bn_static) are laid out in link order, which is the same for all threads.  Records
 * with the same handle describe one object: they are tentative definitions, of which the largest counts.
 */
#ifndef BN_PGAS_STATICS_H
#define BN_PGAS_STATICS_H

#include "banyan/access.h"
#include "base/status.h"
#include "pgas/segment.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A walk over the records of all units; begins as {.unit = units}. */
struct bn_static_walk {
    const struct bn_unit *unit;
    struct bn_static *const *next; /* null: the first record of the unit */
};

/**
 * The next record of a walk, or null.  Units of one executable share one range of records, which is walked only once,
 * because these units are adjacent in the list.  Safe in a signal handler.
 */
const struct bn_static *bn_static_next(struct bn_static_walk *walk);

/**
 * Gives each object its place: handles hold the offset in the segment afterwards, until bn_statics_place.
 *
 * @param gap_bytes Least distance between objects; 0 unless the memory between objects must be distinguishable from
 * theirs.
 * @errors Reported.  BN_ERR_MISMATCH: definitions of one object do not match.  BN_ERR_LIMIT: more than fits into a
 *         segment; the message names the largest object.
 * @cost   Linear in the number of records.
 */
bn_status_t bn_statics_layout(const struct bn_unit *units, uint64_t gap_bytes, struct bn_static_room *room_p);

/** A hash of the program's static shared objects, their layout and the number of threads that it was compiled for; it
 * distinguishes different programs. */
uint64_t bn_statics_fingerprint(const struct bn_unit *units);

/** Turns the offsets in the handles into addresses in the segment of thread 0. */
void bn_statics_place(const struct bn_unit *units, uint64_t window_base);

/**
 * Sets the initial values of all objects that belong to this thread: the elements of shared objects with affinity to
 * it, and those of its private objects that must be computed.  Called by every thread once, after bn_statics_place and
 * before main; nobody may read a shared object before all have returned.
 *
 * Values beyond the end of an array are ignored, with a warning by thread 0.
 *
 * @cost Linear in the number of initial values.
 */
void bn_statics_initialise(const struct bn_unit *units, int mythread, int threads);

/** The last object that ends before an offset in the segments, with no other object in between, and how far the offset
 * is from its end; null if there is none.  Safe in a signal handler; linear. */
const struct bn_static *bn_statics_find_before(const struct bn_unit *units, uint64_t window_base, uint64_t offset,
                                               uint64_t *bytes_behind_p);

/** The object that lies at an offset in the segments, or null.  Safe in a signal handler; linear. */
const struct bn_static *bn_statics_find(const struct bn_unit *units, uint64_t window_base, uint64_t offset);

#ifdef __cplusplus
}
#endif

#endif
