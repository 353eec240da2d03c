/* one_thread.h: what tests may turn in one_thread.c. */
#ifndef ONE_THREAD_H
#define ONE_THREAD_H

#include <stddef.h>

/* Most that port_can_allocate grants */
extern size_t one_thread_limit;

#endif
