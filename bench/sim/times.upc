/*
 * times.upc: how long each way of each collective takes on these threads, as JSON for validate.
 *
 *     times BYTES...
 *
 * All threads call at a time agreed on before, since they leave a barrier as far apart as a message takes.  Measured is
 * the time from then until all have returned, with synchronisation of all at both ends; the minimum of several calls,
 * since late threads add to it.  So all hosts must share one clock, as namespaces of one machine do.
 */
#include <banyan/coll.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <upc.h>
#include <upc_collective.h>

enum { CALLS = 3, WAYS_MAX = 64, BARRIERS = 20 };
static const double patience = 5; /* in multiples of a barrier's time: until all know when to call */

static const char *const operations[] = {"broadcast", "scatter", "gather", "gather_all", "exchange", "permute"};
enum { OPERATION_COUNT = sizeof operations / sizeof operations[0] };

static shared [CALLS] double returned[CALLS * THREADS];
static shared [CALLS] double calls[CALLS * THREADS]; /* when each thread has to call */
static double barrier_ns;
static shared int targets[THREADS];
static shared void *src, *dst;

static double now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void carry_out(const char *operation, size_t nbytes)
{
    const upc_flag_t sync = UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC;
    if (strcmp(operation, "broadcast") == 0)
        upc_all_broadcast(dst, src, nbytes, sync);
    else if (strcmp(operation, "scatter") == 0)
        upc_all_scatter(dst, src, nbytes, sync);
    else if (strcmp(operation, "gather") == 0)
        upc_all_gather(dst, src, nbytes, sync);
    else if (strcmp(operation, "gather_all") == 0)
        upc_all_gather_all(dst, src, nbytes, sync);
    else if (strcmp(operation, "exchange") == 0)
        upc_all_exchange(dst, src, nbytes, sync);
    else
        upc_all_permute(dst, src, (shared const int *)targets, nbytes, sync);
}

static double least_ns(void)
{
    double least = 0;
    for (int i = 1; i < CALLS; i++) {
        double last = 0;
        for (int thread = 0; thread < THREADS; thread++) {
            double end = returned[thread * CALLS + i];
            last = end > last ? end : last;
        }
        least = i == 1 || last - calls[i] < least ? last - calls[i] : least;
    }
    return least;
}

/* Sleeps, since there may be more threads than cores, and polls the clock for the rest. */
static void wait_until(double ns)
{
    const double rest_ns = 1e6;
    double sleep_ns = ns - now_ns() - rest_ns;
    if (sleep_ns > 0) {
        struct timespec time = {(time_t)(sleep_ns / 1e9), (long)fmod(sleep_ns, 1e9)};
        nanosleep(&time, NULL);
    }
    while (now_ns() < ns)
        sched_yield();
}

static double time_way(const char *operation, const char *way, size_t nbytes)
{
    double ends[CALLS];
    bn_coll_use_way(operation, way);
    for (int i = 0; i < CALLS; i++) {
        double call = now_ns() + patience * barrier_ns;
        for (int thread = 0; thread < THREADS && MYTHREAD == 0; thread++)
            calls[thread * CALLS + i] = call;
        upc_barrier;
        wait_until(calls[MYTHREAD * CALLS + i]);
        carry_out(operation, nbytes);
        ends[i] = now_ns();
    }
    bn_coll_use_way(operation, NULL);
    upc_memput(&returned[MYTHREAD * CALLS], ends, sizeof ends);
    upc_barrier;
    double ns = MYTHREAD == 0 ? least_ns() : 0;
    upc_barrier;
    return ns;
}

static int can_carry(const char *operation, const char *way, size_t nbytes)
{
    size_t limit = bn_coll_way_limit(operation, way);
    return (limit == 0 || nbytes <= limit) && strcmp(way, "native") != 0;
}

static void time_cell(const char *operation, size_t nbytes, int is_first)
{
    const char *ways[WAYS_MAX];
    double least[WAYS_MAX];
    int count = bn_coll_ways(operation, ways, WAYS_MAX);
    for (int way = 0; way < count; way++) {
        if (can_carry(operation, ways[way], nbytes))
            least[way] = time_way(operation, ways[way], nbytes);
    }
    if (MYTHREAD != 0)
        return;
    printf("%s{\"operation\": \"%s\", \"threads\": %d, \"bytes\": %zu, \"runs\": [", is_first ? "" : ",\n ", operation,
           THREADS, nbytes);
    const char *comma = "";
    for (int way = 0; way < count; way++) {
        if (!can_carry(operation, ways[way], nbytes))
            continue;
        printf("%s{\"way\": \"%s\", \"ns\": %.0f}", comma, ways[way], least[way]);
        comma = ", ";
    }
    printf("]}");
}

int main(int argc, char **argv)
{
    size_t largest = 0;
    for (int i = 1; i < argc; i++) {
        size_t nbytes = (size_t)atol(argv[i]);
        largest = nbytes > largest ? nbytes : largest;
    }
    src = upc_all_alloc(THREADS, largest * THREADS);
    dst = upc_all_alloc(THREADS, largest * THREADS);
    targets[MYTHREAD] = (MYTHREAD + 1) % THREADS;
    upc_barrier;
    barrier_ns = now_ns();
    for (int i = 0; i < BARRIERS; i++)
        upc_barrier;
    barrier_ns = (now_ns() - barrier_ns) / BARRIERS;
    if (MYTHREAD == 0)
        printf("{\"cells\": [");
    for (int operation = 0; operation < OPERATION_COUNT; operation++) {
        for (int i = 1; i < argc; i++)
            time_cell(operations[operation], (size_t)atol(argv[i]), operation == 0 && i == 1);
    }
    if (MYTHREAD == 0)
        printf("]}\n");
    return EXIT_SUCCESS;
}
