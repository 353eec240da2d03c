/*
 * letters.h: messages between processes of MPI_COMM_WORLD about a communicator, identified by its name (names.h).  A
 * letter is matched by sender, name and tag, so it does not get mixed up with those of other threads with the same tag.
 */
#ifndef BN_MPI_THREADS_LETTERS_H
#define BN_MPI_THREADS_LETTERS_H

#include "threads/library.h"

/* What a letter is about */
struct bn_subject {
    uint64_t name; /* of a communicator */
    uint64_t tag;
};

/** Sends a letter.  Inside, but other threads may come in meanwhile, as in order.h.  False: MPI has failed. */
bool bn_letters_send(const struct bn_subject *about, int to, uint64_t number);

/** Receives the next letter on a subject from a process.  Otherwise as bn_letters_send. */
bool bn_letters_receive(const struct bn_subject *about, int from, uint64_t *number);

/** The ranks of a group's members in MPI_COMM_WORLD; false: some are not in it, or there is no memory.  Inside. */
bool bn_letters_ranks(MPI_Group group, int count, int *ranks);

/** The maximum of the numbers of these ranks, each of which must call this; the first one asks all others. */
bool bn_letters_agree(const struct bn_subject *about, const int *ranks, int count, uint64_t *number);

#endif
