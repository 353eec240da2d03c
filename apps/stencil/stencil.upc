/*
 * stencil: seven points in three dimensions, in UPC.
 *
 * usage: stencil SIDE STEPS
 *
 * Each thread's slab, for the current and for the next step, is in shared memory, so that neighbours can fetch planes
 * from it; the thread computes through private pointers.  Its first and last plane wait for the fetched planes, the
 * others do not.
 */
#include <bupc_collectivev.h>
#include <upc_nb.h>

#include "../app.h"
#include "stencil.h"

static const char usage[] = "stencil SIDE STEPS, up to 2000 and 1000000";

static shared[] double *shared slabs[2][THREADS];
static int side, first, planes;

/* The thread that has the plane before those of this thread, or behind them; -1 if there is none.  Some threads have no
 * planes. */
static int neighbour(int direction)
{
    int t = MYTHREAD + direction;
    while (t >= 0 && t < THREADS && stencil_first(side, THREADS, t) == stencil_first(side, THREADS, t + 1))
        t += direction;
    return t >= 0 && t < THREADS ? t : -1;
}

static int planes_of(int thread)
{
    return stencil_first(side, THREADS, thread + 1) - stencil_first(side, THREADS, thread);
}

static void step(int from, int before, int behind)
{
    const size_t plane = stencil_plane(side);
    double *now = (double *)slabs[from][MYTHREAD], *next = (double *)slabs[!from][MYTHREAD];
    upc_handle_t fetched[2] = {UPC_COMPLETE_HANDLE, UPC_COMPLETE_HANDLE};
    if (planes == 0)
        return;
    if (before >= 0)
        fetched[0] = upc_memget_nb(now, slabs[from][before] + planes_of(before) * plane, plane * sizeof *now);
    if (behind >= 0)
        fetched[1] = upc_memget_nb(now + (planes + 1) * plane, slabs[from][behind] + plane, plane * sizeof *now);
    for (int z = 2; z < planes; z++)
        stencil_rows(next, now, side, z, 1, side + 1);
    upc_sync(fetched[0]);
    upc_sync(fetched[1]);
    stencil_rows(next, now, side, 1, 1, side + 1);
    if (planes > 1)
        stencil_rows(next, now, side, planes, 1, side + 1);
}

int main(int argc, char **argv)
{
    int steps, from = 0;
    if (argc != 3 || !stencil_sizes(argc, argv, &side, &steps))
        app_usage(usage);
    first = stencil_first(side, THREADS, MYTHREAD);
    planes = planes_of(MYTHREAD);
    size_t bytes = (size_t)(planes + 2) * stencil_plane(side) * sizeof(double);
    for (int i = 0; i < 2; i++) {
        slabs[i][MYTHREAD] = upc_alloc(bytes);
        if (slabs[i][MYTHREAD] == NULL) {
            fprintf(stderr, "thread %d: no shared memory for %d planes; choose a smaller side\n", MYTHREAD, planes);
            upc_global_exit(1);
        }
        upc_memset(slabs[i][MYTHREAD], 0, bytes);
    }
    stencil_fill((double *)slabs[0][MYTHREAD], side, first, planes);
    int before = neighbour(-1), behind = neighbour(1);
    upc_barrier;
    double start = app_seconds();
    for (int i = 0; i < steps; i++) {
        step(from, before, behind);
        from = !from;
        upc_barrier;
    }
    double seconds = app_seconds() - start;
    unsigned long sum = stencil_sum((double *)slabs[from][MYTHREAD], side, first, planes);
    sum = bupc_allv_reduce_all(unsigned long, sum, UPC_ADD);
    upc_free(slabs[0][MYTHREAD]);
    upc_free(slabs[1][MYTHREAD]);
    int wrong = MYTHREAD == 0 ? stencil_report("UPC", side, steps, THREADS, seconds, sum) : 0;
    return wrong;
}
