/*
 * wave.h: what the programs of this folder compute between their exchanges.
 *
 * A wave on a periodic grid of nx * ny * nz points moves freely: when it is expanded in plane waves exp(i k r), the
 * phase of each of them advances with its energy.  Transforms need whole lines of the grid.  A process has whole lines
 * in y and z while it has planes of x, and whole lines in x while it has planes of y, so the grid is transposed before
 * and after each step.
 *
 *     slab     [x of this process][y][z]
 *     blocks   [process][x][y][z]     8 * 8 * nz points for each process, which are exchanged
 *     columns  [y of this process][x][z]
 *
 * Slab and columns are laid out so that their blocks are runs of nz points; received blocks are [x][y of this
 * process][z].
 */
#ifndef WAVE_H
#define WAVE_H

#include <stdlib.h>

#include "fourier.h"

/* 8 planes of x and of y for each process, and 24 points in z: two processes exchange 8 * 8 * 24 points of 16 bytes, 24
 * KiB, however many processes there are. */
enum { PLANES = 8, DEPTH = 24, BLOCK_POINTS = PLANES * PLANES * DEPTH };

#define BLOCK_BYTES (BLOCK_POINTS * sizeof(point_t))

struct wave {
    int processes, process, side; /* side: points in x and in y */
    point_t *slab, *columns, *scratch, *phases;
};

static inline size_t points_of(int processes)
{
    return (size_t)processes * BLOCK_POINTS;
}

/* The energy of a plane wave in a box whose sides differ, so that no two directions are equivalent */
static double energy(int side, int kx, int ky, int kz)
{
    double x = kx <= side / 2 ? kx : kx - side;
    double y = ky <= side / 2 ? ky : ky - side;
    double z = kz <= DEPTH / 2 ? kz : kz - DEPTH;
    return 0.5 * (x * x + 1.7 * y * y + 2.9 * z * z);
}

/* The wave at a point and time: the sum of three plane waves.  This is what the programs must find in the end. */
static point_t wave_at(int side, int x, int y, int z, double time)
{
    const int numbers[3][3] = {{1, 2, 3}, {side - 2, 1, 5}, {3, side - 1, DEPTH - 1}};
    const double heights[3] = {1.0, 0.5, 0.25};
    point_t sum = {0, 0};
    for (int i = 0; i < 3; i++) {
        const int *k = numbers[i];
        double at = TWO_PI * ((double)(k[0] * x + k[1] * y) / side + (double)(k[2] * z) / DEPTH);
        point_t part = turned_by(at - time * energy(side, k[0], k[1], k[2]));
        sum.re += heights[i] * part.re;
        sum.im += heights[i] * part.im;
    }
    return sum;
}

static point_t *slab_point(const struct wave *wave, int x, int y)
{
    return wave->slab + ((size_t)x * wave->side + y) * DEPTH;
}

/* The place, among the blocks, of a line of z of the slab; its x is one of this process */
static point_t *block_point(point_t *blocks, int x, int y)
{
    return blocks + ((size_t)(y / PLANES * PLANES + x) * PLANES + y % PLANES) * DEPTH;
}

/* 0, or 1 if out of memory. step_time: the time that passes in a step */
static int wave_start(struct wave *wave, int processes, int process, double step_time)
{
    size_t bytes = points_of(processes) * sizeof(point_t);
    int side = PLANES * processes;
    double scale = 1.0 / ((double)side * side * DEPTH); /* normalises a transform followed by its inverse */
    *wave = (struct wave){processes, process, side, malloc(bytes), malloc(bytes), malloc(bytes), malloc(bytes)};
    if (!wave->slab || !wave->columns || !wave->scratch || !wave->phases || side > MOST_COUNT)
        return 1;
    for (int x = 0; x < PLANES; x++)
        for (int y = 0; y < side; y++)
            for (int z = 0; z < DEPTH; z++)
                slab_point(wave, x, y)[z] = wave_at(side, process * PLANES + x, y, z, 0);
    for (int y = 0; y < PLANES; y++)
        for (int x = 0; x < side; x++)
            for (int z = 0; z < DEPTH; z++) {
                point_t phase = turned_by(-step_time * energy(side, x, process * PLANES + y, z));
                wave->phases[((size_t)y * side + x) * DEPTH + z] = (point_t){scale * phase.re, scale * phase.im};
            }
    return 0;
}

