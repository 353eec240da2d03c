/*
 * mg_slab.h: MG over plain memory, by processes that each have a run of planes on each level.
 *
 * On a coarse level, a process has the planes that are among its planes of the finest level, so it may have none.
 * Besides its own planes, it keeps a copy of the plane before and of the one behind.
 */
#ifndef MG_SLAB_H
#define MG_SLAB_H

#include "mg.h"

/* Plane number i of this process on a level, i from 0 (the plane before) to count + 1, begins at u or r + i * plane. */
struct mg_level {
    int n, first, count;
    long row, plane; /* strides, in numbers */
    double *u, *r;   /* solution and residual */
};

struct mg_state {
    int class, me, processes;
    int has_copies; /* 1: it has its own copies of the planes before and behind; 0: all processes share one array */
    struct mg_level levels[MG_MOST_LEVELS + 1]; /* from 1 on */
    double *v;                                  /* right-hand side on the finest level */
};

/* Sets the planes that process `me` has of a level */
static inline void mg_set_level(struct mg_level *level, int finest, int k, int me, int processes)
{
    long before = ((long)me << finest) / processes, last = (((long)me + 1) << finest) / processes;
    level->n = 1 << k;
    level->first = (int)(before >> (finest - k)) + 1;
    level->count = (int)(last >> (finest - k)) - level->first + 1;
    level->row = level->n + 2;
    level->plane = level->row * level->row;
}

/* The number of doubles that a process keeps of a level */
static inline long mg_room(const struct mg_level *level)
{
    return (level->count + 2) * level->plane;
}

/*
 * A form that includes this file must define the following; each process calls it.
 *
 *     void mg_exchange(struct mg_state *, int k, int which)    updates the planes before and behind from their owners
 *     void mg_wait(void)                                       from now on, what other processes have written can be
 *     read
 *     double mg_sum_all(double mine)
 */
enum { MG_U, MG_R };

static void mg_exchange(struct mg_state *s, int k, int which);
static void mg_wait(void);
static double mg_sum_all(double mine);

static inline double *mg_array(const struct mg_level *level, int which)
{
    return which == MG_U ? level->u : level->r;
}

/* Points at the ends of rows and planes are copies of those at the other ends. */
static void mg_wrap(const struct mg_level *level, double *plane)
{
    int n = level->n;
    for (int y = 1; y <= n; y++) {
        double *row = plane + y * level->row;
        row[0] = row[n];
        row[n + 1] = row[1];
    }
    memcpy(plane, plane + n * level->row, (size_t)level->row * sizeof *plane);
    memcpy(plane + (n + 1) * level->row, plane + level->row, (size_t)level->row * sizeof *plane);
}

/* For each x around a row: the sums of the four points beside it and of the four diagonal ones, in the y-z plane */
static inline void mg_around(const double *at, long row, long plane, int n, double *restrict beside,
                             double *restrict across)
{
    for (int x = 0; x < n + 2; x++) {
        beside[x] = at[x - row] + at[x + row] + at[x - plane] + at[x + plane];
        across[x] = at[x - plane - row] + at[x - plane + row] + at[x + plane - row] + at[x + plane + row];
    }
}

/* r = v - A u; v may be r, or another array of the same layout */
static void mg_residual(struct mg_state *s, int k, const double *v)
{
    const struct mg_level *level = &s->levels[k];
    double beside[MG_LONGEST], across[MG_LONGEST];
    int n = level->n;
    for (int z = 1; z <= level->count; z++) {
        for (int y = 1; y <= n; y++) {
            long at = z * level->plane + y * level->row;
            const double *u = level->u + at;
            double *restrict r = level->r + at;
            mg_around(u, level->row, level->plane, n, beside, across);
            if (v != level->r)
                memcpy(r, v + at, (size_t)level->row * sizeof *r);
            for (int x = 1; x <= n; x++)
                r[x] = r[x] + 8.0 / 3 * u[x] - 1.0 / 6 * (across[x] + beside[x - 1] + beside[x + 1]) -
                       1.0 / 12 * (across[x - 1] + across[x + 1]);
        }
        mg_wrap(level, level->r + z * level->plane);
    }
    mg_exchange(s, k, MG_R);
}

