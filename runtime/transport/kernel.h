/*
 * kernel.h: private memory of the processes of a node, reached through the kernel, or with the help of its owner.
 *
 * Memory of process p at an address has the place bn_kernel_bits(p) | address (docs/design/011-reach.md).  After
 * bn_kernel_join platform/copy.h's functions move data from and to such places: by the kernel, where that lets them,
 * and otherwise by the owner, which copies pieces into shared memory, or out of it, when it waits the next time.  So a
 * copy may wait for its owner, which must be on its way to a wait: a member of the same collective is.
 *
 * Whether the kernel lets them is found out at the first copy from each process, and given up for good when it refuses
 * later.
 *
 * Threads of a process may copy at the same time, and do what others ask; with the owner's help one copies at a time.
 */
#ifndef BN_TRANSPORT_KERNEL_H
#define BN_TRANSPORT_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { BN_KERNEL_ADDRESS_BITS = 48, BN_KERNEL_PROCESSES = 65534 };

static inline uint64_t bn_kernel_bits(int process)
{
    return (uint64_t)(process + 1) << BN_KERNEL_ADDRESS_BITS;
}

/** Bytes of zeroed shared memory that processes 0 .. count - 1 need together; aligned to pages. */
size_t bn_kernel_shared_bytes(int count);

/**
 * This process is number self of those that share the memory.  Sets bn_far for the rest of the process's life; the
 * caller sets bn_wait_progress (sync/wait.h) to bn_kernel_progress.  A barrier of all must come between this and the
 * first copy.
 *
 * @errors False: no memory; nothing has changed for this process then.
 */
bool bn_kernel_join(void *shared, int self, int count);

/*
 * The same for processes that belong to several such memories, one for each team: a thread that calls an operation of a
 * team uses its memory until it uses another one, or none (null), and that of bn_kernel_use_everywhere then.
 */
struct bn_kernel;

/** As bn_kernel_join; null: no memory.  bn_kernel_close when no thread uses it, and no other process asks any more. */
struct bn_kernel *bn_kernel_open(void *shared, int self, int count);
void bn_kernel_close(struct bn_kernel *kernel);
void bn_kernel_use(struct bn_kernel *kernel);
void bn_kernel_use_everywhere(struct bn_kernel *kernel);

/** What is called, in place of bn_kernel_progress, between looks of a thread that has asked an owner: it is to call
 * that, and may leave the copy for good (longjmp), which ends the use of the memory.  Null: nothing. */
extern void (*bn_kernel_while_asking)(void);

/** Does what others ask of this process.  Called by whoever waits (sync/wait.h).  @cost A load if nobody asks. */
void bn_kernel_progress(void);

/** Where this process says on which word it sleeps: for bn_wait_bed (sync/wait.h).  Who asks wakes it; the word must
 * lie at the same address in all processes. */
uint64_t *bn_kernel_bed(void);

enum bn_kernel_reach {
    BN_KERNEL_BY_OWNER, /* with the help of the process */
    BN_KERNEL_BY_CMA,
};

/** How memory of a process is reached from here; tries it if that is not known yet.  *error_p: with which number the
 * system refused, 0 if it did not, -1 if it reached another process, as in another pid namespace. */
enum bn_kernel_reach bn_kernel_reach_of(int process, int *error_p);

#ifdef __cplusplus
}
#endif

#endif
