/*
 * When a thread is woken, Linux (since 6.12) lets it interrupt a running thread only if it has asked for shorter slices
 * than that one.  Otherwise it waits until the other's slice ends, often until the next tick.
 *
 * All threads of a job should have slices of the same length: those with short ones get ahead of the others, which the
 * others then wait for.  docs/tuning/waiting.md has the measurements.
 */
#include "platform/slice.h"

#include <linux/sched.h>
#include <linux/sched/types.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The system's own slices are of 0.7 to 2.8 ms, depending on the number of cores; 0.1 ms is the shortest. */
enum { SLICE_NS = 500000 };

void bn_slice_shorten(void)
{
    struct sched_attr attributes = {.size = SCHED_ATTR_SIZE_VER0};
    if (syscall(SYS_sched_getattr, 0, &attributes, SCHED_ATTR_SIZE_VER0, 0) != 0)
        return;
    /* Older systems report a slice of 0. */
    if (attributes.sched_policy != SCHED_NORMAL || attributes.sched_runtime <= SLICE_NS)
        return;
    attributes.sched_runtime = SLICE_NS;
    syscall(SYS_sched_setattr, 0, &attributes, 0);
}
