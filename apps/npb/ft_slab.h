/*
 * ft_slab.h: the transforms of FT over plain memory: along x and y by planes of one z, along z by layers of one y.
 *
 * A slab is a run of planes, [y][plane][piece].  The slabs of all processes, cut by y, are the layers of one process:
 * [slab][layer][plane][piece].  With one process both are the same.
 */
#ifndef FT_SLAB_H
#define FT_SLAB_H

#include "ft.h"

/* One process's run of planes or layers: `most` per process, of which `count` exist, fewer than `most` only at the
 * end. */
struct ft_run {
    int most, first, count;
};

static inline struct ft_run ft_run_of(int all, int process, int n)
{
    int most = (all + n - 1) / n, first = process * most < all ? process * most : all;
    return (struct ft_run){most, first, first + most < all ? most : all - first};
}

/* A process's part of the problem */
struct ft_part {
    int class, n; /* n: the number of processes */
    struct ft_run planes, layers;
};

static inline struct ft_part ft_part_of(int class, int process, int n)
{
    return (struct ft_part){class, n, ft_run_of(ft_classes[class].nz, process, n),
                            ft_run_of(ft_classes[class].ny, process, n)};
}

/* The stride, in pieces, between rows of a plane or layer that is cut by all processes */
static inline long ft_row_pieces(const struct ft_part *part)
{
    return (long)part->planes.most * ft_pieces(part->class);
}

static inline long ft_slab_pieces(const struct ft_part *part)
{
    return (long)part->n * part->layers.most * ft_row_pieces(part);
}

/* Along x: the numbers of FT_WIDTH rows are transposed, so that the lines are interleaved. */
static void ft_along_x(const struct ft_part *part, struct ft_piece *plane, int is_inverse, struct ft_lines *lines)
{
    long row = ft_row_pieces(part);
    for (int y = 0; y < ft_classes[part->class].ny; y += FT_WIDTH) {
        struct ft_piece *first = plane + y * row;
        lines->now = 0;
        for (int i = 0; i < ft_pieces(part->class); i++)
            for (int r = 0; r < FT_WIDTH; r++)
                for (int k = 0; k < FT_WIDTH; k++) {
                    lines->re[0][(i * FT_WIDTH + k) * FT_WIDTH + r] = first[r * row + i].re[k];
                    lines->im[0][(i * FT_WIDTH + k) * FT_WIDTH + r] = first[r * row + i].im[k];
                }
        ft_transform(lines, ft_classes[part->class].nx, is_inverse);
        const double *re = lines->re[lines->now], *im = lines->im[lines->now];
        for (int i = 0; i < ft_pieces(part->class); i++)
            for (int r = 0; r < FT_WIDTH; r++)
                for (int k = 0; k < FT_WIDTH; k++) {
                    first[r * row + i].re[k] = re[(i * FT_WIDTH + k) * FT_WIDTH + r];
                    first[r * row + i].im[k] = im[(i * FT_WIDTH + k) * FT_WIDTH + r];
                }
    }
}

static void ft_along_y(const struct ft_part *part, struct ft_piece *plane, int is_inverse, struct ft_lines *lines)
{
    int ny = ft_classes[part->class].ny;
    long row = ft_row_pieces(part);
    for (int i = 0; i < ft_pieces(part->class); i++) {
        lines->now = 0;
        for (int y = 0; y < ny; y++)
            ft_load(lines, y, &plane[y * row + i]);
        ft_transform(lines, ny, is_inverse);
        for (int y = 0; y < ny; y++)
            ft_store(lines, y, &plane[y * row + i]);
    }
}

/* Transforms the layer of y along z: from[slab][plane][piece], with from_slab pieces from one slab to the next, into
 * `to`, likewise.  With damping, the inverse transform of the damped frequencies. */
static void ft_along_z(const struct ft_part *part, int y, const struct ft_piece *from, long from_slab,
                       struct ft_piece *to, long to_slab, const struct ft_damping *damping, struct ft_lines *lines)
{
    int nz = ft_classes[part->class].nz, pieces = ft_pieces(part->class), most = part->planes.most;
    for (int i = 0; i < pieces; i++) {
        lines->now = 0;
        for (int z = 0; z < nz; z++) {
            ft_load(lines, z, &from[z / most * from_slab + z % most * pieces + i]);
            if (damping != NULL)
                ft_damp(lines, z, &damping->x[i * FT_WIDTH], damping->y[y] * damping->z[z]);
        }
        ft_transform(lines, nz, damping != NULL);
        for (int z = 0; z < nz; z++)
            ft_store(lines, z, &to[z / most * to_slab + z % most * pieces + i]);
    }
}

