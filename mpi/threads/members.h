/*
 * members.h: what is kept of a window or an open file, from when it is made to its end: a communicator of its members,
 * and of windows the locks.
 *
 * MPI_Win_lock waits inside for another process that may need this one, so a window's locks are taken here first, by
 * tries: a word of each member counts who has them, in memory that all members have mapped (direct.h), or else in a
 * window of its own.
 */
#ifndef BN_MPI_THREADS_MEMBERS_H
#define BN_MPI_THREADS_MEMBERS_H

#include "threads/direct.h"

struct bn_members {
    const void *kind; /* of handle */
    uint64_t handle;
    MPI_Comm comm;
    struct bn_direct *direct; /* of windows in which threads transfer by themselves; null: the library's */
    MPI_Win locks;            /* of windows that are the library's */
    unsigned char *held;      /* by rank: what this process has of its lock, as windows.c says */
    uint64_t posts;           /* of windows, of this process to itself, that it has not started; inside */
    bool is_allocated;        /* MPI_Win_allocate made it, though not the library's */
    struct bn_members *next;
};

/** MPI_Win_allocate, by all members of comm in the turn of order.h, of a window in which threads transfer by
 * themselves. False at all of them: there can be none such, and nothing has been made. */
bool bn_members_allocate(MPI_Aint size_bytes, MPI_Aint unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *window);

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
