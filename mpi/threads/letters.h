/*
 * letters.h: messages between processes of MPI_COMM_WORLD about a communicator that is known by its name (names.h): one
 * of a sender, a name and a tag reaches who asks for these, whatever other threads say to each other with the same tag.
 */
#ifndef BN_MPI_THREADS_LETTERS_H
#define BN_MPI_THREADS_LETTERS_H

#include "threads/library.h"

/* What a letter is about */
struct bn_subject {
    uint64_t name; /* of a communicator */
    uint64_t tag;
};

/** Inside, and between others that come in, as in order.h; false: MPI has failed. */
bool bn_letters_send(const struct bn_subject *about, int to, uint64_t number);

/** The next one about that from that process. */
bool bn_letters_receive(const struct bn_subject *about, int from, uint64_t *number);

/** Members' ranks in MPI_COMM_WORLD; false: they are not all there, or there is no memory.  Inside. */
bool bn_letters_ranks(MPI_Group group, int count, int *ranks);

/** The largest number of all of those ranks, each of which calls this; the first one asks all others. */
bool bn_letters_agree(const struct bn_subject *about, const int *ranks, int count, uint64_t *number);

#endif
