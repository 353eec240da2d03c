/*
 * upc.h: the core library of UPC: program termination, shared memory, pointers-to-shared, locks, block copies (UPC 1.3,
 * Language Specification, UPC utilities).
 *
 * A function is collective if its name begins with upc_all_: all threads call it, in the same order as other
 * collective functions, with the same arguments, and none of them between upc_notify and upc_wait.  All other functions
 * may be called by any thread at any time.  Misuse that the runtime detects ends the program with a message that names
 * the thread and the function.
 */
#pragma upc upc_code
#ifndef UPC_H
#define UPC_H

#include <stddef.h>
#include <upc_types.h>

#if defined(__UPC_STATIC_THREADS__) && defined(__UPC_DYNAMIC_THREADS__)
#error "THREADS is both static and dynamic; compile with upcc"
#endif

/* Ends all threads immediately, without a barrier: the caller's standard I/O is flushed, atexit functions are not
 * called.  The lower 8 bits of status are the program's exit status; if several threads call it, the first one
 * decides. */
void upc_global_exit(int status) __attribute__((__noreturn__));

/*
 * ---- Allocation ----
 *
 * Sizes are in bytes.  The result is aligned to 16 bytes and has phase 0.  It is null if the size is zero or overflows,
 * or if there is no memory left.  The contents are unspecified.  Memory lives until it is freed or the program ends,
 * even if the thread that allocated it has ended.
 */

/* Allocates nblocks blocks of nbytes, dealt out to the threads in turn: block k is on thread k % THREADS, and each
 * thread contributes ceil(nblocks / THREADS) * nbytes.  Each caller gets its own memory.  Cost: a lock that all threads
 * share. */
shared void *upc_global_alloc(size_t __nblocks, size_t __nbytes);

/* The same, but collective: one allocation, whose address all threads get.  There is no barrier: a thread can use the
 * memory as soon as its own call has returned. */
shared void *upc_all_alloc(size_t __nblocks, size_t __nbytes);

/* Allocates nbytes on the calling thread, in one piece.  Cost: at most twice that of malloc; no lock. */
shared void *upc_alloc(size_t __nbytes);

/* Allocates nblocks * nbytes on the calling thread.  UPC 1.3 has removed it: use upc_alloc. */
shared void *upc_local_alloc(size_t __nblocks, size_t __nbytes);

/* Frees memory that any of these functions returned.  Any one thread calls it, once.  Null is ignored, and so are the
 * pointer's phase and block size.  Ends the program if ptr was not returned by one of these functions or was freed
 * before. */
void upc_free(shared void *__ptr);

/* The same, but collective: the memory stays valid until all threads have called it.  No barrier, no fence. */
void upc_all_free(shared void *__ptr);

/*
 * ---- Pointers-to-shared ----
 *
 * A null pointer has thread, phase and address field 0.  Pointers to const and volatile objects are accepted; the
 * specification leaves that open.
 */

/* The thread and the phase; one instruction each.  The library also contains them, for programs that take their
 * addresses. */
extern __inline__ __attribute__((__gnu_inline__, __always_inline__)) size_t
upc_threadof(shared const volatile void *__ptr)
{
    return bn_pts_thread(__ptr);
}

extern __inline__ __attribute__((__gnu_inline__, __always_inline__)) size_t
upc_phaseof(shared const volatile void *__ptr)
{
    return bn_pts_phase(__ptr);
}

/* The offset within the thread's shared memory, in bytes.  For two elements of an array on one thread it differs by as
 * much as their local addresses; corresponding elements on different threads have the same one. */
size_t upc_addrfield(shared const volatile void *__ptr);

/* The same pointer with phase 0 */
shared void *upc_resetphase(shared void *__ptr);

/* The number of bytes with affinity to threadid, of an object of totalsize bytes in blocks of nbytes (0: all on thread
 * 0) */
size_t upc_affinitysize(size_t __totalsize, size_t __nbytes, size_t __threadid);

/*
 * ---- Locks ----
 *
 * Threads get a lock roughly in the order in which they request it.  Taking and releasing it orders the shared accesses
 * before and after, as strict accesses do.  The type is incomplete: programs use only pointers to it, which can be
 * compared for equality.
 */
typedef shared struct upc_lock_struct upc_lock_t;

/* Return a free lock: the first a separate lock for each caller, the second (collective) one lock for all threads.
 * Null if there is no memory. */
upc_lock_t *upc_global_lock_alloc(void);
upc_lock_t *upc_all_lock_alloc(void);

/* Free a lock of either kind, held or not, that no thread waits for: the first immediately, called by one thread; the
 * second (collective) when all threads have called it.  Null is ignored. */
void upc_lock_free(upc_lock_t *__ptr);
void upc_all_lock_free(upc_lock_t *__ptr);

/* Waits until the caller holds the lock.  The caller must not hold it already. */
void upc_lock(upc_lock_t *__ptr);

/* Takes the lock and returns 1 if that is possible without waiting; returns 0 otherwise.  The caller must not hold it
 * already. */
int upc_lock_attempt(upc_lock_t *__ptr);

/* Releases the lock.  Only its holder may call it. */
void upc_unlock(upc_lock_t *__ptr);

/*
 * ---- Copies of n bytes, with source and destination on one thread each ----
 *
 * They copy n bytes starting where each pointer points, in the memory of that one thread: phase and block size do not
 * matter, and a copy never continues in another thread's block.  Source and destination must not overlap.  The copies
 * are relaxed, and complete for the caller on return: it may write to the source, and its own reads see the new bytes.
 * n may be 0.
 */

/* Shared to shared, shared to private, private to shared; the last sets n bytes to (unsigned char)c */
void upc_memcpy(shared void *__restrict__ __dst, shared const void *__restrict__ __src, size_t __n);
void upc_memget(void *__restrict__ __dst, shared const void *__restrict__ __src, size_t __n);
void upc_memput(shared void *__restrict__ __dst, const void *__restrict__ __src, size_t __n);
void upc_memset(shared void *__dst, int __c, size_t __n);

/* ---- Beyond UPC 1.3, as in other UPC systems ---- */

/* For loops that wait for a store of another thread: gives that thread a chance to run on this core */
void upc_poll(void);

/* Berkeley UPC's additions to the specification, as far as a program uses them */
#include <bupc.h>

#endif

/* For BUPC_USE_UPC_NAMESPACE defined after the first inclusion */
#ifdef BUPC_NAMESPACE_H
#include <bupc_namespace.h>
#endif
