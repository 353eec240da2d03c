/*
 * upc.h: the core library of UPC: end of a program, shared memory, pointers-to-shared, locks, block copies (UPC 1.3,
 * Language Specification, UPC utilities).
 *
 * A function is collective if its name begins with upc_all_: all threads call it, in the same order as other
 * collective functions, with the same arguments, and none of them between upc_notify and upc_wait.  All others are for
 * any thread at any time.  Misuse that the runtime notices ends the program, with a message that names thread and
 * function.
 */
#pragma upc upc_code
#ifndef UPC_H
#define UPC_H

#include <stddef.h>
#include <upc_types.h>

#if defined(__UPC_STATIC_THREADS__) && defined(__UPC_DYNAMIC_THREADS__)
#error "THREADS is both static and dynamic; compile with upcc"
#endif

/* Ends all threads at once, without a barrier: standard I/O of the caller is flushed, functions of atexit are not
 * called. The lower 8 bits of status are the program's exit status; of several threads that call it the first
 * decides. */
void upc_global_exit(int status) __attribute__((__noreturn__));

/*
 * ---- Allocation ----
 *
 * Sizes are in bytes.  The result is aligned to 16 bytes, has phase 0, and is null if the size is zero, cannot be
 * counted, or there is no room; contents are unspecified.  Memory lives until it is freed, or to the end of the
 * program, also when the thread that allocated it has ended.
 */

/* nblocks blocks of nbytes, dealt out to the threads from thread 0 on: block k is on thread k % THREADS, and each
 * thread gives ceil(nblocks / THREADS) * nbytes.  Each caller gets memory of its own.  Cost: a lock that all threads
 * share. */
shared void *upc_global_alloc(size_t __nblocks, size_t __nbytes);

/* The same, collective: one allocation, whose address all threads get.  No barrier: the memory can be used by a
 * thread as soon as the call has returned there. */
shared void *upc_all_alloc(size_t __nblocks, size_t __nbytes);

/* nbytes on the calling thread, in one piece.  Cost: at most twice malloc; no lock. */
shared void *upc_alloc(size_t __nbytes);

/* nblocks * nbytes on the calling thread.  Removed from UPC 1.3: use upc_alloc. */
shared void *upc_local_alloc(size_t __nblocks, size_t __nbytes);

/* Frees what any of these returned; called once, by one thread, whichever.  Null is ignored, and so are phase and
 * block size of the pointer.  Ends the program if ptr is no such pointer or was freed before. */
void upc_free(shared void *__ptr);

/* The same, collective: the memory is there until all threads have called it.  No barrier, no fence. */
void upc_all_free(shared void *__ptr);

/*
 * ---- Pointers-to-shared ----
 *
 * Of a null pointer thread, phase and address field are 0.  Pointers to const and volatile objects are accepted, which
 * the specification leaves open.
 */

/* Thread and phase; one instruction each.  The library has them, too, for programs that take their addresses. */
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

/* The place within the thread's shared memory, in bytes: it differs between two elements of an array on one thread as
 * their local addresses do, and is the same for elements that correspond on different threads. */
size_t upc_addrfield(shared const volatile void *__ptr);

/* The same pointer with phase 0 */
shared void *upc_resetphase(shared void *__ptr);

/* Bytes with affinity to threadid of an object of totalsize bytes in blocks of nbytes (0: all on thread 0) */
size_t upc_affinitysize(size_t __totalsize, size_t __nbytes, size_t __threadid);

/*
 * ---- Locks ----
 *
 * First come, first served.  Taking and giving back order the accesses to shared memory before and after, as strict
 * accesses do.  The type is incomplete: only pointers to it can be had, and compared for equality.
 */
typedef shared struct upc_lock_struct upc_lock_t;

/* A lock that nobody holds: one for each caller, or, collective, one for all threads.  Null if there is no memory. */
upc_lock_t *upc_global_lock_alloc(void);
upc_lock_t *upc_all_lock_alloc(void);

/* Free a lock of either kind, held or not, for which nobody waits: by one thread, or, collective, when all threads have
 * called it.  Null is ignored. */
void upc_lock_free(upc_lock_t *__ptr);
void upc_all_lock_free(upc_lock_t *__ptr);

/* Waits until the caller holds the lock.  The caller must not hold it already. */
void upc_lock(upc_lock_t *__ptr);

/* Takes the lock if that is possible at once: 1 if so, else 0.  The caller must not hold it already. */
int upc_lock_attempt(upc_lock_t *__ptr);

/* Gives the lock back; for its holder only. */
void upc_unlock(upc_lock_t *__ptr);

/*
 * ---- Copies of n bytes that lie on one thread each ----
 *
 * n bytes from where each pointer points on, in the memory of that one thread: phase and block size do not count, and a
 * copy never goes on with another thread's block.  The two places do not overlap.  Relaxed; complete for the caller on
 * return, so that the source may be written and own reads see the new bytes.  n may be 0.
 */

/* Shared to shared, shared to private, private to shared; and n times the byte (unsigned char)c */
void upc_memcpy(shared void *__restrict__ __dst, shared const void *__restrict__ __src, size_t __n);
void upc_memget(void *__restrict__ __dst, shared const void *__restrict__ __src, size_t __n);
void upc_memput(shared void *__restrict__ __dst, const void *__restrict__ __src, size_t __n);
void upc_memset(shared void *__dst, int __c, size_t __n);

/* ---- Beyond UPC 1.3, as other UPC systems have it ---- */

/* For loops that wait for a store of another thread: lets that thread have the core */
void upc_poll(void);

/* What Berkeley UPC has beyond the specification, as far as a program uses it */
#include <bupc.h>

#endif

/* Where BUPC_USE_UPC_NAMESPACE was defined after the first inclusion */
#ifdef BUPC_NAMESPACE_H
#include <bupc_namespace.h>
#endif
