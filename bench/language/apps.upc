/*
 * apps: the loops of heat, matrix product, edges and sparse matrix (in cache, and in memory) in plain UPC, compared
 * with the same loops in C (apps_c.h) in as many processes, each over its part of private arrays.  All threads work;
 * results are compared with those of C.
 */
#include "bench.h"

#include "apps_c.h"

static shared[HEAT_ROWS * HEAT_COLUMNS] double heat[HEAT_ROWS * THREADS][HEAT_COLUMNS],
    heat_out[HEAT_ROWS * THREADS][HEAT_COLUMNS];
static shared[PRODUCT_INNER] double left[PRODUCT_ROWS * THREADS][PRODUCT_INNER];
static shared[PRODUCT_COLUMNS] double product[PRODUCT_ROWS * THREADS][PRODUCT_COLUMNS];
/* of which the first PRODUCT_INNER are used */
static shared[PRODUCT_COLUMNS] double right[PRODUCT_INNER * THREADS][PRODUCT_COLUMNS];
static shared[IMAGE_COLUMNS] unsigned char image[IMAGE_ROWS * THREADS][IMAGE_COLUMNS],
    edges[IMAGE_ROWS * THREADS][IMAGE_COLUMNS];
#define SPARSE_ARRAYS(layout, name, rows)                                                                              \
    static shared layout struct sparse_row matrix_##name[(rows)*THREADS];                                              \
    static shared layout double in_##name[(rows)*THREADS], out_##name[(rows)*THREADS];
SPARSE_ARRAYS(, cyclic, SPARSE_ROWS)
SPARSE_ARRAYS([*], part, SPARSE_ROWS)
SPARSE_ARRAYS(, large_cyclic, SPARSE_LARGE_ROWS)
SPARSE_ARRAYS([*], large_part, SPARSE_LARGE_ROWS)
static struct c_arrays *c;

