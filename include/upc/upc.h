/* upc.h: the core library of UPC: end of a program, shared memory, pointers-to-shared, locks, block copies. */
#pragma upc upc_code
#ifndef UPC_H
#define UPC_H

#include <stddef.h>
#include <upc_types.h>

#if defined(__UPC_STATIC_THREADS__) && defined(__UPC_DYNAMIC_THREADS__)
#error "THREADS is both static and dynamic; compile with upcc"
#endif

/* Ends all threads at once, without a barrier; all 8 bits of status are the program's exit status. */
void upc_global_exit(int status) __attribute__((__noreturn__));

/* ---- Allocation.  The result is aligned for any type; null if there is no room or the size is zero. ---- */

/* nblocks blocks of nbytes, dealt out to the threads from thread 0 on; one allocation for each caller */
shared void *upc_global_alloc(size_t nblocks, size_t nbytes);

/* The same, collective: one allocation, whose address all threads get */
shared void *upc_all_alloc(size_t nblocks, size_t nbytes);

/* nbytes on the calling thread */
shared void *upc_alloc(size_t nbytes);

/* nblocks * nbytes on the calling thread.  Removed from UPC 1.3: use upc_alloc. */
shared void *upc_local_alloc(size_t nblocks, size_t nbytes);

/* Frees what any of these returned; called by one thread, whichever.  Null is ignored. */
void upc_free(shared void *ptr);

/* The same, collective: the memory is there until all threads have called it */
void upc_all_free(shared void *ptr);

/* ---- Pointers-to-shared ---- */

/* These two are one instruction each; the library has them, too, for programs that take their addresses. */
extern __inline__ __attribute__((gnu_inline, always_inline)) size_t upc_threadof(shared const volatile void *ptr)
{
    return bn_pts_thread(ptr);
}

extern __inline__ __attribute__((gnu_inline, always_inline)) size_t upc_phaseof(shared const volatile void *ptr)
{
    return bn_pts_phase(ptr);
}

size_t upc_addrfield(shared const volatile void *ptr);
shared void *upc_resetphase(shared void *ptr);

/* Bytes with affinity to threadid of an object of totalsize bytes in blocks of nbytes */
size_t upc_affinitysize(size_t totalsize, size_t nbytes, size_t threadid);

/* ---- Locks ---- */

typedef shared struct upc_lock_struct upc_lock_t;

upc_lock_t *upc_global_lock_alloc(void);
upc_lock_t *upc_all_lock_alloc(void);
void upc_lock_free(upc_lock_t *ptr);
void upc_all_lock_free(upc_lock_t *ptr);
void upc_lock(upc_lock_t *ptr);
int upc_lock_attempt(upc_lock_t *ptr);
void upc_unlock(upc_lock_t *ptr);

/* ---- Copies of n bytes that lie on one thread each ---- */

void upc_memcpy(shared void *__restrict__ dst, shared const void *__restrict__ src, size_t n);
void upc_memget(void *__restrict__ dst, shared const void *__restrict__ src, size_t n);
void upc_memput(shared void *__restrict__ dst, const void *__restrict__ src, size_t n);
void upc_memset(shared void *dst, int c, size_t n);

/* ---- Beyond UPC 1.3, as other UPC systems have it ---- */

/* For loops that wait for a store of another thread: lets that thread have the core */
void upc_poll(void);

/* upcc -compat=bupc: Berkeley UPC declares all of its functions here. */
#ifdef __BERKELEY_UPC_RUNTIME__
#include <bupc.h>
#endif

#endif
