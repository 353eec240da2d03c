/*
 * stencil.h: the grid, a step of a row, and the check, for all forms.
 *
 * The cube has side x side x side points, in z-major order; all points outside it are 0.  A slab has planes 1 to
 * `planes`, one plane before and one behind.  Planes likewise have a point at each end of a row, and a row before and
 * behind.  These extra points are copies of the neighbours' or 0.
 */
#ifndef STENCIL_H
#define STENCIL_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "../seconds.h"

enum { STENCIL_MOST_SIDE = 2000, STENCIL_MOST_STEPS = 1000000 };

/* Reads "SIDE STEPS"; 0 if the command line is anything else. */
static inline int stencil_sizes(int argc, char **argv, int *side_p, int *steps_p)
{
    char *end;
    if (argc < 3)
        return 0;
    long side = strtol(argv[1], &end, 10), steps = *end == '\0' ? strtol(argv[2], &end, 10) : 0;
    *side_p = (int)side;
    *steps_p = (int)steps;
    return *end == '\0' && side >= 1 && side <= STENCIL_MOST_SIDE && steps >= 1 && steps <= STENCIL_MOST_STEPS;
}

/* The first plane of part number `part` out of `parts`; part + 1 gives the end */
static inline int stencil_first(int side, int parts, int part)
{
    return (int)((long)side * part / parts);
}

/* The distance, in doubles, from a row or plane to the next */
static inline size_t stencil_row(int side)
{
    return (size_t)side + 2;
}

static inline size_t stencil_plane(int side)
{
    return stencil_row(side) * stencil_row(side);
}

/* The initial value of a point */
static inline double stencil_start(int z, int y, int x)
{
    uint32_t mixed = ((uint32_t)z * 73856093u ^ (uint32_t)y * 19349663u ^ (uint32_t)x * 83492791u) * 2654435761u;
    return (mixed >> 8) / 16777216.0;
}

/* Fills a slab that begins with plane `first` of the cube; everything else in it is 0 already. */
static inline void stencil_fill(double *slab, int side, int first, int planes)
{
    for (int z = 1; z <= planes; z++)
        for (int y = 1; y <= side; y++)
            for (int x = 1; x <= side; x++)
                slab[z * stencil_plane(side) + y * stencil_row(side) + (size_t)x] = stencil_start(first + z, y, x);
}

/* One step of rows first_row to end_row - 1 of plane z */
static inline void stencil_rows(double *restrict next, const double *restrict now, int side, int z, int first_row,
                                int end_row)
{
    size_t row = stencil_row(side), plane = stencil_plane(side);
    for (int y = first_row; y < end_row; y++) {
        size_t at = z * plane + y * row;
        for (size_t i = at + 1; i <= at + (size_t)side; i++)
            next[i] = 0.4 * now[i] + 0.1 * (now[i - plane] + now[i + plane]) + 0.1 * (now[i - row] + now[i + row]) +
                      0.1 * (now[i - 1] + now[i + 1]);
    }
}

/* A checksum that depends on every bit of the points and on their positions; those of all slabs are added up. */
static inline uint64_t stencil_sum(const double *slab, int side, int first, int planes)
{
    uint64_t sum = 0;
    for (int z = 1; z <= planes; z++) {
        for (int y = 1; y <= side; y++) {
            for (int x = 1; x <= side; x++) {
                union {
                    double value;
                    uint64_t bits;
                } point = {slab[z * stencil_plane(side) + y * stencil_row(side) + (size_t)x]};
                uint64_t place = (((uint64_t)(first + z) << 32 | (uint64_t)y << 16) + (uint64_t)x) | 1;
                sum += (point.bits ^ point.bits >> 29) * place * UINT64_C(0x9e3779b97f4a7c15);
            }
        }
    }
    return sum;
}

static inline double *stencil_take(int side, int planes)
{
    double *slab = calloc((size_t)(planes + 2) * stencil_plane(side), sizeof *slab);
    if (slab == NULL) {
        fprintf(stderr, "stencil: no memory for %d planes; choose a smaller side\n", planes);
        exit(1);
    }
    return slab;
}

/* Computes the whole cube with one thread; *seconds_p is the time of the steps. */
static inline uint64_t stencil_alone(int side, int steps, double *seconds_p)
{
    double *now = stencil_take(side, side), *next = stencil_take(side, side);
    stencil_fill(now, side, 0, side);
    double start = app_seconds();
    for (int step = 0; step < steps; step++) {
        for (int z = 1; z <= side; z++)
            stencil_rows(next, now, side, z, 1, side + 1);
        double *last = now;
        now = next;
        next = last;
    }
    *seconds_p = app_seconds() - start;
    uint64_t sum = stencil_sum(now, side, 0, side);
    free(now);
    free(next);
    return sum;
}

/* Prints the result line; returns the exit status. */
static inline int stencil_report(const char *form, int side, int steps, int n, double seconds, uint64_t sum)
{
    double alone_seconds, points = (double)side * side * side * steps;
    int wrong = sum != stencil_alone(side, steps, &alone_seconds);
    printf("stencil %s: side %d, %d steps, sum %016llx, n %d, %.3f s, %.1f million points per second: %s\n", form, side,
           steps, (unsigned long long)sum, n, seconds, 1e-6 * points / seconds, wrong ? "WRONG" : "right");
    return wrong;
}

#endif
