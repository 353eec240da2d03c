/*
 * node.h: what the processes of a machine have together: shared memory at one address in all of them, in which each
 * has a heap that all may free to, and who they are.
 *
 * Processes are counted from 0 on each machine.  They were not forked from one another, so they find each other with
 * the help of the library below (struct bn_talk).  After bn_node_join private memory of all of them has places
 * (transport/kernel.h).
 */
#ifndef BN_MPI_HOST_NODE_H
#define BN_MPI_HOST_NODE_H

#include "coll/team.h"
#include "sync/wait.h"
#include "topology/hierarchy.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How processes talk that have no memory together yet; called by all of them at the same point. */
struct bn_talk {
    void *context;
    void (*tell)(void *context, void *data, size_t size_bytes); /* what process 0 has, to all */
    bool (*all)(void *context, bool mine);                      /* whether it holds for all of them */
};

/**
 * This is process self of those of the machine.  Called once, by all of them; all get the same answer.
 * has_program_heap: blocks of the program's heap will be taken from the memory, too; the same on all.
 *
 * @errors False: there is no such memory, for a reason that *why_p says on the process that knows it, and "" elsewhere;
 *         nothing has changed then.
 */
bool bn_node_join(const struct bn_talk *talk, int self, int count, bool has_program_heap, const char **why_p);

/** How many processes of the machine have joined; 0: bn_node_join has not been called, or has failed. */
int bn_node_process_count(void);

/** How processes of the machine wait for each other, and how many cores they may use, all together. */
struct bn_wait_policy bn_node_wait_policy(void);
int bn_node_core_count(void);

/** How private memory of processes is reached, as all of them say. */
enum bn_reach bn_node_reach(void);

/** Zeroed memory that all processes see, aligned to 64; 0: there is no room.  Any process may release it. */
uint64_t bn_node_alloc(size_t size_bytes);
void bn_node_release(uint64_t address);

/** The same with undefined contents. */
uint64_t bn_node_take(size_t size_bytes);

/** Where all that lies that this process has allocated. */
struct bn_node_range {
    uint64_t begin, size_bytes;
};
struct bn_node_range bn_node_own_heap(void);

/** Where processes are, as a hierarchy of count members; free() releases it.  Null, reported: no memory. */
struct bn_hierarchy *bn_node_hierarchy(const int *processes, int count);

#ifdef __cplusplus
}
#endif

#endif
