/*
 * app.h: what the programs of this folder share: reading arguments, measuring time, adding up over all threads.
 */
#ifndef APP_H
#define APP_H

#include <stdio.h>
#include <stdlib.h>
#include <upc.h>

#include "seconds.h"

/* Thread 0 prints the usage; then every thread ends with status 2. */
static inline void app_usage(const char *usage)
{
    if (MYTHREAD == 0)
        fprintf(stderr, "usage: %s\n", usage);
    exit(2);
}

/* Argument number `index` as a whole number between least and most; `otherwise` if it was not given. */
static inline long app_argument(int argc, char **argv, int index, long otherwise, long least, long most,
                                const char *usage)
{
    if (index >= argc)
        return otherwise;
    char *end;
    long value = strtol(argv[index], &end, 10);
    if (end == argv[index] || *end != '\0' || value < least || value > most) {
        if (MYTHREAD == 0)
            fprintf(stderr, "'%s' is not a number between %ld and %ld\n", argv[index], least, most);
        app_usage(usage);
    }
    return value;
}

static shared double app_parts[THREADS];

/* The sum of all threads' values, on every thread.  Every thread must call it. */
static inline double app_sum(double mine)
{
    double sum = 0;
    app_parts[MYTHREAD] = mine;
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        sum += app_parts[t];
    upc_barrier;
    return sum;
}

/* The largest of all threads' values, on every thread.  Every thread must call it. */
static inline double app_max(double mine)
{
    double most;
    app_parts[MYTHREAD] = mine;
    upc_barrier;
    most = app_parts[0];
    for (int t = 1; t < THREADS; t++)
        if (app_parts[t] > most)
            most = app_parts[t];
    upc_barrier;
    return most;
}

#endif
