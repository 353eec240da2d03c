/* barrier.upc: barriers, split-phase barriers, and how much of a split-phase one is hidden behind work. */
#include "families.h"
#include "harness/now.h"

#include <upc_relaxed.h>

static long work_rounds;      /* of work that takes about as long as a barrier */
static double work_round_ns;
static volatile double work_value;

static void work(long rounds)
{
    double value = work_value;
    for (long i = 0; i < rounds; i++)
        value = value * 0.999 + 1;
    work_value = value;
}

/* Measures a barrier, and calibrates work of the same duration */
int barrier_setup(struct uoms_run *run)
{
    enum { BARRIERS = 100, ROUNDS = 20000 };
    if (run->bench->param != BARRIER_OVERLAP)
        return 0;
    double start = uoms_now_ns();
    for (int i = 0; i < BARRIERS; i++)
        upc_barrier;
    double barrier_ns = (uoms_now_ns() - start) / BARRIERS;
    /* The minimum of several, since another thread may use the core in between */
    work_round_ns = 1e9;
    for (int i = 0; i < 10; i++) {
        start = uoms_now_ns();
        work(ROUNDS);
        double round_ns = (uoms_now_ns() - start) / ROUNDS;
        work_round_ns = round_ns < work_round_ns ? round_ns : work_round_ns;
    }
    work_rounds = (long)(barrier_ns / work_round_ns) + 1;
    return 0;
}

void barrier_run(struct uoms_run *run, long count)
{
    switch (run->bench->param) {
    case BARRIER:
        for (long i = 0; i < count; i++)
            upc_barrier;
        break;
    case BARRIER_SPLIT:
        for (long i = 0; i < count; i++) {
            upc_notify;
            upc_wait;
        }
        break;
    default:
        for (long i = 0; i < count; i++) {
            upc_notify;
            work(work_rounds);
            upc_wait;
        }
        run->work_ns = work_round_ns * (double)work_rounds * (double)count;
    }
}
