/*
 * histogram: how often does each number occur?
 *
 * usage: histogram [updates-per-thread]
 *
 * The counters of the table are dealt out to the threads in turn, 1000 on each.  Check: every thread counts the numbers
 * that belong to its own counters once more by itself, and compares.
 */
#include <upc_atomic.h>

#include "bale.h"

static const char usage[] = "histogram [updates-per-thread]";

enum { PLACES = 1000 };

static shared uint64_t counts[PLACES * THREADS];
static uint64_t updates;

static uint64_t place_of(int thread, uint64_t i)
{
    return bale_random((uint64_t)thread, i, (uint64_t)PLACES * THREADS);
}

static int is_wrong(void)
{
    uint64_t *expected = bale_take(PLACES, sizeof *expected);
    int wrong = 0;
    for (int t = 0; t < THREADS; t++) {
        for (uint64_t i = 0; i < updates; i++) {
            uint64_t place = place_of(t, i);
            if (place % THREADS == (uint64_t)MYTHREAD)
                expected[place / THREADS]++;
        }
    }
    for (int i = 0; i < PLACES; i++) {
        wrong |= counts[i * THREADS + MYTHREAD] != expected[i];
        counts[i * THREADS + MYTHREAD] = 0;
    }
    free(expected);
    return wrong;
}

static int plain(double *seconds)
{
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_UINT64, UPC_INC, 0);
    upc_barrier;
    double start = app_seconds();
    for (uint64_t i = 0; i < updates; i++)
        upc_atomic_relaxed(domain, NULL, UPC_INC, &counts[place_of(MYTHREAD, i)], NULL, NULL);
    upc_barrier;
    *seconds = app_seconds() - start;
    upc_all_atomicdomain_free(domain);
    return is_wrong();
}

static void count(void *context, int from, const void *items, size_t item_count)
{
    uint64_t *mine = context;
    const uint64_t *places = items;
    (void)from;
    for (size_t i = 0; i < item_count; i++)
        mine[places[i]]++;
}

static int aggregated(double *seconds)
{
    banyan_aggregate_t *aggregate =
        banyan_aggregate_all_make(sizeof(uint64_t), 0, count, (uint64_t *)&counts[MYTHREAD]);
    upc_barrier;
    double start = app_seconds();
    for (uint64_t i = 0; i < updates; i++) {
        uint64_t place = place_of(MYTHREAD, i), mine = place / THREADS;
        banyan_aggregate_push(aggregate, (int)(place % THREADS), &mine);
    }
    banyan_aggregate_end(aggregate);
    upc_barrier;
    *seconds = app_seconds() - start;
    banyan_aggregate_all_free(aggregate);
    return is_wrong();
}

int main(int argc, char **argv)
{
    if (argc > 2)
        app_usage(usage);
    updates = (uint64_t)app_argument(argc, argv, 1, 100000, 1, 1000000000, usage);
    double all = (double)updates * THREADS;
    int wrong = bale_run("histogram", "plain", plain, all, "updates");
    return bale_run("histogram", "aggregated", aggregated, all, "updates") || wrong;
}
