#include "node/difference.h"

#include "coll/operation.h"

#include <stdio.h>

/* Calls that were announced outside the team carry no counts (0). */
bool bn_said_counts_differ(const struct bn_said *theirs, const struct bn_said *own)
{
    return bn_said_operation(own) == BN_COMBINE_SCATTER && theirs->nbytes == own->nbytes && bn_said_root(theirs) != 0 &&
           bn_said_root(own) != 0 && bn_said_root(theirs) != bn_said_root(own);
}

const char *bn_call_name(const struct bn_said *said)
{
    static const char *const names[BN_OPERATION_COUNT] = {
        [BN_BROADCAST] = "broadcast",  [BN_SCATTER] = "scatter",         [BN_GATHER] = "gather",
        [BN_GATHER_ALL] = "allgather", [BN_EXCHANGE] = "alltoall",       [BN_SCATTER_V] = "scatterv",
        [BN_GATHER_V] = "gatherv",     [BN_GATHER_ALL_V] = "allgatherv", [BN_EXCHANGE_V] = "alltoallv",
        [BN_COMBINE] = "reduce",       [BN_COMBINE_ALL] = "allreduce",   [BN_COMBINE_SCATTER] = "reduce_scatter",
        [BN_COMBINE_PREFIX] = "scan",
    };
    const char *name = names[bn_said_operation(said)];
    return name ? name : bn_operation_name((enum bn_operation)bn_said_operation(said));
}

void bn_describe_difference(char *text, int rank, const struct bn_said *theirs, int own_rank, const struct bn_said *own)
{
    if (bn_said_operation(theirs) != bn_said_operation(own))
        snprintf(text, BN_DIFFERENCE_BYTES, "rank %d calls %s, and rank %d %s", rank, bn_call_name(theirs), own_rank,
                 bn_call_name(own));
    else if (bn_said_counts_differ(theirs, own))
        snprintf(text, BN_DIFFERENCE_BYTES, "rank %d calls %s with other counts than rank %d", rank, bn_call_name(own),
                 own_rank);
    else if (bn_said_operation(own) != BN_COMBINE_SCATTER && bn_said_root(theirs) != bn_said_root(own))
        snprintf(text, BN_DIFFERENCE_BYTES, "rank %d calls %s with root %d, and rank %d with root %d", rank,
                 bn_call_name(own), bn_said_root(theirs), own_rank, bn_said_root(own));
    else if (theirs->nbytes == own->nbytes)
        snprintf(text, BN_DIFFERENCE_BYTES, "rank %d calls %s as rank %d does, but has made other calls before", rank,
                 bn_call_name(own), own_rank);
    else
        snprintf(text, BN_DIFFERENCE_BYTES, "rank %d calls %s with %llu bytes, and rank %d with %llu bytes", rank,
                 bn_call_name(own), (unsigned long long)theirs->nbytes, own_rank, (unsigned long long)own->nbytes);
}
