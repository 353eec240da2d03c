/*
 * apps_c.h: the loops of apps.upc in C, over the same elements in private memory.  With OpenMP, inside a parallel
 * region, rows first .. last - 1 are divided among its threads; without it the caller computes them.
 */
#ifndef APPS_C_H
#define APPS_C_H

#include <math.h>

/* Rows are per thread. */
enum {
    HEAT_ROWS = 256,
    HEAT_COLUMNS = 512,
    PRODUCT_ROWS = 96,
    PRODUCT_INNER = 160,
    PRODUCT_COLUMNS = 192,
    IMAGE_ROWS = 256,
    IMAGE_COLUMNS = 1024,
    SPARSE_ROWS = 16384,         /* 1.2 MB with its vectors: in cache */
    SPARSE_LARGE_ROWS = 1 << 20, /* 75 MB: in memory */
    SPARSE_MOST = 4,             /* most nonzero elements in a row */
    SPARSE_REACH = 128,
};

typedef double heat_row[HEAT_COLUMNS];
typedef double left_row[PRODUCT_INNER];
typedef double product_row[PRODUCT_COLUMNS];
typedef unsigned char image_row[IMAGE_COLUMNS];

struct sparse_row {
    int count;
    int column[SPARSE_MOST];
    double value[SPARSE_MOST];
};

static void heat_c(heat_row *out, const heat_row *in, long first, long last, long rows)
{
#pragma omp for schedule(static) nowait
    for (long i = first; i < last; i++) {
        if (i == 0 || i == rows - 1)
            continue;
        for (long j = 1; j < HEAT_COLUMNS - 1; j++)
            out[i][j] = 0.25 * (in[i - 1][j] + in[i + 1][j] + in[i][j - 1] + in[i][j + 1]);
    }
}

static void product_c(product_row *out, const left_row *left, const product_row *right, long first, long last)
{
#pragma omp for schedule(static) nowait
    for (long i = first; i < last; i++) {
        for (long j = 0; j < PRODUCT_COLUMNS; j++)
            out[i][j] = 0;
        for (long k = 0; k < PRODUCT_INNER; k++) {
            double factor = left[i][k];
            for (long j = 0; j < PRODUCT_COLUMNS; j++)
                out[i][j] += factor * right[k][j];
        }
    }
}

/* The same in the order ijk, down the columns of `right` */
static void product_columns_c(product_row *out, const left_row *left, const product_row *right, long first, long last)
{
#pragma omp for schedule(static) nowait
    for (long i = first; i < last; i++)
        for (long j = 0; j < PRODUCT_COLUMNS; j++) {
            double sum = 0;
            for (long k = 0; k < PRODUCT_INNER; k++)
                sum += left[i][k] * right[k][j];
            out[i][j] = sum;
        }
}

static unsigned char edge(int gx, int gy)
{
    double value = sqrt((double)(gx * gx + gy * gy));
    return (unsigned char)(value > 255 ? 255 : value);
}

static void sobel_c(image_row *out, const image_row *in, long first, long last, long rows)
{
#pragma omp for schedule(static) nowait
    for (long y = first; y < last; y++) {
        if (y == 0 || y == rows - 1)
            continue;
        for (long x = 1; x < IMAGE_COLUMNS - 1; x++) {
            int gx = in[y - 1][x + 1] + 2 * in[y][x + 1] + in[y + 1][x + 1] - in[y - 1][x - 1] - 2 * in[y][x - 1] -
                     in[y + 1][x - 1];
            int gy = in[y + 1][x - 1] + 2 * in[y + 1][x] + in[y + 1][x + 1] - in[y - 1][x - 1] - 2 * in[y - 1][x] -
                     in[y - 1][x + 1];
            out[y][x] = edge(gx, gy);
        }
    }
}

static void sparse_c(double *out, const struct sparse_row *matrix, const double *in, long first, long last)
{
#pragma omp for schedule(static) nowait
    for (long i = first; i < last; i++) {
        double sum = 0;
        for (int k = 0; k < matrix[i].count; k++)
            sum += matrix[i].value[k] * in[matrix[i].column[k]];
        out[i] = sum;
    }
}