static void wave_end(struct wave *wave)
{
    free(wave->slab);
    free(wave->columns);
    free(wave->scratch);
    free(wave->phases);
}

/* Transforms along z the lines of one x and PLANES of y at a time, which pass through scratch as columns. */
static void transform_depth(struct wave *wave, int sign)
{
    point_t *across = wave->scratch, *result = wave->scratch + PLANES * DEPTH;
    for (int first = 0; first < PLANES * wave->side; first += PLANES) {
        point_t *lines = wave->slab + (size_t)first * DEPTH;
        for (int i = 0; i < PLANES; i++)
            for (int z = 0; z < DEPTH; z++)
                across[z * PLANES + i] = lines[i * DEPTH + z];
        fourier(result, across, DEPTH, PLANES, sign);
        for (int i = 0; i < PLANES; i++)
            for (int z = 0; z < DEPTH; z++)
                lines[i * DEPTH + z] = result[z * PLANES + i];
    }
}

/* Transforms along the middle index of [PLANES][side][DEPTH]. */
static void transform_side(struct wave *wave, point_t *points, int sign)
{
    size_t plane = (size_t)wave->side * DEPTH;
    for (int i = 0; i < PLANES; i++) {
        fourier(wave->scratch, points + i * plane, wave->side, DEPTH, sign);
        memcpy(points + i * plane, wave->scratch, plane * sizeof *points);
    }
}

/* Turns the slab into blocks, transformed in y and z. */
static void before_exchange(struct wave *wave, point_t *blocks)
{
    transform_depth(wave, -1);
    transform_side(wave, wave->slab, -1);
    for (int x = 0; x < PLANES; x++)
        for (int y = 0; y < wave->side; y++)
            memcpy(block_point(blocks, x, y), slab_point(wave, x, y), DEPTH * sizeof *blocks);
}

/* Advances received blocks by one time step, and turns them into the blocks that are sent back. */
static void between_exchanges(struct wave *wave, const point_t *received, point_t *blocks)
{
    for (int y = 0; y < PLANES; y++)
        for (int x = 0; x < wave->side; x++)
            memcpy(wave->columns + ((size_t)y * wave->side + x) * DEPTH,
                   received + ((size_t)x * PLANES + y) * DEPTH, DEPTH * sizeof *blocks);
    transform_side(wave, wave->columns, -1);
    for (size_t i = 0; i < points_of(wave->processes); i++)
        wave->columns[i] = times(wave->columns[i], wave->phases[i]);
    transform_side(wave, wave->columns, +1);
    for (int y = 0; y < PLANES; y++)
        for (int x = 0; x < wave->side; x++)
            memcpy(blocks + ((size_t)x * PLANES + y) * DEPTH,
                   wave->columns + ((size_t)y * wave->side + x) * DEPTH, DEPTH * sizeof *blocks);
}

static void after_exchange(struct wave *wave, point_t *received)
{
    for (int x = 0; x < PLANES; x++)
        for (int y = 0; y < wave->side; y++)
            memcpy(slab_point(wave, x, y), block_point(received, x, y), DEPTH * sizeof *received);
    transform_side(wave, wave->slab, +1);
    transform_depth(wave, +1);
}

/* The largest deviation of this process's points from their exact values at a time */
static double wave_error(const struct wave *wave, double time)
{
    double most = 0;
    for (int x = 0; x < PLANES; x++)
        for (int y = 0; y < wave->side; y++)
            for (int z = 0; z < DEPTH; z++) {
                point_t is = slab_point(wave, x, y)[z];
                point_t must = wave_at(wave->side, wave->process * PLANES + x, y, z, time);
                double off = hypot(is.re - must.re, is.im - must.im);
                if (!(off <= most))
                    most = off;
            }
    return most;
}

#endif