/* A loop in UPC, and an expression that tells whether the thread's own elements are wrong */
#define UPC_LOOP(function, loop, wrong)                                                                                \
    static double function##_upc(long count)                                                                           \
    {                                                                                                                  \
        long different = 0;                                                                                            \
        double start = bench_cpu_ns();                                                                                 \
        for (long pass = 0; pass < count; pass++) {                                                                    \
            loop                                                                                                       \
            bench_forget_memory();                                                                                     \
        }                                                                                                              \
        double ns = bench_cpu_ns() - start;                                                                            \
        wrong                                                                                                          \
        bench_expect(#function, different, 0);                                                                         \
        return ns;                                                                                                     \
    }

#define C_LOOP(function, rows, call)                                                                                   \
    static double function##_private(long count)                                                                       \
    {                                                                                                                  \
        const long first = (rows)*MYTHREAD, last = first + (rows), all = (rows)*THREADS;                               \
        (void)all;                                                                                                     \
        double start = bench_cpu_ns();                                                                                 \
        for (long pass = 0; pass < count; pass++) {                                                                    \
            call;                                                                                                      \
            bench_forget_memory();                                                                                     \
        }                                                                                                              \
        return bench_cpu_ns() - start;                                                                                 \
    }

UPC_LOOP(
    heat,
    upc_forall (long i = 1; i < HEAT_ROWS * THREADS - 1; i++; &heat_out[i][0])
        for (long j = 1; j < HEAT_COLUMNS - 1; j++)
            heat_out[i][j] = 0.25 * (heat[i - 1][j] + heat[i + 1][j] + heat[i][j - 1] + heat[i][j + 1]);
    ,
    upc_forall (long i = 0; i < HEAT_ROWS * THREADS; i++; &heat_out[i][0])
        for (long j = 0; j < HEAT_COLUMNS; j++)
            different += heat_out[i][j] != c->heat_out[i][j];)
C_LOOP(heat, HEAT_ROWS, heat_c(c->heat_out, (const heat_row *)c->heat, first, last, all))

UPC_LOOP(
    product,
    upc_forall (long i = 0; i < PRODUCT_ROWS * THREADS; i++; &product[i][0]) {
        for (long j = 0; j < PRODUCT_COLUMNS; j++)
            product[i][j] = 0;
        for (long k = 0; k < PRODUCT_INNER; k++) {
            double factor = left[i][k];
            for (long j = 0; j < PRODUCT_COLUMNS; j++)
                product[i][j] += factor * right[k][j];
        }
    },
    upc_forall (long i = 0; i < PRODUCT_ROWS * THREADS; i++; &product[i][0])
        for (long j = 0; j < PRODUCT_COLUMNS; j++)
            different += product[i][j] != c->product[i][j];)
C_LOOP(product, PRODUCT_ROWS,
       product_c(c->product, (const left_row *)c->left, (const product_row *)c->right, first, last))

UPC_LOOP(
    product_columns,
    upc_forall (long i = 0; i < PRODUCT_ROWS * THREADS; i++; &product[i][0])
        for (long j = 0; j < PRODUCT_COLUMNS; j++) {
            double sum = 0;
            for (long k = 0; k < PRODUCT_INNER; k++)
                sum += left[i][k] * right[k][j];
            product[i][j] = sum;
        },
    upc_forall (long i = 0; i < PRODUCT_ROWS * THREADS; i++; &product[i][0])
        for (long j = 0; j < PRODUCT_COLUMNS; j++)
            different += product[i][j] != c->product[i][j];)
C_LOOP(product_columns, PRODUCT_ROWS,
       product_columns_c(c->product, (const left_row *)c->left, (const product_row *)c->right, first, last))

UPC_LOOP(
    sobel,
    upc_forall (long y = 1; y < IMAGE_ROWS * THREADS - 1; y++; &edges[y][0])
        for (long x = 1; x < IMAGE_COLUMNS - 1; x++) {
            int gx = image[y - 1][x + 1] + 2 * image[y][x + 1] + image[y + 1][x + 1] -
                     image[y - 1][x - 1] - 2 * image[y][x - 1] - image[y + 1][x - 1];
            int gy = image[y + 1][x - 1] + 2 * image[y + 1][x] + image[y + 1][x + 1] -
                     image[y - 1][x - 1] - 2 * image[y - 1][x] - image[y - 1][x + 1];
            edges[y][x] = edge(gx, gy);
        },
    upc_forall (long y = 0; y < IMAGE_ROWS * THREADS; y++; &edges[y][0])
        for (long x = 0; x < IMAGE_COLUMNS; x++)
            different += edges[y][x] != c->edges[y][x];)
C_LOOP(sobel, IMAGE_ROWS, sobel_c(c->edges, (const image_row *)c->image, first, last, all))

#define SPARSE_LOOP(name, rows, expected)                                                                              \
    UPC_LOOP(                                                                                                          \
        sparse_##name,                                                                                                 \
        upc_forall (long i = 0; i < (rows)*THREADS; i++; &out_##name[i]) {                                             \
            double sum = 0;                                                                                            \
            for (int k = 0; k < matrix_##name[i].count; k++)                                                           \
                sum += matrix_##name[i].value[k] * in_##name[matrix_##name[i].column[k]];                              \
            out_##name[i] = sum;                                                                                       \
        },                                                                                                             \
        upc_forall (long i = 0; i < (rows)*THREADS; i++; &out_##name[i])                                               \
            different += out_##name[i] != (expected)[i];)

SPARSE_LOOP(cyclic, SPARSE_ROWS, c->sparse.out)
SPARSE_LOOP(part, SPARSE_ROWS, c->sparse.out)
SPARSE_LOOP(large_cyclic, SPARSE_LARGE_ROWS, c->sparse_large.out)
SPARSE_LOOP(large_part, SPARSE_LARGE_ROWS, c->sparse_large.out)
C_LOOP(sparse, SPARSE_ROWS, sparse_c(c->sparse.out, c->sparse.matrix, c->sparse.in, first, last))
C_LOOP(sparse_large, SPARSE_LARGE_ROWS,
       sparse_c(c->sparse_large.out, c->sparse_large.matrix, c->sparse_large.in, first, last))
/* C with rows dealt out as in UPC: the thread's own rows, which are contiguous, and all of the vector */
C_LOOP(sparse_dealt, SPARSE_LARGE_ROWS,
       sparse_c((double *)&out_large_cyclic[MYTHREAD], (const struct sparse_row *)&matrix_large_cyclic[MYTHREAD],
                c->sparse_large.in, 0, last - first))

static const struct bench_row table[] = {
    {"heat, by rows", "C in as many processes", heat_upc, heat_private, HEAT_ROWS * HEAT_COLUMNS,
     HEAT_ROWS * HEAT_COLUMNS},
    {"matrix product, by rows", "C in as many processes", product_upc, product_private,
     PRODUCT_ROWS * PRODUCT_INNER * PRODUCT_COLUMNS, PRODUCT_ROWS * PRODUCT_INNER * PRODUCT_COLUMNS},
    {"matrix product, down columns", "C in as many processes", product_columns_upc, product_columns_private,
     PRODUCT_ROWS * PRODUCT_INNER * PRODUCT_COLUMNS, PRODUCT_ROWS * PRODUCT_INNER * PRODUCT_COLUMNS},
    {"sobel, by rows", "C in as many processes", sobel_upc, sobel_private, IMAGE_ROWS * IMAGE_COLUMNS,
     IMAGE_ROWS * IMAGE_COLUMNS},
    {"sparse matrix times vector", "C in as many processes", sparse_cyclic_upc, sparse_private, SPARSE_ROWS,
     SPARSE_ROWS},
    {"sparse matrix times vector, [*]", "C in as many processes", sparse_part_upc, sparse_private, SPARSE_ROWS,
     SPARSE_ROWS},
    {"sparse matrix times vector, in memory", "C in as many processes", sparse_large_cyclic_upc, sparse_large_private,
     SPARSE_LARGE_ROWS, SPARSE_LARGE_ROWS},
    {"sparse matrix times vector, in memory", "C, rows dealt likewise", sparse_large_cyclic_upc, sparse_dealt_private,
     SPARSE_LARGE_ROWS, SPARSE_LARGE_ROWS},
    {"sparse matrix times vector, [*], in memory", "C in as many processes", sparse_large_part_upc,
     sparse_large_private, SPARSE_LARGE_ROWS,
     SPARSE_LARGE_ROWS},
    {0},
};

#define SPARSE_SET(name, rows)                                                                                         \
    upc_forall (long i = 0; i < (rows)*THREADS; i++; &matrix_##name[i]) {                                              \
        matrix_##name[i] = sparse_at(i, (rows)*THREADS);                                                               \
        in_##name[i] = vector_at(i);                                                                                   \
    }

static void set_up(void)
{
    c = c_arrays_new(THREADS);
    if (c == NULL) {
        fprintf(stderr, "apps: no memory for the private arrays\n");
        exit(1);
    }
    upc_forall (long i = 0; i < HEAT_ROWS * THREADS; i++; &heat[i][0])
        for (long j = 0; j < HEAT_COLUMNS; j++)
            heat[i][j] = heat_at(i, j);
    upc_forall (long i = 0; i < PRODUCT_ROWS * THREADS; i++; &left[i][0])
        for (long k = 0; k < PRODUCT_INNER; k++)
            left[i][k] = left_at(i, k);
    upc_forall (long k = 0; k < PRODUCT_INNER; k++; &right[k][0])
        for (long j = 0; j < PRODUCT_COLUMNS; j++)
            right[k][j] = right_at(k, j);
    upc_forall (long y = 0; y < IMAGE_ROWS * THREADS; y++; &image[y][0])
        for (long x = 0; x < IMAGE_COLUMNS; x++)
            image[y][x] = image_at(y, x);
    SPARSE_SET(cyclic, SPARSE_ROWS)
    SPARSE_SET(part, SPARSE_ROWS)
    SPARSE_SET(large_cyclic, SPARSE_LARGE_ROWS)
    SPARSE_SET(large_part, SPARSE_LARGE_ROWS)
    heat_c(c->heat_out, (const heat_row *)c->heat, 0, HEAT_ROWS * THREADS, HEAT_ROWS * THREADS);
    product_c(c->product, (const left_row *)c->left, (const product_row *)c->right, 0, PRODUCT_ROWS * THREADS);
    sobel_c(c->edges, (const image_row *)c->image, 0, IMAGE_ROWS * THREADS, IMAGE_ROWS * THREADS);
    sparse_c(c->sparse.out, c->sparse.matrix, c->sparse.in, 0, SPARSE_ROWS * THREADS);
    sparse_c(c->sparse_large.out, c->sparse_large.matrix, c->sparse_large.in, 0, SPARSE_LARGE_ROWS * THREADS);
    upc_barrier;
    /* the duration of a round is estimated from one that causes no first-touch page faults */
    for (int i = 0; table[i].name != NULL; i++)
        table[i].measured(1);
}

int main(int argc, char **argv)
{
    bench_start(argc, argv);
    set_up();
    bench_run(table);
    return 0;
}