/* ---- Input; whole numbers, so that sums are exact ---- */

static double heat_at(long i, long j)
{
    return (double)((7 * i + 3 * j) % 1024);
}

static double left_at(long i, long k)
{
    return (double)((7 * i + 3 * k) % 11 - 5);
}

static double right_at(long k, long j)
{
    return (double)((5 * k + 11 * j) % 13 - 6);
}

static unsigned char image_at(long y, long x)
{
    return (unsigned char)((x * x + y * y) / 64);
}

static double vector_at(long i)
{
    return (double)(i % 97);
}

static struct sparse_row sparse_at(long i, long rows)
{
    const long neighbours[SPARSE_MOST] = {i - SPARSE_REACH, i - 1, i + 1, i + SPARSE_REACH};
    struct sparse_row row = {0};
    for (int k = 0; k < SPARSE_MOST; k++)
        if (neighbours[k] >= 0 && neighbours[k] < rows) {
            row.column[row.count] = (int)neighbours[k];
            row.value[row.count++] = 0.25;
        }
    return row;
}

/* A matrix, the vector that it is multiplied with, and the product */
struct sparse_product {
    struct sparse_row *matrix;
    double *in, *out;
};

static int sparse_product_new(struct sparse_product *p, long rows)
{
    p->matrix = calloc((size_t)rows, sizeof *p->matrix);
    p->in = calloc((size_t)rows, sizeof *p->in);
    p->out = calloc((size_t)rows, sizeof *p->out);
    if (!p->matrix || !p->in || !p->out)
        return 0;
    for (long i = 0; i < rows; i++) {
        p->matrix[i] = sparse_at(i, rows);
        p->in[i] = vector_at(i);
    }
    return 1;
}

/* The private arrays for `threads` threads; null if out of memory */
struct c_arrays {
    heat_row *heat, *heat_out;
    left_row *left;
    product_row *right, *product;
    image_row *image, *edges;
    struct sparse_product sparse, sparse_large;
};

static struct c_arrays *c_arrays_new(long threads)
{
    struct c_arrays *c = malloc(sizeof *c);
    if (c == NULL)
        return NULL;
    size_t n = (size_t)threads;
    c->heat = calloc(n * HEAT_ROWS, sizeof(heat_row));
    c->heat_out = calloc(n * HEAT_ROWS, sizeof(heat_row));
    c->left = calloc(n * PRODUCT_ROWS, sizeof(left_row));
    c->right = calloc(PRODUCT_INNER, sizeof(product_row));
    c->product = calloc(n * PRODUCT_ROWS, sizeof(product_row));
    c->image = calloc(n * IMAGE_ROWS, sizeof(image_row));
    c->edges = calloc(n * IMAGE_ROWS, sizeof(image_row));
    if (!c->heat || !c->heat_out || !c->left || !c->right || !c->product || !c->image || !c->edges ||
        !sparse_product_new(&c->sparse, threads * SPARSE_ROWS) ||
        !sparse_product_new(&c->sparse_large, threads * SPARSE_LARGE_ROWS))
        return NULL;
    for (long i = 0; i < threads * HEAT_ROWS; i++)
        for (long j = 0; j < HEAT_COLUMNS; j++)
            c->heat[i][j] = heat_at(i, j);
    for (long i = 0; i < threads * PRODUCT_ROWS; i++)
        for (long k = 0; k < PRODUCT_INNER; k++)
            c->left[i][k] = left_at(i, k);
    for (long k = 0; k < PRODUCT_INNER; k++)
        for (long j = 0; j < PRODUCT_COLUMNS; j++)
            c->right[k][j] = right_at(k, j);
    for (long y = 0; y < threads * IMAGE_ROWS; y++)
        for (long x = 0; x < IMAGE_COLUMNS; x++)
            c->image[y][x] = image_at(y, x);
    return c;
}

#endif
