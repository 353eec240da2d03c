/*
 * check.h: the run-time checks of upcc -fcheck, as the entry points of the language see them
 * (docs/design/006-run-time-checks.md).
 *
 * bn_check_is_on says whether any unit of the program was compiled with -fcheck.  If so, all threads keep the records
 * that the checks need: which memory is live, which thread waits where, which collective call comes next.  Messages
 * about a call name the place in bn_check_here, which only checked code sets.  If no unit was compiled with -fcheck,
 * each function costs only a test of the flag.
 */
#ifndef BN_UPC_CHECK_CHECK_H
#define BN_UPC_CHECK_CHECK_H

#include "banyan/check.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

extern bool bn_check_is_on; /* set before main */

/** Creates what the checks need, in a program with checked units.  Called before the threads are forked; with
 * -network=shmem by each thread, before the first barrier. @errors Reported. */
bn_status_t bn_check_create(void);

/** Makes the calling thread's private state, bn_context.check; part of bn_check_create.  Called again by POSIX threads
 *  that have a copy of the context of another thread.  @errors BN_ERR_MEMORY, reported. */
bn_status_t bn_check_thread_create(void);

/** Called when a thread has returned from main: checks that no upc_forall was left in a way that its end is unknown. */
void bn_check_forall_done(void);

/** Called at the end of a thread: checks that it has synchronised its transfers and that nobody waits for it
 * elsewhere. */
void bn_check_finish(void);

/* ---- memory.c: which memory is live ---- */

/** Makes the shadow of the window; static data are live from the start.  Called like bn_check_create. @errors
 * Reported. */
bn_status_t bn_check_memory_create(void);

/**
 * Ends the program unless nbytes from p on, on one thread, belong to live objects; `what` is the role of p ("dst").
 * Does nothing if nbytes is 0 or the call comes from unchecked code. @cost Linear in nbytes / 128.
 */
void bn_check_block_slow(const char *function, const char *what, bn_pts_t p, size_t nbytes);
static inline void bn_check_block(const char *function, const char *what, bn_pts_t p, size_t nbytes)
{
    if (__builtin_expect(bn_check_here.file != NULL, 0))
        bn_check_block_slow(function, what, p, nbytes);
}

/** The same for this thread's part of an array that begins on thread 0, nbytes > 0 on each thread. */
void bn_check_part_slow(const char *function, const char *what, bn_pts_t p, size_t nbytes);
static inline void bn_check_part(const char *function, const char *what, bn_pts_t p, size_t nbytes)
{
    if (__builtin_expect(bn_check_here.file != NULL, 0))
        bn_check_part_slow(function, what, p, nbytes);
}

/** Ends the program unless p could point to an object that a function of the library made, such as a "lock". */
void bn_check_made(const char *function, const char *what, bn_pts_t p);

/* ---- heap.c: allocation that records the place of the call, and leaves unused memory around objects ---- */

/** Makes the functions below usable; takes bn_check_heap_bytes of memory per thread.  Called like bn_check_create.
 * @errors Reported. */
bn_status_t bn_check_heap_create(void);
uint64_t bn_check_heap_bytes(void);

/** As bn_heaps_alloc_local of this thread and bn_heaps_alloc_global of nblocks blocks of nbytes; 0 if there is no
 * room. */
uint64_t bn_check_alloc_local(size_t nbytes);
uint64_t bn_check_alloc_global(size_t nblocks, size_t nbytes);

/** Frees memory that one of them returned; it is reused with a delay.  False if they have not returned this address.
 * Ends the program if it was freed before. */
bool bn_check_free(const char *function, uint64_t address);

/** Frees a block of bn_heaps_alloc_local that holds an object of the library; it is reused with a delay. */
void bn_check_free_made(uint64_t address, uint64_t size_bytes);

/* ---- board.c: what each thread is doing, and where ---- */

/** Makes the board, which takes bn_check_board_bytes of memory per thread.  Called like bn_check_create. @errors
 * Reported. */
bn_status_t bn_check_board_create(void);
uint64_t bn_check_board_bytes(void);

/** This thread has reached a barrier; end the program if other threads are elsewhere or gave another value. _cross also
 * waits for the others. */
void bn_check_barrier_notify(const char *statement, bool has_value, int value);
void bn_check_barrier_cross(const char *statement, bool has_value, int value);

/** This thread is about to wait for the others at the barrier that it has reached; ends the program if no thread can
 * continue. */
void bn_check_barrier_wait(const char *statement);

/** This thread waits for a lock until bn_check_resume, or for units of a semaphore, which the call takes. */
struct bn_lock;
void bn_check_lock_wait(const char *function, const struct bn_lock *lock);
struct bn_semaphore;
void bn_check_semaphore_wait(const char *function, struct bn_semaphore *semaphore, uint32_t units);
void bn_check_resume(void);

/** A thread that waits for the lock; -1 if there is none. */
int bn_check_lock_waiter(const struct bn_lock *lock);

/**
 * This thread has reached a collective call: waits for all threads, and ends the program if they call another function
 * or pass other arguments.  The arguments are those of the last bn_check_arguments, if any; names are separated by
 * blanks.
 */
void bn_check_collective(const char *function);
void bn_check_arguments_slow(const char *names, int count, const uint64_t *arguments);
#define bn_check_arguments(names, ...)                                                                                 \
    do {                                                                                                               \
        if (__builtin_expect(bn_check_is_on, 0)) {                                                                     \
            const uint64_t bn_arguments[] = {__VA_ARGS__};                                                             \
            bn_check_arguments_slow(names, (int)(sizeof bn_arguments / sizeof *bn_arguments), bn_arguments);           \
        }                                                                                                              \
    } while (0)

/** This thread is about to end. */
void bn_check_end(void);

/* ---- handle.c: transfers ---- */

/** What is said of a value that is not one; the value follows. */
#define BN_NO_HANDLE "%p is not the handle of a transfer; pass what the call that started the transfer returned"

/** bn_check_handle_begin makes a handle for a transfer that this call starts, which the layer below identifies by a
 * number. bn_check_handle_end returns that number, and ends the program if the handle is invalid or was already
 * synchronised. */
void *bn_check_handle_begin(const char *function, uint64_t transfer);
uint64_t bn_check_handle_end(const char *function, const void *handle);

/** Ends the program if a transfer was not synchronised. */
void bn_check_handles_done(void);

#ifdef __cplusplus
}
#endif

#endif
