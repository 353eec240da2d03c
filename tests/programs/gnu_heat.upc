// Heat conduction as tutorials for GNU UPC have it: grids in three dimensions, rows dealt out by affinity of
// pointers, the largest change by a lock, upc_poll without a header, exit status from main; names that identify the
// compiler.
// flags: -compat=gupc
// static: only
// threads: 1 2 4 8
// expect-stdout: ^\d+ iterations, center 0\.\d+
#include <upc_relaxed.h>
#include <stdio.h>
#include <math.h>
#include <string.h>

#if !defined(__GCC_UPC__) && !defined(__BERKELEY_UPC__) && !defined(_CRAYC)
#error "unknown UPC compiler"
#endif
#ifdef _CRAYC
#include <upc_cray.h>
#include <intrinsics.h>
#endif

#define N 16
#define BLOCKSIZE (N * N * N / THREADS < N * N ? N * N : N * N * N / THREADS)

shared [BLOCKSIZE] double grids[2][N][N][N];
shared double dTmax;
shared double dTmax_local[THREADS];
upc_lock_t *lock;

void initialize(void)
{
    int y, x;
    for (y = 1; y < N - 1; y++)
        upc_forall (x = 1; x < N - 1; x++; &grids[0][0][y][x])
            grids[0][0][y][x] = grids[1][0][y][x] = 1.0;
}

int main(void)
{
    double dT, epsilon = 0.0001, T;
    int finished = 0, nr_iter = 0, dg = 1, sg = 0, x, y, z, i;

    lock = upc_all_lock_alloc();
    initialize();
    upc_barrier;
    do {
        double local_max = 0.0;
        for (z = 1; z < N - 1; z++)
            for (y = 1; y < N - 1; y++)
                upc_forall (x = 1; x < N - 1; x++; &grids[sg][z][y][x]) {
                    T = (grids[sg][z + 1][y][x] + grids[sg][z - 1][y][x] + grids[sg][z][y - 1][x] +
                         grids[sg][z][y + 1][x] + grids[sg][z][y][x - 1] + grids[sg][z][y][x + 1]) / 6.0;
                    dT = T - grids[sg][z][y][x];
                    grids[dg][z][y][x] = T;
                    if (local_max < fabs(dT))
                        local_max = fabs(dT);
                }
        dTmax_local[MYTHREAD] = local_max;
        upc_barrier nr_iter;
        if (MYTHREAD == 0) {
            upc_lock(lock);
            dTmax = dTmax_local[0];
            for (i = 1; i < THREADS; i++)
                if (dTmax < dTmax_local[i])
                    dTmax = dTmax_local[i];
            upc_unlock(lock);
        } else
            upc_poll();
        upc_barrier nr_iter;
        if (dTmax < epsilon)
            finished = 1;
        else {
            dg = sg;
            sg = !sg;
        }
        nr_iter++;
    } while (!finished);
    upc_barrier;
    if (MYTHREAD == 0) {
        printf("%d iterations, center %.3f\n", nr_iter, grids[dg][N / 2][N / 2][N / 2]);
        upc_lock_free(lock);
    }
    return 0;
}
