/*
 * bupc.h: what Berkeley UPC declares in <upc.h> beyond the language specification; <upc.h> includes it.
 *
 * Here and in the headers included below, declarations between "#pragma banyan offer" and "#pragma banyan end" are
 * offered: upcc drops those that a unit does not use, and those whose names the unit gives to a function, variable or
 * type of its own.  The functions and types also have names that begin with upc_ (bupc_namespace.h).
 */
#pragma upc upc_code
#ifndef BUPC_H
#define BUPC_H

#include <stddef.h>
#include <upc.h>

#include <bupc_atomic.h>
#include <bupc_copy.h>
#include <bupc_reduce.h>
#include <bupc_sem.h>
#include <pupc.h>

/* ---- Time; new programs use <upc_tick.h> ---- */

#define BUPC_TICK_MIN ((bupc_tick_t)0)
#define BUPC_TICK_MAX __UINT64_MAX__

#pragma banyan offer
typedef __UINT64_TYPE__ bupc_tick_t;

bupc_tick_t bupc_ticks_now(void);

/* Convert an interval between two readings of the calling thread */
__UINT64_TYPE__ bupc_ticks_to_us(bupc_tick_t __ticks);
__UINT64_TYPE__ bupc_ticks_to_ns(bupc_tick_t __ticks);

/* The smallest difference between two readings, and the time that a reading takes, in microseconds.  Each call measures
 * for about 20 microseconds. */
double bupc_tick_granularityus(void);
double bupc_tick_overheadus(void);
double bupc_ticks_granularityus(void);
double bupc_ticks_overheadus(void);

/* For loops that wait for a store of another thread: gives that thread a chance to run on this core */
void bupc_poll(void);

/* ---- Pointers ---- */

/* Whether bupc_cast returns a pointer: for one object, and for all objects of a thread.  Always true on one machine,
 * and false for threads of other machines. */
int bupc_castable(shared const void *__p);
int bupc_thread_castable(unsigned int __owner);

/* Returns a pointer through which the caller reaches the object directly */
void *bupc_cast(shared const void *__p);

/* The inverse of bupc_cast, with phase 0.  Null if p does not point to shared memory. */
shared void *bupc_inverse_cast(void *__p);

/* The same, with the given phase.  Null also if p does not point to shared memory of thread owner. */
shared void *bupc_local_to_shared(void *__p, int __owner, int __phase);

/* p + incr, for an array in blocks of blockelems elements (0: indefinite) of elemsz bytes, both of which may be known
 * only at run time */
shared void *bupc_ptradd(shared void *__p, size_t __blockelems, size_t __elemsz, ptrdiff_t __incr);

/* Writes "<address=0x... (addrfield=0x...), thread=N, phase=N>", or "<NULL>".  Returns 0, or -1 with errno EINVAL if
 * maxlen is less than BUPC_DUMP_MIN_LENGTH. */
#define BUPC_DUMP_MIN_LENGTH 100
#define UPC_DUMP_MIN_LENGTH BUPC_DUMP_MIN_LENGTH
int bupc_dump_shared(shared const void *__p, char *__buf, int __maxlen);

/*
 * How far two threads are from each other.  Symmetric; compare it by <= and >=. A thread is SAME only to itself.  Up to
 * VERYNEAR, threads share a memory region: a core (25), a cache (50), a socket (75), or none of these (100).  Up to
 * NEAR, they share a machine: a socket (150), a board (175), or neither (200).  Threads on different machines are FAR.
 * A thread that is not bound to a core counts as being at the farthest place where it may run.  The first call of a job
 * reads the machine, which takes milliseconds.
 */
#define BUPC_THREADS_SAME 0
#define BUPC_THREADS_VERYNEAR 100
#define BUPC_THREADS_NEAR 200
#define BUPC_THREADS_FAR 300
#define BUPC_THREADS_VERYFAR 400
unsigned int bupc_thread_distance(int __a, int __b);

/* ---- Others ---- */

/* As getenv; the environment is the same for all threads. */
char *bupc_getenv(const char *__name);

/* Older names of upc_all_free and upc_all_lock_free of <upc.h> */
void bupc_all_free(shared void *__ptr);
void bupc_all_lock_free(upc_lock_t *__ptr);

/* Masks for tracing and statistics, which do not exist here: setting them has no effect, and they return "" and 0. */
void bupc_trace_setmask(const char *__mask);
const char *bupc_trace_getmask(void);
void bupc_trace_settracelocal(int __on);
int bupc_trace_gettracelocal(void);
void bupc_stats_setmask(const char *__mask);
const char *bupc_stats_getmask(void);
#pragma banyan end

/* Does nothing.  Its arguments are written in double parentheses and are not evaluated. */
#define bupc_trace_printf(arguments) ((void)0)

/* Does not compile unless expr has the given type; shared objects have a shared type.  Evaluates nothing. */
#define bupc_assert_type(expr, type) ((void)sizeof(char[__builtin_types_compatible_p(__typeof__(expr), type) ? 1 : -1]))

#include <bupc_namespace.h>

#endif

/* For BUPC_USE_UPC_NAMESPACE defined after the first inclusion */
#ifdef BUPC_NAMESPACE_H
#include <bupc_namespace.h>
#endif
