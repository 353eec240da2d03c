/* difference.h: describes in words how the calls of two members of a team differ that should match. */
#ifndef BN_NODE_DIFFERENCE_H
#define BN_NODE_DIFFERENCE_H

#include "coll/team.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { BN_DIFFERENCE_BYTES = 160 }; /* room for such a description */

/** Whether two calls of one operation differ in how a vector of the same length is divided among members. */
bool bn_said_counts_differ(const struct bn_said *theirs, const struct bn_said *own);

/** The name by which programs know the operation: "broadcast", ... */
const char *bn_call_name(const struct bn_said *said);

/** "rank 1 calls allreduce with 160 bytes, and rank 0 with 16 bytes".  theirs and own belong to the same call. */
void bn_describe_difference(char *text, int rank, const struct bn_said *theirs, int own_rank,
                            const struct bn_said *own);

#ifdef __cplusplus
}
#endif

#endif
