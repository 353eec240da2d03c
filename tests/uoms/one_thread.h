/* one_thread.h: what tests can set in one_thread.c. */
#ifndef ONE_THREAD_H
#define ONE_THREAD_H

#include <stddef.h>

/* The most that port_can_allocate grants */
extern size_t one_thread_limit;

/* The time, its increment per reading, the additional increment after the next reading only, and the duration of a
 * barrier; all 0 at first */
extern double one_thread_now_ns, one_thread_look_ns, one_thread_first_look_ns, one_thread_barrier_ns;

#endif
