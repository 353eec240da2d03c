/*
 * objects.h: what is kept about a window or an open file while it exists: a communicator of its members, and for
 * windows the locks.
 *
 * The library's MPI_Win_lock would wait inside for another process that may need this one.  So the locks of a window
 * are taken here first, by polling: each member has a word that counts the holders of its lock, in memory that all
 * members have mapped (direct.h), or else in a separate window.
 */
#ifndef BN_MPI_THREADS_OBJECTS_H
#define BN_MPI_THREADS_OBJECTS_H

#include "threads/direct.h"

struct bn_object {
    const void *kind; /* the kind of handle */
    uint64_t handle;
    MPI_Comm comm;
    struct bn_direct *direct; /* for direct windows; null: others */
    MPI_Win locks;            /* for windows that are not direct */
    unsigned char *held;      /* by rank: how this process holds its lock (windows.c) */
    uint64_t posts;           /* for windows: posts of this process to itself that it has not started; inside */
    void *base;               /* given to MPI_Win_create, or returned by the library's MPI_Win_allocate; null: others */
    bool is_allocated;        /* made by MPI_Win_allocate here, and not by the library's */
    struct bn_object *next;
};

/** MPI_Win_allocate of a direct window, by all members of comm in the turn of order.h.  False on all of them: not
 * possible, and nothing has been made. */
bool bn_objects_allocate(MPI_Aint size_bytes, MPI_Aint unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *window);

/** Called by all members of comm, in the turn of order.h in which they have made the window or file.  base: the memory
 *  that the program gave to MPI_Win_create or got from MPI_Win_allocate; null: made by another call. */
void bn_objects_keep_window(MPI_Win window, MPI_Comm comm, void *base);
void bn_objects_keep_file(MPI_File file, MPI_Comm comm);

/** Called in the turn in which the window or file with that communicator was freed or closed. */
void bn_objects_forget(MPI_Comm comm);

/** Null: the window was made before calls were arbitrated, or is invalid. */
struct bn_object *bn_objects_find_window(MPI_Win window);

/** Its communicator, or MPI_COMM_NULL. */
MPI_Comm bn_objects_of_window(MPI_Win window);
MPI_Comm bn_objects_of_file(MPI_File file);

#endif
