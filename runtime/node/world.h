/*
 * world.h: what processes of a machine have together that are no UPC threads: shared memory at one address in all of
 * them, in which each has a heap that all may free to, and who they are.
 *
 * Processes are counted from 0.  They need not be forked from one another, so they find each other with the help of
 * somebody else (struct bn_talk).  After bn_world_join private memory of all of them has places (transport/kernel.h).
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

/* How processes talk that have no memory together yet; called by all of them at the same point. */
struct bn_talk {
    void *context;
    bool (*tell)(void *context, void *data, size_t size_bytes); /* what process 0 has, to all; false: nobody talks any
                                                                 * more, and data are undefined */
    bool (*all)(void *context, bool mine);                      /* whether it holds for all of them */
    /* Hands an open file of process 0 (-1: it has none) to all; returns the own descriptor, or -1.  Null: files are
     * opened by their paths. */
    int (*hand)(void *context, int file);
};

/**
 * This is process self of those of the machine.  Called by all of them; all get the same answer.
 * has_program_heap: large blocks of the program will be taken from the memory, too; the same on all.
 *
 * @errors Null: there is no such memory, for a reason that *why_p says on the process that knows it; nothing has
 *         changed then.
 */
struct bn_world *bn_world_join(const struct bn_talk *talk, int self, int count, bool has_program_heap,
                               const char **why_p);

/** Others may stay: what this process has allocated lasts until the last one has left. */
void bn_world_leave(struct bn_world *world);

/** Whether a process has neither left nor ended; true where the system cannot tell.  @cost A system call */
bool bn_world_is_alive(const struct bn_world *world, int process);

/** How processes of the machine wait for each other, and how many cores they may use, all together. */
struct bn_wait_policy bn_world_wait_policy(const struct bn_world *world);
int bn_world_core_count(const struct bn_world *world);

/** How private memory of processes is reached, as all of them say; and what a thread is to use for it. */
enum bn_reach bn_world_reach(const struct bn_world *world);
struct bn_kernel *bn_world_kernel(const struct bn_world *world);

/** Zeroed memory that all processes see, aligned to 64; 0: there is no room.  Any process may release it. */
uint64_t bn_world_alloc(struct bn_world *world, size_t size_bytes);
void bn_world_release(struct bn_world *world, uint64_t address);

/** The same with undefined contents. */
uint64_t bn_world_take(struct bn_world *world, size_t size_bytes);

/** Where all that lies that this process has allocated. */
struct bn_world_range {
    uint64_t begin, size_bytes;
};
struct bn_world_range bn_world_own_heap(const struct bn_world *world);

/** Whether bytes lie in memory that some process has allocated, so that all see them. */
bool bn_world_has(const struct bn_world *world, uint64_t address, size_t size_bytes);

/** Where all processes of the machine are, each in places[process], and who is near a network adapter, if nobody has
 *  asked for a hierarchy before.  @errors False, reported: the machine cannot be
 *  read. */
bool bn_world_places(struct bn_world *world, struct bn_place *places);

/** Where processes are, as a hierarchy of count members; free() releases it.  Null, reported: no memory. */
struct bn_hierarchy *bn_world_hierarchy(struct bn_world *world, const int *processes, int count);

#ifdef __cplusplus
}
#endif

#endif
