/*
 * cg_expert: CG with a run of rows on each thread, and collectives.
 *
 * usage: cg_expert CLASS
 */
#include <bupc_collectivev.h>
#include <upc.h>
#include <upc_collective.h>

#include "cg_solve.h"

static shared char *runs, *wholes; /* on each thread: its run, and all runs */
static size_t run_bytes;           /* the same on all threads; the last run may not be full */

static double sum_all(double mine)
{
    return bupc_allv_reduce_all(double, mine, UPC_ADD);
}

static const double *all_of(const double *mine)
{
    memcpy((void *)&runs[MYTHREAD], mine, run_bytes);
    upc_all_gather_all(wholes, runs, run_bytes, UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
    return (const double *)&wholes[MYTHREAD];
}

int main(int argc, char **argv)
{
    struct cg_state state;
    int class = npb_class(argc, argv, MYTHREAD == 0);
    if (class < 0)
        return 2;
    int rows = cg_classes[class].rows, most = (rows + THREADS - 1) / THREADS;
    int first = MYTHREAD * most < rows ? MYTHREAD * most : rows;
    int end = first + most < rows ? first + most : rows;
    run_bytes = (size_t)most * sizeof(double);
    runs = upc_all_alloc(THREADS, run_bytes);
    wholes = upc_all_alloc(THREADS, THREADS * run_bytes);
    if (runs == NULL || wholes == NULL || cg_start(class, first, end, most, &state) != 0) {
        npb_no_memory(MYTHREAD);
        upc_global_exit(1);
    }
    cg_iterate(class, &state, 1); /* warm-up: touches the memory */
    upc_barrier;
    double start = app_seconds();
    double zeta = cg_iterate(class, &state, cg_classes[class].iterations);
    double seconds = app_seconds() - start;
    cg_end(&state);
    upc_all_free(runs);
    upc_all_free(wholes);
    return MYTHREAD == 0 ? cg_report("UPC expert", class, THREADS, seconds, zeta) : 0;
}
