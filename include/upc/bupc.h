/*
 * bupc.h: what Berkeley UPC declares in <upc.h> beyond the language specification.
 *
 * Programs that name these functions include this header, or are compiled with upcc -compat=bupc, which also defines
 * Berkeley UPC's macros and makes <upc.h> include it.  If BUPC_USE_UPC_NAMESPACE is defined before, the names can also
 * be written with upc_ in front.
 */
#pragma upc upc_code
#ifndef BUPC_H
#define BUPC_H

#include <stddef.h>
#include <stdint.h>
#include <upc.h>

#include <bupc_atomic.h>
#include <bupc_copy.h>
#include <bupc_reduce.h>
#include <bupc_sem.h>

/* ---- Time; new programs use <upc_tick.h> ---- */

typedef uint64_t bupc_tick_t;
#define BUPC_TICK_MIN ((bupc_tick_t)0)
#define BUPC_TICK_MAX UINT64_MAX

bupc_tick_t bupc_ticks_now(void);

/* An interval between two readings of the calling thread */
uint64_t bupc_ticks_to_us(bupc_tick_t ticks);
uint64_t bupc_ticks_to_ns(bupc_tick_t ticks);

/* The least time by which two readings differ, and the time that a reading takes, in microseconds.  Each call measures
 * for some 20 microseconds. */
double bupc_tick_granularityus(void);
double bupc_tick_overheadus(void);
#define bupc_ticks_granularityus bupc_tick_granularityus
#define bupc_ticks_overheadus bupc_tick_overheadus

/* For loops that wait for a store of another thread: lets that thread have the core */
#define bupc_poll upc_poll

/* ---- Pointers ---- */

/* Whether bupc_cast gives a pointer: for one object, and for all of a thread.  They do not fail on one machine,
 * and fail for threads of other machines. */
int bupc_castable(shared const void *p);
int bupc_thread_castable(unsigned int thread);

/* A pointer by which the caller reaches the object directly */
void *bupc_cast(shared const void *p);

/* The opposite; phase 0.  Null if p does not point to shared memory. */
shared void *bupc_inverse_cast(void *p);

/* The same with a phase.  Null also if p does not point to shared memory of that thread. */
shared void *bupc_local_to_shared(void *p, int thread, int phase);

/* p + incr for an array in blocks of blockelems elements (0: indefinite) of elemsz bytes, which may be known at run
 * time only */
shared void *bupc_ptradd(shared void *p, size_t blockelems, size_t elemsz, ptrdiff_t incr);

/* Writes "<address=0x... (addrfield=0x...), thread=N, phase=N>", or "<NULL>".  0, or -1 with errno EINVAL if maxlen
 * is less than BUPC_DUMP_MIN_LENGTH. */
#define BUPC_DUMP_MIN_LENGTH 100
int bupc_dump_shared(shared const void *p, char *buf, int maxlen);
#define UPC_DUMP_MIN_LENGTH BUPC_DUMP_MIN_LENGTH
#define upc_dump_shared bupc_dump_shared

/*
 * How far two threads are from each other.  Symmetric; to be compared by <= and >=.  A thread is SAME to itself alone.
 * Up to VERYNEAR, threads share a memory region: a core (25), a cache (50), a socket (75), or none of these (100).  Up
 * to NEAR, they share a machine: a socket (150), a board (175), or neither (200).  Threads of two machines are FAR.  A
 * thread that is not bound to a core is as far away as it may come.  The first call of a job reads the machine, which
 * takes milliseconds.
 */
#define BUPC_THREADS_SAME 0
#define BUPC_THREADS_VERYNEAR 100
#define BUPC_THREADS_NEAR 200
#define BUPC_THREADS_FAR 300
#define BUPC_THREADS_VERYFAR 400
unsigned int bupc_thread_distance(int a, int b);

/* ---- Others ---- */

/* As getenv; the environment is the same for all threads. */
char *bupc_getenv(const char *name);

#define bupc_all_free upc_all_free
#define bupc_all_lock_free upc_all_lock_free

/* Does not compile unless expr is of the type; shared objects are of shared type.  Evaluates nothing. */
#define bupc_assert_type(expr, type)                                                                                   \
    ((void)sizeof(char[__builtin_types_compatible_p(__typeof__(expr), type) ? 1 : -1]))

/* Tracing is not available.  bupc_trace_printf takes its arguments in double parentheses. */
#define bupc_trace_printf(arguments) ((void)0)
#define bupc_trace_setmask(mask) ((void)(mask))
#define bupc_trace_getmask() ("")
#define bupc_trace_settracelocal(on) ((void)(on))
#define bupc_trace_gettracelocal() 0
#define bupc_stats_setmask(mask) ((void)(mask))
#define bupc_stats_getmask() ("")

#endif

/* Also where this header was included before, without it */
#ifdef BUPC_USE_UPC_NAMESPACE
#include <bupc_namespace.h>
#endif
