/*
 * tally.h: what every count of operations consists of: of profiles of UPC programs (book.h), and of reports of MPI
 * programs (mpi/host/ledger.h).
 */
#ifndef BN_PROFILE_TALLY_H
#define BN_PROFILE_TALLY_H

#include <stdint.h>

struct bn_tally {
    uint64_t calls;
    uint64_t bytes;
    uint64_t timed_calls; /* the others were not timed */
    uint64_t time;        /* of timed calls, in ticks or ns of whoever keeps it */
};

static inline void bn_tally_add(struct bn_tally *tally, const struct bn_tally *other)
{
    tally->calls += other->calls;
    tally->bytes += other->bytes;
    tally->timed_calls += other->timed_calls;
    tally->time += other->time;
}

/** Time of all calls, if those that were not timed took as long as the others on average. */
static inline double bn_tally_time(const struct bn_tally *tally)
{
    if (tally->timed_calls == 0)
        return 0;
    return (double)tally->time * ((double)tally->calls / (double)tally->timed_calls);
}

#endif