/* u = S r, or u += S r */
static void mg_smooth(struct mg_state *s, int k, int is_added)
{
    const struct mg_class *is = &mg_classes[s->class];
    const struct mg_level *level = &s->levels[k];
    double beside[MG_LONGEST], across[MG_LONGEST];
    int n = level->n;
    for (int z = 1; z <= level->count; z++) {
        for (int y = 1; y <= n; y++) {
            long at = z * level->plane + y * level->row;
            const double *r = level->r + at;
            double *restrict u = level->u + at;
            mg_around(r, level->row, level->plane, n, beside, across);
            if (!is_added)
                memset(u, 0, (size_t)level->row * sizeof *u);
            for (int x = 1; x <= n; x++)
                u[x] = u[x] + is->near * r[x] + is->beside * (r[x - 1] + r[x + 1] + beside[x]) +
                       is->across * (across[x] + beside[x - 1] + beside[x + 1]);
        }
        mg_wrap(level, level->u + z * level->plane);
    }
    mg_exchange(s, k, MG_U);
}

/* Restricts the residual to the next coarser level: a mean over the surroundings of each point with finite-element
 * weights */
static void mg_restrict(struct mg_state *s, int k)
{
    const struct mg_level *fine = &s->levels[k], *coarse = &s->levels[k - 1];
    double beside[MG_LONGEST], across[MG_LONGEST];
    for (int z = 1; z <= coarse->count; z++) {
        int fine_z = 2 * (coarse->first + z - 1) - fine->first + 1;
        for (int y = 1; y <= coarse->n; y++) {
            const double *r = fine->r + fine_z * fine->plane + 2 * y * fine->row;
            double *restrict to = coarse->r + z * coarse->plane + y * coarse->row;
            mg_around(r, fine->row, fine->plane, fine->n, beside, across);
            for (int x = 1; x <= coarse->n; x++)
                to[x] = 0.5 * r[2 * x] + 0.25 * (r[2 * x - 1] + r[2 * x + 1] + beside[2 * x]) +
                        0.125 * (beside[2 * x - 1] + beside[2 * x + 1] + across[2 * x]) +
                        0.0625 * (across[2 * x - 1] + across[2 * x + 1]);
        }
        mg_wrap(coarse, coarse->r + z * coarse->plane);
    }
    mg_exchange(s, k - 1, MG_R);
}

/* Interpolates a row of `fine` from rows of the coarser level: the one at `at`, and the next in y or z if `y_odd` or
 * `z_odd` */
static inline void mg_interpolate_row(const struct mg_level *coarse, const double *at, int z_odd, int y_odd,
                                      double *restrict fine, int is_added)
{
    double sum[MG_LONGEST];
    const double *above = at + z_odd * coarse->plane, *next = at + y_odd * coarse->row;
    const double *both = above + y_odd * coarse->row;
    for (int x = 0; x < coarse->n + 2; x++)
        sum[x] = 0.25 * (at[x] + above[x] + next[x] + both[x]);
    if (!is_added)
        memset(fine, 0, (size_t)(2 * coarse->n + 2) * sizeof *fine);
    for (int x = 0; x <= coarse->n; x++) {
        fine[2 * x] += sum[x];
        fine[2 * x + 1] += 0.5 * (sum[x] + sum[x + 1]);
    }
}

/* The range of planes that only this process writes: its own, and its copies */
static inline int mg_first_written(const struct mg_state *s)
{
    return s->has_copies || s->me == 0 ? 0 : 1;
}

static inline int mg_last_written(const struct mg_state *s, const struct mg_level *level)
{
    return s->has_copies || s->me == s->processes - 1 ? level->count + 1 : level->count;
}

