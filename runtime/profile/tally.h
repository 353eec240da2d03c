/*
 * tally.h: the common part of all counts of operations: of profiles of UPC programs (book.h), and of reports of MPI
 * programs (mpi/host/ledger.h).
 */
#ifndef BN_PROFILE_TALLY_H
#define BN_PROFILE_TALLY_H

#include <stdint.h>

struct bn_tally {
    uint64_t calls;
    uint64_t bytes;
    uint64_t timed_calls; /* the others were not timed */
    uint64_t time;        /* time of timed calls, in ticks or ns, as the owner of the tally uses */
};

static inline void bn_tally_add(struct bn_tally *tally, const struct bn_tally *other)
{
    tally->calls += other->calls;
    tally->bytes += other->bytes;
    tally->timed_calls += other->timed_calls;
    tally->time += other->time;
}

/** Estimated time of all calls, assuming that untimed calls took as long as timed ones on average. */
static inline double bn_tally_time(const struct bn_tally *tally)
{
    if (tally->timed_calls == 0)
        return 0;
    return (double)tally->time * ((double)tally->calls / (double)tally->timed_calls);
}

#endif
