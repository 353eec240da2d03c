/*
 * kernel.h: access to private memory of other processes of a node, through the kernel or with the help of its owner.
 *
 * Memory of process p at an address has the place bn_kernel_bits(p) | address (docs/design/011-reach.md).  After
 * bn_kernel_join, the functions of platform/copy.h move data from and to such places: through the kernel if it permits
 * this, otherwise through the owner, which copies pieces into or out of shared memory the next time it waits.  So a
 * copy may wait for the owner, which must be about to wait itself, as a member of the same collective is.
 *
 * Whether the kernel permits it is determined at the first copy from each process; if the kernel refuses later, it is
 * never tried again.
 *
 * Threads of a process may copy, and serve requests of others, at the same time; but only one at a time may copy with
 * an owner's help.
 */
#ifndef BN_TRANSPORT_KERNEL_H
#define BN_TRANSPORT_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { BN_KERNEL_ADDRESS_BITS = 48 };

static inline uint64_t bn_kernel_bits(int process)
{
    return (uint64_t)(process + 1) << BN_KERNEL_ADDRESS_BITS;
}

/** Bytes of zeroed, page-aligned shared memory that processes 0 .. count - 1 need together. */
size_t bn_kernel_shared_bytes(int count);

/**
 * Joins as process number `self` of those that share the memory.  Sets bn_far for the rest of the process's life; the
 * caller sets bn_wait_progress (sync/wait.h) to bn_kernel_progress.  A barrier of all processes must separate this from
 * the first copy.
 *
 * @errors Returns false if there is no memory; nothing has then changed for this process.
 */
bool bn_kernel_join(void *shared, int self, int count);

/*
 * The same for processes that use several such memories, one for each team.  A thread in an operation of a team uses
 * the memory set by bn_kernel_use until it sets another one; after it sets null, it uses that of
 * bn_kernel_use_everywhere.
 */
struct bn_kernel;

/** Like bn_kernel_join; returns null if there is no memory.  Call bn_kernel_close when no thread uses it and no other
 * process sends requests any more. */
struct bn_kernel *bn_kernel_open(void *shared, int self, int count);
void bn_kernel_close(struct bn_kernel *kernel);
void bn_kernel_use(struct bn_kernel *kernel);
void bn_kernel_use_everywhere(struct bn_kernel *kernel);

/** Called instead of bn_kernel_progress between polls of a thread that waits for an owner.  It must call
 * bn_kernel_progress itself, and may abandon the copy (longjmp), after which the memory must not be used any more.  May
 * be null. */
extern void (*bn_kernel_while_asking)(void);

/** Serves requests of other processes.  Called by waiting threads (sync/wait.h). @cost A load if there are no
 * requests. */
void bn_kernel_progress(void);

/** Where this process stores the address of the word it sleeps on, for bn_wait_bed (sync/wait.h).  Requesters wake it
 * through that word, which must lie at the same address in all processes. */
uint64_t *bn_kernel_bed(void);

enum bn_kernel_reach {
    BN_KERNEL_BY_OWNER, /* with the help of the owning process */
    BN_KERNEL_BY_CMA,
};

/** How memory of a process is reached from here; tries it if not known yet.  *error_p: the errno with which the system
 * refused, 0 if it did not, -1 if the pid denotes another process, as in another pid namespace. */
enum bn_kernel_reach bn_kernel_reach_of(int process, int *error_p);

#ifdef __cplusplus
}
#endif

#endif
