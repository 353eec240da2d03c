/*
 * matmul: C = A * B for n x n matrices of doubles, in square blocks.
 *
 * usage: matmul [n [block]]        block must divide n
 *
 * A block is contiguous on one thread; block k (counted by rows of blocks) lives on thread k % THREADS.  The owner of a
 * block of C computes it: it fetches the blocks of A and B that it needs into private memory, one pair at a time, and
 * multiplies them there.
 *
 * Check: the elements are small whole numbers, so C is exact.  For weight vectors x and y, x C y must be equal to
 * (x A) (B y), which takes only n * n operations.  Both are computed modulo 2^64.
 */
#include <stdint.h>

#include "app.h"

static const char usage[] = "matmul [n [block]]";

static long n;      /* rows and columns of a matrix */
static long block;  /* rows and columns of a block */
static long blocks; /* blocks in a row of blocks */

/* The elements of A and B, and the weights of the check */
static double element_a(long i, long j)
{
    return (double)((7 * i + 3 * j) % 11 - 5);
}

static double element_b(long i, long j)
{
    return (double)((5 * i + 11 * j) % 13 - 6);
}

static uint64_t weight(long i)
{
    return (uint64_t)((i * 7919 + 104729) % 997 + 1);
}

/* A matrix as returned by upc_all_alloc, with its blocks dealt out to the threads in turn */
typedef shared void *matrix_t;

/* Block k: it is block k / THREADS in the memory of thread k % THREADS */
static shared [] double *block_at(matrix_t matrix, long k)
{
    shared char *on_thread = (shared char *)matrix + k % THREADS;
    return (shared [] double *)on_thread + k / THREADS * block * block;
}

static matrix_t matrix_new(void)
{
    matrix_t matrix = upc_all_alloc((size_t)(blocks * blocks), (size_t)(block * block) * sizeof(double));
    if (matrix == NULL) {
        if (MYTHREAD == 0)
            fprintf(stderr, "matmul: no memory for three matrices of %ld x %ld\n", n, n);
        exit(1);
    }
    return matrix;
}

static void fill(matrix_t matrix, double (*element)(long, long))
{
    long k;

    upc_forall (k = 0; k < blocks * blocks; k++; k) {
        double *mine = (double *)block_at(matrix, k);
        long top = k / blocks * block;
        long left = k % blocks * block;
        for (long i = 0; i < block; i++)
            for (long j = 0; j < block; j++)
                mine[i * block + j] = element(top + i, left + j);
    }
}

/* c += a * b for private blocks */
static void multiply_block(double *restrict c, const double *restrict a, const double *restrict b)
{
    for (long i = 0; i < block; i++)
        for (long k = 0; k < block; k++) {
            double factor = a[i * block + k];
            for (long j = 0; j < block; j++)
                c[i * block + j] += factor * b[k * block + j];
        }
}

static void multiply(matrix_t c, matrix_t a, matrix_t b)
{
    size_t bytes = (size_t)(block * block) * sizeof(double);
    double *copy_a = malloc(bytes);
    double *copy_b = malloc(bytes);
    long k;

    if (copy_a == NULL || copy_b == NULL) {
        fprintf(stderr, "thread %d: no memory for two blocks of %ld x %ld\n", MYTHREAD, block, block);
        upc_global_exit(1);
    }
    upc_forall (k = 0; k < blocks * blocks; k++; k) {
        long row = k / blocks;
        long column = k % blocks;
        double *mine = (double *)block_at(c, k);
        for (long at = 0; at < block * block; at++)
            mine[at] = 0;
        for (long inner = 0; inner < blocks; inner++) {
            upc_memget(copy_a, block_at(a, row * blocks + inner), bytes);
            upc_memget(copy_b, block_at(b, inner * blocks + column), bytes);
            multiply_block(mine, copy_a, copy_b);
        }
    }
    free(copy_a);
    free(copy_b);
}

static uint64_t whole(double value)
{
    return (uint64_t)(int64_t)value;
}

shared uint64_t left_side[THREADS], right_side[THREADS];

static int is_product(matrix_t c)
{
    uint64_t sum = 0;
    long k;

    upc_forall (k = 0; k < blocks * blocks; k++; k) {
        const double *mine = (const double *)block_at(c, k);
        for (long i = 0; i < block; i++)
            for (long j = 0; j < block; j++)
                sum += weight(k / blocks * block + i) * whole(mine[i * block + j]) * weight(k % blocks * block + j);
    }
    left_side[MYTHREAD] = sum;

    sum = 0;
    upc_forall (k = 0; k < n; k++; k) {
        uint64_t x_a = 0, b_y = 0;
        for (long i = 0; i < n; i++) {
            x_a += weight(i) * whole(element_a(i, k));
            b_y += whole(element_b(k, i)) * weight(i);
        }
        sum += x_a * b_y;
    }
    right_side[MYTHREAD] = sum;

    upc_barrier;
    uint64_t left = 0, right = 0;
    for (int t = 0; t < THREADS; t++) {
        left += left_side[t];
        right += right_side[t];
    }
    upc_barrier;
    return left == right;
}

int main(int argc, char **argv)
{
    if (argc > 3)
        app_usage(usage);
    n = app_argument(argc, argv, 1, 2400, 1, 20000, usage);
    block = app_argument(argc, argv, 2, n % 100 == 0 ? 100 : n, 1, n, usage);
    if (n % block != 0)
        app_usage("matmul [n [block]]        block must divide n");
    blocks = n / block;

    matrix_t a = matrix_new();
    matrix_t b = matrix_new();
    matrix_t c = matrix_new();
    fill(a, element_a);
    fill(b, element_b);

    upc_barrier;
    double start = app_seconds();
    multiply(c, a, b);
    upc_barrier;
    double seconds = app_seconds() - start;

    int wrong = !is_product(c);
    if (MYTHREAD == 0)
        printf("matmul: %ld x %ld in blocks of %ld, %.3f s, %.2f Gflop/s: %s\n", n, n, block, seconds,
               2e-9 * (double)n * (double)n * (double)n / seconds, wrong ? "WRONG" : "right");
    upc_all_free(a);
    upc_all_free(b);
    upc_all_free(c);
    return wrong;
}
