/*
 * network.upc: measures what banyan-sim has to know about the network between two hosts, with a thread on each.
 *
 * Run by banyan-tune --calibrate --hosts, which reads its output: a line of nanoseconds, and bytes per nanosecond.
 * Thread 0 measures, while thread 1 waits in a barrier, where it serves the network.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <upc.h>
#include <upc_collective.h>

enum {
    WORD_BYTES = 8,
    REPEATS = 101,
    FEW_MESSAGES = 64, /* lengths of two bursts; their difference gives the gap */
    MANY_MESSAGES = 256,
    BURSTS = 9,
    ROUNDS = 20
};
static const size_t small_block = 1 << 20, large_block = 4 << 20; /* the difference of their times is the link's */

static shared [] char *area; /* memory of thread 1 */
static char own[4 << 20];

static double now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

/* Leaves out most of what other programs add. */
static double lower_quarter(double *times, int count)
{
    qsort(times, (size_t)count, sizeof *times, compare);
    return times[count / 4];
}

static double word_fetched_ns(void)
{
    double times[REPEATS];
    for (int i = 0; i < REPEATS; i++) {
        double begin = now_ns();
        upc_memget(own, area, WORD_BYTES);
        times[i] = now_ns() - begin;
    }
    return lower_quarter(times, REPEATS);
}

/* The time until the sender may continue */
static double word_sent_ns(void)
{
    double times[REPEATS];
    for (int i = 0; i < REPEATS; i++) {
        double begin = now_ns();
        upc_memput(area, own, WORD_BYTES);
        times[i] = now_ns() - begin;
        upc_fence;
    }
    return lower_quarter(times, REPEATS);
}

/* The time of a burst of messages to different places, until all have arrived */
static double burst_ns(int count)
{
    double times[BURSTS];
    for (int i = 0; i < BURSTS; i++) {
        double begin = now_ns();
        for (int message = 0; message < count; message++)
            upc_memput(area + message * 64, own, WORD_BYTES);
        upc_fence;
        times[i] = now_ns() - begin;
    }
    return lower_quarter(times, BURSTS);
}

static double block_sent_ns(size_t bytes)
{
    double times[BURSTS];
    for (int i = 0; i < BURSTS; i++) {
        double begin = now_ns();
        upc_memput(area, own, bytes);
        upc_fence;
        times[i] = now_ns() - begin;
    }
    return lower_quarter(times, BURSTS);
}

/* The time until the other thread has a word that it waits for: half of there and back, as in collectives */
static double word_told_ns(void)
{
    static shared [WORD_BYTES] char src[WORD_BYTES * THREADS], dst[WORD_BYTES * THREADS];
    double times[BURSTS];
    for (int i = 0; i < BURSTS; i++) {
        double begin = now_ns();
        for (int j = 0; j < ROUNDS; j++) {
            upc_all_broadcast(dst, src, WORD_BYTES, UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
            upc_all_broadcast(dst, src + WORD_BYTES, WORD_BYTES, UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
        }
        times[i] = (now_ns() - begin) / (2 * ROUNDS);
    }
    return lower_quarter(times, BURSTS);
}

int main(void)
{
    static shared [] char *shared areas[THREADS];
    if (THREADS != 2)
        return EXIT_FAILURE;
    areas[MYTHREAD] = upc_alloc(large_block);
    upc_barrier;
    area = areas[1];
    double told = word_told_ns();
    if (MYTHREAD == 0) {
        double fetched = word_fetched_ns(), sent = word_sent_ns();
        double gap = (burst_ns(MANY_MESSAGES) - burst_ns(FEW_MESSAGES)) / (MANY_MESSAGES - FEW_MESSAGES);
        double difference = (double)(large_block - small_block);
        double sending = block_sent_ns(large_block) - block_sent_ns(small_block);
        printf("told %.0f sent %.0f fetched %.0f gap %.0f bandwidth %.4g\n", told, sent, fetched, gap,
               difference / sending);
    }
    upc_barrier;
    return EXIT_SUCCESS;
}