/* Interpolates: u = u of the coarser level, or u += that; also in the copies */
static void mg_interpolate(struct mg_state *s, int k, int is_added)
{
    const struct mg_level *fine = &s->levels[k], *coarse = &s->levels[k - 1];
    for (int z = mg_first_written(s); z <= mg_last_written(s, fine); z++) {
        int number = fine->first + z - 1, coarse_z = number / 2 - coarse->first + 1;
        for (int y = 0; y < fine->n + 2; y++)
            mg_interpolate_row(coarse, coarse->u + coarse_z * coarse->plane + y / 2 * coarse->row, number % 2, y % 2,
                               fine->u + z * fine->plane + y * fine->row, is_added);
    }
    mg_wait();
}

/* One V-cycle, from the finest level to the coarsest and back; then the residual on the finest */
static void mg_cycle(struct mg_state *s)
{
    int finest = mg_classes[s->class].levels;
    for (int k = finest; k > 1; k--)
        mg_restrict(s, k);
    mg_smooth(s, 1, 0);
    for (int k = 2; k < finest; k++) {
        mg_interpolate(s, k, 0);
        mg_residual(s, k, s->levels[k].r);
        mg_smooth(s, k, 1);
    }
    mg_interpolate(s, finest, 1);
    mg_residual(s, finest, s->v);
    mg_smooth(s, finest, 1);
    mg_residual(s, finest, s->v);
}

/* u = 0, and the right-hand side from charges */
static void mg_begin(struct mg_state *s, const struct mg_charge charges[2 * MG_CHARGES])
{
    const struct mg_level *level = &s->levels[mg_classes[s->class].levels];
    for (int z = mg_first_written(s); z <= mg_last_written(s, level); z++) {
        memset(level->u + z * level->plane, 0, (size_t)level->plane * sizeof *level->u);
        memset(s->v + z * level->plane, 0, (size_t)level->plane * sizeof *s->v);
    }
    for (int i = 0; i < 2 * MG_CHARGES; i++) {
        int z = charges[i].z - level->first + 1;
        if (z >= 1 && z <= level->count)
            s->v[z * level->plane + charges[i].y * level->row + charges[i].x] = charges[i].value;
    }
    mg_wait();
}

static double mg_norm(const struct mg_state *s)
{
    const struct mg_level *level = &s->levels[mg_classes[s->class].levels];
    double sum = 0;
    for (int z = 1; z <= level->count; z++)
        for (int y = 1; y <= level->n; y++) {
            const double *r = level->r + z * level->plane + y * level->row;
            for (int x = 1; x <= level->n; x++)
                sum += r[x] * r[x];
        }
    return sqrt(mg_sum_all(sum) / pow(level->n, 3));
}

/* Runs this many cycles from u = 0; returns the norm of the residual. */
static double mg_solve(struct mg_state *s, int cycles)
{
    mg_residual(s, mg_classes[s->class].levels, s->v);
    mg_norm(s); /* required by the benchmark */
    for (int cycle = 0; cycle < cycles; cycle++)
        mg_cycle(s);
    return mg_norm(s);
}

/* Runs the benchmark, and times it; mg_state is ready except for u, r and v.  One untimed cycle touches the memory
 * first. */
static double mg_run(struct mg_state *s, double *seconds)
{
    struct mg_charge charges[2 * MG_CHARGES];
    mg_find_charges(s->class, charges);
    mg_begin(s, charges);
    mg_solve(s, 1);
    mg_begin(s, charges);
    mg_sum_all(0); /* a barrier, so that all begin together */
    double start = app_seconds(), norm = mg_solve(s, mg_classes[s->class].cycles);
    *seconds = app_seconds() - start;
    return norm;
}

/* Memory for `count` numbers; NULL if there is none */
static inline double *mg_take(long count)
{
    return aligned_alloc(64, ((size_t)count * sizeof(double) + 64) / 64 * 64);
}

#endif
