/*
 * seconds.h: measuring time, in C and in UPC.
 */
#ifndef SECONDS_H
#define SECONDS_H

#include <time.h>

/* Seconds from some fixed point in the past */
static inline double app_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
