/*
 * cg_solve.h: the iterations of CG by processes that each have a run of rows.  A form that includes it must define
 *
 *     double sum_all(double mine)                 the sum over all processes, on each
 *     const double *all_of(const double *mine)    the whole of a vector of which each process has its run
 */
#ifndef CG_SOLVE_H
#define CG_SOLVE_H

#include "cg.h"

static double sum_all(double mine);
static const double *all_of(const double *mine);

struct cg_state {
    struct cg_rows rows;
    double *x, *z, *p, *q, *r; /* this process's runs of the vectors */
};

/* Makes a process's rows, first to end - 1; 0, or 1 if out of memory.  A run has room for `most` numbers. */
static int cg_start(int class, int first, int end, int most, struct cg_state *s)
{
    double **runs[] = {&s->x, &s->z, &s->p, &s->q, &s->r};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        *runs[i] = calloc((size_t)most + 1, sizeof(double));
        if (*runs[i] == NULL)
            return 1;
    }
    return cg_make_rows(class, first, 1, end - first, &s->rows);
}

static void cg_end(struct cg_state *s)
{
    double *runs[] = {s->x, s->z, s->p, s->q, s->r};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
        free(runs[i]);
    cg_free_rows(&s->rows);
}

/* Solves for z approximately: the matrix times z is x */
static void cg_solve(struct cg_state *s)
{
    int count = s->rows.count;
    for (int i = 0; i < count; i++) {
        s->z[i] = 0;
        s->p[i] = s->r[i] = s->x[i];
    }
    double rho = sum_all(cg_dot(s->r, s->r, count));
    for (int step = 0; step < CG_STEPS; step++) {
        cg_multiply(&s->rows, all_of(s->p), s->q);
        double alpha = rho / sum_all(cg_dot(s->p, s->q, count)), before = rho;
        for (int i = 0; i < count; i++) {
            s->z[i] += alpha * s->p[i];
            s->r[i] -= alpha * s->q[i];
        }
        rho = sum_all(cg_dot(s->r, s->r, count));
        for (int i = 0; i < count; i++)
            s->p[i] = s->r[i] + rho / before * s->p[i];
    }
}

/* Returns zeta after so many iterations from x = 1. */
static double cg_iterate(int class, struct cg_state *s, int iterations)
{
    int count = s->rows.count;
    double zeta = 0;
    for (int i = 0; i < count; i++)
        s->x[i] = 1;
    for (int iteration = 0; iteration < iterations; iteration++) {
        cg_solve(s);
        double along = sum_all(cg_dot(s->x, s->z, count)), length = sqrt(sum_all(cg_dot(s->z, s->z, count)));
        zeta = cg_classes[class].shift + 1 / along;
        for (int i = 0; i < count; i++)
            s->x[i] = s->z[i] / length;
    }
    return zeta;
}

#endif
