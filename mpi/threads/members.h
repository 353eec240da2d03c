/*
 * members.h: what is kept of a window or an open file, from when it is made to its end: a communicator of its members,
 * and of windows the locks.
 *
 * MPI_Win_lock waits inside for another process that may need this one, so a window's locks are taken here first, by
 * tries: a word of each member, in a window of its own, counts who has them.
 */
#ifndef BN_MPI_THREADS_MEMBERS_H
#define BN_MPI_THREADS_MEMBERS_H

#include "threads/library.h"

struct bn_members {
    const void *kind; /* of handle */
    uint64_t handle;
    MPI_Comm comm;
    MPI_Win locks;       /* of windows */
    unsigned char *held; /* by rank: what this process has of its lock, as windows.c says */
    struct bn_members *next;
};

/** Made by all members of comm, in the turn of order.h in which they have made the window or file. */
void bn_members_keep_window(MPI_Win window, MPI_Comm comm);
void bn_members_keep_file(MPI_File file, MPI_Comm comm);

/** In the turn in which the window or file of that communicator has come to its end. */
void bn_members_forget(MPI_Comm comm);

/** Null: what was made before calls were arbitrated, or is none. */
struct bn_members *bn_members_find_window(MPI_Win window);

/** The communicator, or the null one. */
MPI_Comm bn_members_of_window(MPI_Win window);
MPI_Comm bn_members_of_file(MPI_File file);

#endif