/*
 * The solver.  A form that includes this file must define the following; each process calls it.
 *
 *     void ft_to_layers(struct ft_state *)                     turns slabs into layers
 *     void ft_begin(struct ft_state *)                         slabs are not read any more
 *     struct ft_piece *ft_room(struct ft_state *, int layer, long *to_slab)
 *                                                              where to write a layer, and the stride between its slabs
 *     void ft_send(struct ft_state *, int layer)               the layer has been written
 *     void ft_receive(struct ft_state *)                       turns all layers into slabs again
 *     void ft_sum_all(double *sums, int count)                 over all processes
 */
struct ft_state {
    struct ft_part part;
    struct ft_piece *slab, *layers;
    struct ft_lines *lines;
    struct ft_damping damping;
    double sums[FT_MOST_ITERATIONS][2];
};

/* Memory for pieces, or for a struct ft_lines; NULL if there is none */
static void *ft_take(size_t bytes)
{
    return aligned_alloc(64, (bytes + 64) / 64 * 64);
}

static void ft_to_layers(struct ft_state *s);
static void ft_begin(struct ft_state *s);
static struct ft_piece *ft_room(struct ft_state *s, int layer, long *to_slab);
static void ft_send(struct ft_state *s, int layer);
static void ft_receive(struct ft_state *s);
static void ft_sum_all(double *sums, int count);

/* Adds up the samples in this process's planes. */
static void ft_add_samples(const struct ft_part *part, const struct ft_piece *slab, double *sum)
{
    sum[0] = sum[1] = 0;
    for (int j = 1; j <= FT_SAMPLES; j++) {
        int x, y, z;
        ft_sample(part->class, j, &x, &y, &z);
        int plane = z - part->planes.first;
        if (plane < 0 || plane >= part->planes.count)
            continue;
        const struct ft_piece *piece = &slab[y * ft_row_pieces(part) + plane * ft_pieces(part->class) + x / FT_WIDTH];
        sum[0] += piece->re[x % FT_WIDTH];
        sum[1] += piece->im[x % FT_WIDTH];
    }
}

/* Computes this many time steps of the class; the sums of each are in s->sums. */
static void ft_solve(struct ft_state *s, int times)
{
    const struct ft_part *part = &s->part;
    long row = ft_row_pieces(part), slab = part->layers.most * row;
    int pieces = ft_pieces(part->class);
    for (int plane = 0; plane < part->planes.count; plane++) {
        for (int y = 0; y < ft_classes[part->class].ny; y++)
            ft_fill(part->class, y, part->planes.first + plane, &s->slab[y * row + plane * pieces]);
        ft_along_x(part, &s->slab[plane * pieces], 0, s->lines);
        ft_along_y(part, &s->slab[plane * pieces], 0, s->lines);
    }
    ft_to_layers(s);
    for (int layer = 0; layer < part->layers.count; layer++)
        ft_along_z(part, part->layers.first + layer, &s->layers[layer * row], slab, &s->layers[layer * row], slab, NULL,
                   s->lines);
    for (int time = 1; time <= times; time++) {
        ft_set_damping(part->class, time, &s->damping);
        ft_begin(s);
        for (int layer = 0; layer < part->layers.count; layer++) {
            long to_slab;
            struct ft_piece *to = ft_room(s, layer, &to_slab);
            ft_along_z(part, part->layers.first + layer, &s->layers[layer * row], slab, to, to_slab, &s->damping,
                       s->lines);
            ft_send(s, layer);
        }
        ft_receive(s);
        for (int plane = 0; plane < part->planes.count; plane++) {
            ft_along_y(part, &s->slab[plane * pieces], 1, s->lines);
            ft_along_x(part, &s->slab[plane * pieces], 1, s->lines);
        }
        ft_add_samples(part, s->slab, s->sums[time - 1]);
    }
    ft_sum_all(s->sums[0], 2 * times);
}

#endif
