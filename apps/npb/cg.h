/*
 * cg.h: CG, "conjugate gradient": the smallest eigenvalue of a sparse matrix, by inverse iteration.
 *
 * The matrix is a sum of outer products of random sparse vectors, with decreasing weights.  Each process generates the
 * rows that it owns; all of them generate the vectors.
 */
#ifndef CG_H
#define CG_H

#include "npb.h"

enum { CG_STEPS = 25 }; /* conjugate-gradient steps per iteration */

static const struct cg_class {
    int rows, nonzeros; /* nonzeros: of each random vector */
    int iterations;
    double shift, zeta;
} cg_classes[NPB_CLASSES] = {
    {1400, 7, 15, 10, 8.5971775078648},   {7000, 8, 15, 12, 10.362595087124},     {14000, 11, 15, 20, 17.130235054029},
    {75000, 13, 75, 60, 22.712745482631}, {150000, 15, 75, 110, 28.973605592845},
};

/* Rows of the matrix: row r has values[i] in columns[i] for i from starts[r] to starts[r + 1] - 1 */
struct cg_rows {
    int count;
    int *starts, *columns;
    double *values;
};

/* The random vectors, and which of them have a value at a given row */
struct cg_vectors {
    int length; /* of a vector, at most */
    int *counts, *places;
    double *values;
};

static int cg_make_vectors(int class, struct cg_vectors *v)
{
    int rows = cg_classes[class].rows, nonzeros = cg_classes[class].nonzeros, scale = 1;
    uint64_t state = 314159265;
    v->length = nonzeros + 1;
    size_t size = (size_t)rows * (size_t)v->length;
    v->counts = calloc((size_t)rows, sizeof *v->counts);
    v->places = malloc(size * sizeof *v->places);
    v->values = malloc(size * sizeof *v->values);
    if (v->counts == NULL || v->places == NULL || v->values == NULL)
        return 1;
    npb_random(&state);
    while (scale < rows)
        scale *= 2;
    for (int i = 0; i < rows; i++) {
        int *places = v->places + (size_t)i * v->length, count = 0, seen = 0;
        double *values = v->values + (size_t)i * v->length;
        while (count < nonzeros) {
            double value = npb_random(&state);
            int place = (int)(scale * npb_random(&state)), other = 0;
            while (other < count && places[other] != place)
                other++;
            if (place >= rows || other < count)
                continue;
            places[count] = place;
            values[count++] = value;
        }
        for (int k = 0; k < count; k++)
            if (places[k] == i) {
                values[k] = 0.5;
                seen = 1;
            }
        if (!seen) {
            places[count] = i;
            values[count++] = 0.5;
        }
        v->counts[i] = count;
    }
    return 0;
}

/* Finds, for each row of first, first + stride, ..., the indices into v->places where it occurs. starts: count + 1
 * numbers */
static int *cg_find_rows(const struct cg_vectors *v, int rows, int first, int stride, int count, int *starts)
{
    memset(starts, 0, ((size_t)count + 2) * sizeof *starts);
    int *found = NULL;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < rows; i++)
            for (int k = 0; k < v->counts[i]; k++) {
                int at = i * v->length + k, row = (v->places[at] - first) / stride;
                if (v->places[at] < first || row >= count || (v->places[at] - first) % stride != 0)
                    continue;
                if (pass == 0)
                    starts[row + 2]++;
                else
                    found[starts[row + 1]++] = at;
            }
        if (pass == 0) {
            for (int r = 0; r < count; r++)
                starts[r + 2] += starts[r + 1];
            found = malloc(((size_t)starts[count + 1] + 1) * sizeof *found);
            if (found == NULL)
                return NULL;
        }
    }
    return found;
}

static int cg_compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* Adds up a row in `sums` (zero before and after) and appends it to the matrix; most: the capacity. */
static int cg_add_row(int class, const struct cg_vectors *v, int row, const int *found, int found_count, double *sums,
                      char *has, struct cg_rows *to, int at)
{
    int begin = at;
    double ratio = pow(0.1, 1.0 / cg_classes[class].rows);
    for (int f = 0; f < found_count; f++) {
        int vector = found[f] / v->length, from = vector * v->length;
        double scale = pow(ratio, vector) * v->values[found[f]];
        for (int k = from; k < from + v->counts[vector]; k++) {
            int column = v->places[k];
            if (!has[column])
                to->columns[at++] = column;
            has[column] = 1;
            sums[column] += scale * v->values[k];
        }
    }
    sums[row] += 0.1 - cg_classes[class].shift;
    qsort(to->columns + begin, (size_t)(at - begin), sizeof *to->columns, cg_compare);
    for (int i = begin; i < at; i++) {
        to->values[i] = sums[to->columns[i]];
        sums[to->columns[i]] = 0;
        has[to->columns[i]] = 0;
    }
    return at;
}

/* Makes `count` rows from `first` on, `stride` apart. 0, or 1 if out of memory. */
static int cg_make_rows(int class, int first, int stride, int count, struct cg_rows *to)
{
    int rows = cg_classes[class].rows, at = 0;
    struct cg_vectors v;
    int *lists = malloc(((size_t)count + 2) * sizeof *lists);
    double *sums = calloc((size_t)rows, sizeof *sums);
    char *has = calloc((size_t)rows, 1);
    to->count = count;
    to->starts = calloc((size_t)count + 1, sizeof *to->starts);
    if (lists == NULL || sums == NULL || has == NULL || to->starts == NULL || cg_make_vectors(class, &v) != 0)
        return 1;
    int *found = cg_find_rows(&v, rows, first, stride, count, lists);
    if (found == NULL)
        return 1;
    size_t most = (size_t)lists[count] * (size_t)v.length + 1;
    to->columns = malloc(most * sizeof *to->columns);
    to->values = malloc(most * sizeof *to->values);
    if (to->columns == NULL || to->values == NULL)
        return 1;
    for (int r = 0; r < count; r++) {
        at = cg_add_row(class, &v, first + r * stride, found + lists[r], lists[r + 1] - lists[r], sums, has, to, at);
        to->starts[r + 1] = at;
    }
    free(lists);
    free(found);
    free(sums);
    free(has);
    free(v.counts);
    free(v.places);
    free(v.values);
    return 0;
}

static inline void cg_free_rows(struct cg_rows *rows)
{
    free(rows->starts);
    free(rows->columns);
    free(rows->values);
}

/* result = these rows of the matrix times x */
static inline void cg_multiply(const struct cg_rows *rows, const double *x, double *result)
{
    for (int r = 0; r < rows->count; r++) {
        double sum = 0;
        for (int i = rows->starts[r]; i < rows->starts[r + 1]; i++)
            sum += rows->values[i] * x[rows->columns[i]];
        result[r] = sum;
    }
}

static inline double cg_dot(const double *a, const double *b, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

static inline int cg_report(const char *form, int class, int n, double seconds, double zeta)
{
    const struct cg_class *is = &cg_classes[class];
    double filled = is->nonzeros * (is->nonzeros + 1);
    double operations = 2.0 * is->iterations * is->rows * (3 + filled + CG_STEPS * (5 + filled) + 3);
    char size[32];
    snprintf(size, sizeof size, "%d rows", is->rows);
    return npb_report("CG", form, class, size, n, operations, seconds, fabs(zeta - is->zeta) <= 1e-10 * is->zeta);
}

#endif
