// Measures what upc_memput, upc_memget and shared assignments cost, compared with the OpenSHMEM calls below them, on
// similar memory of thread 1, in turns within one run.  For each size and operation: the ratio of the medians, and the
// quartiles of the ratios of single rounds.
//
//     upcc -network=shmem -O2 bench/clusters/overhead.upc -o overhead && upcrun -n 2 ./overhead          near
//     UCX_TLS=tcp,self upcrun -n 2 ./overhead                                                           far
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>
#include <upc_tick.h>

void *shmem_malloc(size_t size);
void shmem_putmem(void *dst, const void *src, size_t bytes, int pe);
void shmem_getmem(void *dst, const void *src, size_t bytes, int pe);
void shmem_quiet(void);

enum { ROUNDS = 201, MOST = 64 << 10 };
enum { PUT, GET, ASSIGN, READ, OPERATIONS };
static const char *const names[] = {"put", "get", "assignment", "read"};

static char buffer[MOST];
static char *symmetric;
static shared [] char *remote;
static double bare[ROUNDS], ours[ROUNDS], ratios[ROUNDS];

static void call_bare(int operation, size_t bytes)
{
    if (operation == PUT || operation == ASSIGN) {
        shmem_putmem(symmetric, buffer, bytes, 1);
        shmem_quiet();
    } else {
        shmem_getmem(buffer, symmetric, bytes, 1);
    }
}

static void call_ours(int operation, size_t bytes)
{
    switch (operation) {
    case PUT: upc_memput(remote, buffer, bytes); upc_fence; break;
    case GET: upc_memget(buffer, remote, bytes); break;
    case ASSIGN: *(shared [] long *)remote = *(long *)buffer; upc_fence; break;
    default: *(volatile long *)buffer = *(shared [] long *)remote; upc_fence;
    }
}

static double time_of(void (*call)(int, size_t), int operation, size_t bytes, int repetitions)
{
    upc_tick_t start = upc_ticks_now();
    for (int i = 0; i < repetitions; i++)
        call(operation, bytes);
    return (double)upc_ticks_to_ns(upc_ticks_now() - start) / repetitions;
}

static int compare(const void *a, const void *b)
{
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static void measure(int operation, size_t bytes)
{
    int repetitions = bytes > 1024 ? 5 : 20;
    for (int round = 0; round < ROUNDS; round++) {
        if (round % 2)
            bare[round] = time_of(call_bare, operation, bytes, repetitions);
        ours[round] = time_of(call_ours, operation, bytes, repetitions);
        if (round % 2 == 0)
            bare[round] = time_of(call_bare, operation, bytes, repetitions);
        ratios[round] = ours[round] / bare[round];
    }
    qsort(bare, ROUNDS, sizeof bare[0], compare);
    qsort(ours, ROUNDS, sizeof ours[0], compare);
    qsort(ratios, ROUNDS, sizeof ratios[0], compare);
    printf("%-10s %6zu bytes  %10.0f ns  bare %10.0f ns  ratio %.3f  (%.2f to %.2f)\n", names[operation], bytes,
           ours[ROUNDS / 2], bare[ROUNDS / 2], ours[ROUNDS / 2] / bare[ROUNDS / 2], ratios[ROUNDS / 4],
           ratios[3 * ROUNDS / 4]);
    fflush(stdout);
}

shared [] char *shared parts[THREADS];

int main(void)
{
    symmetric = shmem_malloc(MOST);
    parts[MYTHREAD] = upc_alloc(MOST);
    upc_barrier;
    remote = parts[THREADS == 1 ? 0 : 1];
    if (MYTHREAD == 0 && THREADS == 2) {
        static const size_t sizes[] = {8, 1024, MOST};
        for (int i = 0; i < 3; i++) {
            measure(PUT, sizes[i]);
            measure(GET, sizes[i]);
        }
        measure(ASSIGN, sizeof(long));
        measure(READ, sizeof(long));
    } else if (THREADS != 2) {
        printf("overhead: run by two threads\n");
    }
    upc_barrier;
    return 0;
}
