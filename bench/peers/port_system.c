/* port_system.c: what is the same in every port that this folder has: the system's clock, and no say in algorithms. */
#include "harness/no_algorithms.h"
#include "harness/port.h"

#include <sched.h>
#include <time.h>

/* Not MPI_Wtime, whose resolution is a choice of the library; UPC's ticks and this are the same clock on Linux. */
double port_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

void port_poll(void)
{
    sched_yield();
}
