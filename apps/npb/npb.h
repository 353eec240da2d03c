/*
 * npb.h: what all kernels of this folder share: classes, the random numbers, and the report.
 *
 * D.  Bailey et al., "The NAS Parallel Benchmarks", RNR-94-007, NASA Ames, 1994; section 2.3 has the generator.
 */
#ifndef NPB_H
#define NPB_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../seconds.h"

enum { NPB_S, NPB_W, NPB_A, NPB_B, NPB_C, NPB_CLASSES };

static const char npb_letters[] = "SWABC";

/* The class that the only argument names, or -1, in which case the usage is printed if `speaks`. */
static inline int npb_class(int argc, char **argv, int speaks)
{
    const char *found = argc == 2 && strlen(argv[1]) == 1 ? strchr(npb_letters, argv[1][0]) : NULL;
    if (found != NULL)
        return (int)(found - npb_letters);
    if (speaks)
        fprintf(stderr, "usage: %s CLASS        one of S, W, A, B, C\n", argv[0]);
    return -1;
}

#define NPB_MULTIPLIER UINT64_C(1220703125) /* 5 to the 13 */
#define NPB_MASK ((UINT64_C(1) << 46) - 1)

/* The next number, between 0 and 1, of a linear congruential generator modulo 2 to the 46; products modulo 2 to the 64
 * keep all its bits. */
static inline double npb_random(uint64_t *state)
{
    *state = *state * NPB_MULTIPLIER & NPB_MASK;
    return (double)(int64_t)*state * 0x1p-46;
}

/* The state `steps` numbers later, in logarithmic time */
static inline uint64_t npb_skip(uint64_t state, uint64_t steps)
{
    for (uint64_t factor = NPB_MULTIPLIER; steps != 0; steps >>= 1, factor *= factor)
        if (steps & 1)
            state *= factor;
    return state & NPB_MASK;
}

/* Prints a result; returns the exit status of the program. operations: counted as the benchmark does; n: the number of
 * threads or processes */
static inline int npb_report(const char *kernel, const char *form, int class, const char *size, int n,
                             double operations, double seconds, int is_right)
{
    printf("%s %s: class %c, %s, n %d, %.3f s, %.2f Mop/s: VERIFICATION %s\n", kernel, form, npb_letters[class], size,
           n, seconds, operations / seconds * 1e-6, is_right ? "SUCCESSFUL" : "FAILED");
    return !is_right;
}

/* Reports that a thread or process is out of memory; the caller ends the program. */
static inline void npb_no_memory(int me)
{
    fprintf(stderr, "%d: no memory for a problem of this class\n", me);
}

#endif
