/*
 * mg_omp: MG with OpenMP: each thread has a run of planes of shared arrays.
 *
 * usage: OMP_NUM_THREADS=N mg_omp CLASS
 */
#include <omp.h>

#include "mg_slab.h"

static struct mg_level wholes[MG_MOST_LEVELS + 1];
static double *right_side, total;

/* The first and the last thread own the planes that are copies of those at the other end. */
static void mg_exchange(struct mg_state *s, int k, int which)
{
    const struct mg_level *whole = &wholes[k];
    double *array = mg_array(whole, which);
    size_t bytes = (size_t)whole->plane * sizeof *array;
#pragma omp barrier
    if (s->me == 0)
        memcpy(array, array + whole->n * whole->plane, bytes);
    if (s->me == s->processes - 1)
        memcpy(array + (whole->n + 1) * whole->plane, array + whole->plane, bytes);
#pragma omp barrier
}

static void mg_wait(void)
{
#pragma omp barrier
}

static double mg_sum_all(double mine)
{
#pragma omp single
    total = 0;
#pragma omp atomic
    total += mine;
#pragma omp barrier
    double sum = total;
#pragma omp barrier
    return sum;
}

/* This thread's part of the arrays */
static struct mg_state state_of(int class)
{
    struct mg_state s = {.class = class, .me = omp_get_thread_num(), .processes = omp_get_num_threads()};
    int finest = mg_classes[class].levels;
    for (int k = 1; k <= finest; k++) {
        struct mg_level *level = &s.levels[k];
        mg_set_level(level, finest, k, s.me, s.processes);
        level->u = wholes[k].u + (level->first - 1) * level->plane;
        level->r = wholes[k].r + (level->first - 1) * level->plane;
    }
    s.v = right_side + (s.levels[finest].first - 1) * s.levels[finest].plane;
    return s;
}

/* Returns 0, or 1 if out of memory. */
static int take_all(int class)
{
    int finest = mg_classes[class].levels, failed = 0;
    for (int k = 1; k <= finest; k++) {
        mg_set_level(&wholes[k], finest, k, 0, 1);
        wholes[k].u = mg_take(mg_room(&wholes[k]));
        wholes[k].r = mg_take(mg_room(&wholes[k]));
        failed |= wholes[k].u == NULL || wholes[k].r == NULL;
    }
    right_side = mg_take(mg_room(&wholes[finest]));
    return failed || right_side == NULL;
}

int main(int argc, char **argv)
{
    int class = npb_class(argc, argv, 1), n = omp_get_max_threads();
    if (class < 0)
        return 2;
    if (take_all(class) != 0) {
        npb_no_memory(0);
        return 1;
    }
    double seconds = 0, norm = 0;
#pragma omp parallel
    {
        struct mg_state s = state_of(class);
        double my_seconds, my_norm = mg_run(&s, &my_seconds);
#pragma omp master
        {
            seconds = my_seconds;
            norm = my_norm;
        }
    }
    for (int k = 1; k <= mg_classes[class].levels; k++) {
        free(wholes[k].u);
        free(wholes[k].r);
    }
    free(right_side);
    return mg_report("OpenMP", class, n, seconds, norm);
}
