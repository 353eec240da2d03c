/* one_thread.h: what tests may turn in one_thread.c. */
#ifndef ONE_THREAD_H
#define ONE_THREAD_H

#include <stddef.h>

/* Most that port_can_allocate grants */
extern size_t one_thread_limit;

/* The time, by how much it goes on with each look at it, by how much more behind the next look alone, and how much a
 * barrier takes; all 0 at first */
extern double one_thread_now_ns, one_thread_look_ns, one_thread_first_look_ns, one_thread_barrier_ns;

#endif
