/*
 * hello: every thread greets, in order of its number.
 *
 * usage: hello [rounds]
 *
 * A barrier is not a lock: to print in order, the threads take turns, one per barrier.  Check: every thread has left
 * its mark in a shared array, and thread 0 finds all marks.
 */
#include "app.h"

static const char usage[] = "hello [rounds]";

shared int greetings[THREADS];

int main(int argc, char **argv)
{
    if (argc > 2)
        app_usage(usage);
    long rounds = app_argument(argc, argv, 1, 1, 1, 1000000, usage);

    double start = app_seconds();
    for (long round = 0; round < rounds; round++) {
        for (int turn = 0; turn < THREADS; turn++) {
            if (turn == MYTHREAD) {
                printf("Hello from thread %d of %d\n", MYTHREAD, THREADS);
                fflush(stdout);
                greetings[MYTHREAD]++;
            }
            upc_barrier;
        }
    }
    double seconds = app_seconds() - start;

    int wrong = 0;
    if (MYTHREAD == 0) {
        for (int t = 0; t < THREADS; t++)
            wrong += greetings[t] != rounds;
        printf("hello: %ld greetings, %.0f per second: %s\n", rounds * THREADS, (double)(rounds * THREADS) / seconds,
               wrong ? "WRONG" : "right");
    }
    return wrong != 0;
}
