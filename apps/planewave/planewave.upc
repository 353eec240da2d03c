/*
 * planewave: moves a wave on a periodic grid forward in time by its plane waves: two all-to-all exchanges per step.
 *
 * usage: planewave [steps]
 *
 * Each pair of threads exchanges 24 KiB; the grid grows with THREADS (see wave.h).  A thread packs its blocks in its
 * own part of shared memory, and upc_all_exchange brings those of the others.
 *
 * Check: the wave starts as three plane waves, whose state at any time is known.
 */
#include <upc_collective.h>

#include "../app.h"
#include "wave.h"

static const char usage[] = "planewave [steps]";

#define STEP_TIME 0.01

/* Blocks from [to which thread] and [from which thread], on each thread */
static shared char *sent, *received;

static shared char *take_blocks(void)
{
    shared char *taken = upc_all_alloc(THREADS, THREADS * BLOCK_BYTES);
    if (taken == NULL) {
        fprintf(stderr, "thread %d: no memory for %zu bytes\n", MYTHREAD, THREADS * BLOCK_BYTES);
        upc_global_exit(1);
    }
    return taken;
}

/* Returns the seconds that the exchange took.  Threads wait only for their partners. */
static double exchange(void)
{
    double start = app_seconds();
    upc_all_exchange(received, sent, BLOCK_BYTES, UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
    return app_seconds() - start;
}

int main(int argc, char **argv)
{
    struct wave wave;
    if (argc > 2)
        app_usage(usage);
    long steps = app_argument(argc, argv, 1, 200, 1, 1000000, usage);
    sent = take_blocks();
    received = take_blocks();
    point_t *my_sent = (point_t *)(sent + MYTHREAD), *my_received = (point_t *)(received + MYTHREAD);
    if (wave_start(&wave, THREADS, MYTHREAD, STEP_TIME) != 0) {
        fprintf(stderr, "thread %d: no memory, or too many threads\n", MYTHREAD);
        upc_global_exit(1);
    }

    upc_barrier;
    double start = app_seconds(), in_exchange = 0;
    for (long step = 0; step < steps; step++) {
        before_exchange(&wave, my_sent);
        in_exchange += exchange();
        between_exchanges(&wave, my_received, my_sent);
        in_exchange += exchange();
        after_exchange(&wave, my_received);
    }
    upc_barrier;
    double seconds = app_seconds() - start;

    in_exchange = app_sum(in_exchange) / THREADS;
    double error = app_max(wave_error(&wave, STEP_TIME * (double)steps));
    int wrong = !(error <= 1e-9);
    if (MYTHREAD == 0)
        printf("planewave: %d x %d x %d points, %ld steps, %.3f s, of it %.3f s in exchanges, %.1f steps per second, "
               "largest error %.1e: %s\n",
               wave.side, wave.side, DEPTH, steps, seconds, in_exchange, (double)steps / seconds, error,
               wrong ? "WRONG" : "right");
    wave_end(&wave);
    upc_all_free(sent);
    upc_all_free(received);
    return wrong;
}
