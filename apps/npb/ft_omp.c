/*
 * ft_omp: FT with OpenMP: planes and layers are dealt out, in two arrays that all threads share.
 *
 * usage: OMP_NUM_THREADS=N ft_omp CLASS
 */
#include <omp.h>

#include "ft_slab.h"

static double totals[2 * FT_MOST_ITERATIONS];

/* Swaps the arrays: what was filled as slabs is read as layers. */
static void ft_to_layers(struct ft_state *s)
{
    long planes_before = (long)s->part.planes.first * ft_pieces(s->part.class);
    long layers_before = s->part.layers.first * ft_row_pieces(&s->part);
    struct ft_piece *filled = s->slab - planes_before;
    s->slab = s->layers - layers_before + planes_before;
    s->layers = filled + layers_before;
#pragma omp barrier
}

static void ft_begin(struct ft_state *s)
{
    (void)s;
#pragma omp barrier
}

static struct ft_piece *ft_room(struct ft_state *s, int layer, long *to_slab)
{
    const struct ft_part *part = &s->part;
    *to_slab = 0; /* there is a single slab */
    return s->slab - (long)part->planes.first * ft_pieces(part->class) +
           (part->layers.first + layer) * ft_row_pieces(part);
}

static void ft_send(struct ft_state *s, int layer)
{
    (void)s;
    (void)layer;
}

static void ft_receive(struct ft_state *s)
{
    (void)s;
#pragma omp barrier
}

static void ft_sum_all(double *sums, int count)
{
#pragma omp single
    memset(totals, 0, sizeof totals);
#pragma omp critical
    for (int i = 0; i < count; i++)
        totals[i] += sums[i];
#pragma omp barrier
    memcpy(sums, totals, (size_t)count * sizeof *sums);
#pragma omp barrier
}

/* This thread's planes and layers of the two arrays */
static struct ft_state *make_state(int class, struct ft_piece *slab, struct ft_piece *layers)
{
    int me = omp_get_thread_num(), n = omp_get_num_threads();
    int nz = ft_classes[class].nz, ny = ft_classes[class].ny;
    struct ft_state *state = ft_take(sizeof *state);
    struct ft_lines *lines = ft_take(sizeof *lines);
    if (state == NULL || lines == NULL)
        return NULL;
    memset(state, 0, sizeof *state);
    state->lines = lines;
    state->part = ft_part_of(class, 0, 1);
    state->part.planes.first = nz * me / n;
    state->part.planes.count = nz * (me + 1) / n - state->part.planes.first;
    state->part.layers.first = ny * me / n;
    state->part.layers.count = ny * (me + 1) / n - state->part.layers.first;
    state->slab = slab + (long)state->part.planes.first * ft_pieces(class);
    state->layers = layers + state->part.layers.first * ft_row_pieces(&state->part);
    return state;
}

int main(int argc, char **argv)
{
    int class = npb_class(argc, argv, 1), n = omp_get_max_threads(), failed = 0;
    if (class < 0)
        return 2;
    size_t bytes = (size_t)ft_points(class) / FT_WIDTH * sizeof(struct ft_piece);
    struct ft_piece *slab = ft_take(bytes), *layers = ft_take(bytes);
    if (slab == NULL || layers == NULL) {
        npb_no_memory(0);
        return 1;
    }
    ft_start();
    double seconds = 0, sums[FT_MOST_ITERATIONS][2];
#pragma omp parallel
    {
        struct ft_state *state = make_state(class, slab, layers);
#pragma omp atomic
        failed += state == NULL;
#pragma omp barrier
        if (failed == 0) {
            ft_solve(state, 1); /* warm-up: touches the memory */
            double start = app_seconds();
            ft_solve(state, ft_classes[class].iterations);
#pragma omp master
            {
                seconds = app_seconds() - start;
                memcpy(sums, state->sums, sizeof sums);
            }
            free(state->lines);
            free(state);
        }
    }
    free(slab);
    free(layers);
    if (failed != 0) {
        npb_no_memory(0);
        return 1;
    }
    return ft_report("OpenMP", class, n, seconds, sums);
}
