/*
 * world.h: what the processes of a machine that are not UPC threads share: memory mapped at one address in all of them,
 * in which each has a heap that all may free to, and information about each process.
 *
 * Processes are numbered from 0.  They need not be forked from one another, so they find each other through functions
 * of the caller (struct bn_talk).  After bn_world_join, private memory of all of them has places (transport/kernel.h).
 * A process may be in several worlds.
 */
#ifndef BN_NODE_WORLD_H
#define BN_NODE_WORLD_H

#include "coll/team.h"
#include "sync/wait.h"
#include "topology/hierarchy.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct bn_world;
struct bn_kernel;

/* How processes communicate before they have shared memory; called by all of them at the same point. */
struct bn_talk {
    void *context;
    bool (*tell)(void *context, void *data, size_t size_bytes); /* broadcasts data of process 0; false: communication
                                                                 * has failed, and data are undefined */
    bool (*all)(void *context, bool mine);                      /* whether `mine` is true on all */
    /* Passes an open file of process 0 (-1: it has none) to all; returns this process's descriptor, or -1.  If null,
     * files are opened by their paths. */
    int (*hand)(void *context, int file);
};

/**
 * Joins as process `self` of `count`.  Called by all of them, with the same result on all. has_program_heap: large
 * blocks of the program will be allocated from this memory, too; the same on all.
 *
 * @errors Returns null if there is no such memory; *why_p gives the reason on the process that knows it, and nothing
 * has changed.
 */
struct bn_world *bn_world_join(const struct bn_talk *talk, int self, int count, bool has_program_heap,
                               const char **why_p);

/** Others may stay: memory that this process has allocated lasts until the last one has left. */
void bn_world_leave(struct bn_world *world);

/** Whether a process has neither left nor ended; true if the system cannot tell.  @cost A system call */
bool bn_world_is_alive(const struct bn_world *world, int process);

/** The waiting policy of the processes of the machine, and the number of cores that they may use in total. */
struct bn_wait_policy bn_world_wait_policy(const struct bn_world *world);
int bn_world_core_count(const struct bn_world *world);

/** How private memory of other processes is reached, as agreed by all; and the object that a thread uses for it. */
enum bn_reach bn_world_reach(const struct bn_world *world);
struct bn_kernel *bn_world_kernel(const struct bn_world *world);

/** Allocates zeroed memory that all processes see, aligned to 64 bytes; returns 0 if there is no room.  Any process may
 * release it. */
uint64_t bn_world_alloc(struct bn_world *world, size_t size_bytes);
void bn_world_release(struct bn_world *world, uint64_t address);

/** The same with undefined contents. */
uint64_t bn_world_take(struct bn_world *world, size_t size_bytes);

/** The range of this process's own heap, and where that lies in the file that all processes map. */
struct bn_world_range {
    uint64_t begin, size_bytes, offset_bytes;
    int file;
};
struct bn_world_range bn_world_own_heap(const struct bn_world *world);

/** Whether bytes lie in the heap of some process, so that all see them. */
bool bn_world_has(const struct bn_world *world, uint64_t address, size_t size_bytes);

/** Stores the place of each process of the machine in places[process], including whether it is near a network adapter
 * unless a hierarchy was requested before. @errors Returns false, reported, if the machine cannot be read. */
bool bn_world_places(struct bn_world *world, struct bn_place *places);

/** The places of processes as a hierarchy of count members; free() releases it.  Null, reported, if there is no
 * memory. */
struct bn_hierarchy *bn_world_hierarchy(struct bn_world *world, const int *processes, int count);

#ifdef __cplusplus
}
#endif

#endif
