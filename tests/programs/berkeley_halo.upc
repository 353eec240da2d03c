// A stencil in two dimensions as programs for Berkeley UPC have it: blocks by a directory of pointers, columns by
// strided copies that are waited for together, rows by bupc_memput_signal.  Against the same steps on one thread.
// flags: -compat=bupc
// expect-stdout: ^stencil .* difference 0$
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upc_relaxed.h>
#include <bupc_collectivev.h>

#define NX 20 /* cells of a thread, without the halo */
#define NY 12
#define STEPS 10
#define W (NX + 2)
#define AT(a, y, x) ((a)[(y) * W + (x)])

typedef shared [] double *block_ptr;
shared block_ptr directory[2][THREADS];
bupc_sem_t *shared from_below[THREADS], *shared from_above[THREADS];

static int px, py;

static void step(const double *from, double *to, int w, int h, int stride)
{
    for (int y = 1; y <= h; y++)
        for (int x = 1; x <= w; x++)
            to[y * stride + x] = 0.25 * (from[(y - 1) * stride + x] + from[(y + 1) * stride + x] +
                                         from[y * stride + x - 1] + from[y * stride + x + 1]);
}

static double start_value(int y, int x)
{
    return (double)((y * 31 + x * 17) % 101);
}

static double sequential(double *result)
{
    int w = NX * px, h = NY * py, stride = w + 2;
    double *a = calloc((size_t)stride * (h + 2), sizeof(double)), *b = calloc((size_t)stride * (h + 2), sizeof(double));
    for (int y = 1; y <= h; y++)
        for (int x = 1; x <= w; x++)
            a[y * stride + x] = start_value(y, x);
    for (int i = 0; i < STEPS; i++) {
        step(a, b, w, h, stride);
        double *t = a;
        a = b;
        b = t;
    }
    int y0 = MYTHREAD / px * NY, x0 = MYTHREAD % px * NX;
    double sum = 0;
    for (int y = 1; y <= NY; y++)
        for (int x = 1; x <= NX; x++) {
            AT(result, y, x) = a[(y0 + y) * stride + x0 + x];
            sum += AT(result, y, x);
        }
    free(a);
    free(b);
    return sum;
}

static void exchange(int which)
{
    int me = MYTHREAD, x = me % px, y = me / px;
    double *mine = (double *)directory[which][me];
    bupc_handle_t handles[2];
    int pending = 0;
    const size_t strides[1] = {W * sizeof(double)}, count[2] = {sizeof(double), NY};

    if (y > 0)
        bupc_memput_signal(directory[which][me - px] + (NY + 1) * W + 1, mine + W + 1, NX * sizeof(double),
                           from_below[me - px], 1);
    if (y < py - 1)
        bupc_memput_signal_async(directory[which][me + px] + 1, mine + NY * W + 1, NX * sizeof(double),
                                 from_above[me + px], 1);
    if (x > 0)
        handles[pending++] = bupc_memput_strided_async(directory[which][me - 1] + W + NX + 1, strides, mine + W + 1,
                                                       strides, count, 1);
    if (x < px - 1)
        handles[pending++] = bupc_memput_strided_async(directory[which][me + 1] + W, strides, mine + W + NX, strides,
                                                       count, 1);
    bupc_waitsync_all(handles, pending);
    if (y < py - 1)
        bupc_sem_wait(from_below[me]);
    if (y > 0)
        bupc_sem_wait(from_above[me]);
    upc_barrier;
}

int main(int argc, char **argv)
{
    for (px = 1; (px + 1) * (px + 1) <= THREADS; px++)
        ;
    while (THREADS % px)
        px--;
    py = THREADS / px;
    for (int i = 0; i < 2; i++) {
        directory[i][MYTHREAD] = (block_ptr)upc_alloc((NY + 2) * W * sizeof(double));
        upc_memset(directory[i][MYTHREAD], 0, (NY + 2) * W * sizeof(double));
    }
    from_below[MYTHREAD] = bupc_sem_alloc(BUPC_SEM_INTEGER | BUPC_SEM_SPRODUCER | BUPC_SEM_SCONSUMER);
    from_above[MYTHREAD] = bupc_sem_alloc(0);
    for (int y = 1; y <= NY; y++)
        for (int x = 1; x <= NX; x++)
            AT(directory[0][MYTHREAD], y, x) = start_value(MYTHREAD / px * NY + y, MYTHREAD % px * NX + x);
    upc_barrier;

    for (int i = 0; i < STEPS; i++) {
        exchange(i & 1);
        step((double *)directory[i & 1][MYTHREAD], (double *)directory[!(i & 1)][MYTHREAD], NX, NY, W);
    }
    double *expected = calloc((NY + 2) * W, sizeof(double)), *got = (double *)directory[STEPS & 1][MYTHREAD];
    double sum = sequential(expected), difference = 0;
    for (int y = 1; y <= NY; y++)
        for (int x = 1; x <= NX; x++)
            difference = fmax(difference, fabs(AT(got, y, x) - AT(expected, y, x)));
    double largest = bupc_allv_reduce_all(double, difference, UPC_MAX);
    double total = bupc_allv_reduce(double, sum, 0, UPC_ADD);
    if (MYTHREAD == 0)
        printf("stencil %d x %d threads, sum %g, difference %g\n", px, py, total, largest);
    free(expected);
    bupc_sem_free(from_below[MYTHREAD]);
    bupc_sem_free(from_above[MYTHREAD]);
    upc_free(directory[0][MYTHREAD]);
    upc_free(directory[1][MYTHREAD]);
    return 0;
}
