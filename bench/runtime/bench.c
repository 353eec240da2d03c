#include "bench.h"

#include "platform/clock.h"
#include "platform/memory.h"
#include "upc/context.h"
#include "upc/start/runtime.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WARM_UP_ROUNDS = 5, SHARED_BYTES = 65536, HEAP_BYTES = 256 << 20 };

static void *shared;
static int rounds;

int bench_thread(void)
{
    return bn_self.mythread;
}

int bench_thread_count(void)
{
    return bn_self.threads;
}

void *bench_shared(void)
{
    return shared;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double sample(const struct bench_contest *contest, int way)
{
    bn_runtime_barrier();
    uint64_t start_ns = bn_clock_ns();
    contest->ways[way].run(contest->repetitions);
    return (double)(bn_clock_ns() - start_ns) / contest->repetitions;
}

static void run_thread(const struct bench_contest *contest)
{
    double *samples = calloc((size_t)contest->way_count * (size_t)rounds, sizeof *samples);
    if (contest->prepare)
        contest->prepare();
    for (int round = rounds < WARM_UP_ROUNDS ? -rounds : -WARM_UP_ROUNDS; round < rounds; round++)
        for (int way = 0; way < contest->way_count; way++) {
            double ns = sample(contest, way);
            if (round >= 0)
                samples[way * rounds + round] = ns;
        }
    if (bench_thread() == 0) {
        double first = 0;
        for (int way = 0; way < contest->way_count; way++) {
            double *own = &samples[way * rounds];
            qsort(own, (size_t)rounds, sizeof *own, compare);
            if (way == 0)
                first = own[rounds / 2];
            printf("%-34s %3d  %-34s %10.1f %10.1f %8.2f\n", contest->title, contest->thread_count,
                   contest->ways[way].name, own[rounds / 2], own[0], own[rounds / 2] / first);
        }
        fflush(stdout);
    }
    free(samples);
    bn_runtime_finish();
}

static void pin(int thread)
{
    cpu_set_t usable, one;
    sched_getaffinity(0, sizeof usable, &usable);
    int place = thread % CPU_COUNT(&usable);
    for (int core = 0; core < CPU_SETSIZE; core++) {
        if (!CPU_ISSET(core, &usable) || place-- > 0)
            continue;
        CPU_ZERO(&one);
        CPU_SET(core, &one);
        sched_setaffinity(0, sizeof one, &one);
        return;
    }
}

static void run_job(const struct bench_contest *contest)
{
    cpu_set_t usable;
    sched_getaffinity(0, sizeof usable, &usable);
    if (bn_memory_share(SHARED_BYTES, &shared) != BN_OK ||
        bn_runtime_create(NULL, contest->thread_count, CPU_COUNT(&usable), HEAP_BYTES) != BN_OK)
        exit(1);
    for (int thread = 0; thread < contest->thread_count; thread++) {
        if (fork() != 0)
            continue;
        pin(thread);
        bn_runtime_attach(thread);
        run_thread(contest);
        exit(0);
    }
    while (wait(NULL) > 0)
        continue;
    exit(0);
}

void bench_run(const struct bench_contest *contest)
{
    static bool has_head;
    const char *wish = getenv("ROUNDS");
    rounds = wish && atoi(wish) > 0 ? atoi(wish) : 101;
    if (!has_head)
        printf("%-34s %3s  %-34s %10s %10s %8s\n", "what", "n", "way", "median ns", "min ns", "ratio");
    has_head = true;
    fflush(stdout);
    /* The window can be made only once per process. */
    pid_t job = fork();
    if (job == 0)
        run_job(contest);
    waitpid(job, NULL, 0);
}
