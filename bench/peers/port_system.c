/* port_system.c: what is the same in every port that this folder has: the system's clock, and no say in algorithms. */
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

size_t port_algorithms(const char *operation, const char **names, size_t room)
{
    (void)operation;
    (void)names;
    (void)room;
    return 0;
}

size_t port_algorithm_limit(const char *operation, const char *name)
{
    (void)operation;
    (void)name;
    return (size_t)-1;
}

int port_use_algorithm(const char *operation, const char *name)
{
    (void)operation;
    return name != NULL;
}

const char *port_algorithm(const char *operation, size_t size_bytes, const struct uoms_options *options)
{
    (void)operation;
    (void)size_bytes;
    (void)options;
    return NULL;
}
