/*
 * threads_upc OPERATION,... BYTES,... SECONDS: the same as threads.c in UPC, where pairs are UPC threads: as POSIX
 * threads of a few processes (upcc -pthreads) or as processes.
 *
 *     throughput   each of the first half puts windows of 64 messages to its partner, upc_memput_nb, upc_sync
 *     latency      ping-pong by upc_memput and a strict flag
 *     n2n          such windows to every other thread
 *     put, get     to or from the thread half of all threads further on, upc_memput and upc_fence, upc_memget
 *     accumulate   upc_atomic_relaxed and upc_fence there, of 8 bytes whatever BYTES says
 *
 * Prints a line for each: operation, bytes, and messages of all per second (latency: microseconds for one way).
 */
#include <upc_relaxed.h>
#include <upc_atomic.h>
#include <upc_nb.h>

#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WINDOW = 64, NAME_BYTES = 32 };

static shared [] char *shared memory[THREADS]; /* per thread, written by others */
static strict shared long flag[THREADS];
static shared int64_t sums[THREADS];
static shared double seconds_of[THREADS];
static shared long done_of[THREADS];
static upc_atomicdomain_t *domain;

static char operation[NAME_BYTES];
static size_t bytes;
static char *data;
static long turn; /* number of ping-pongs, over all operations */

static int partner(void)
{
    return (MYTHREAD + THREADS / 2) % THREADS;
}

static int is_sender(void)
{
    return MYTHREAD < THREADS / 2;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static long window_to(int thread)
{
    upc_handle_t handles[WINDOW];
    for (int i = 0; i < WINDOW; i++)
        handles[i] = upc_memput_nb(memory[thread], data, bytes);
    for (int i = 0; i < WINDOW; i++)
        upc_sync(handles[i]);
    return WINDOW;
}

static void say(void)
{
    upc_memput(memory[partner()], data, bytes);
    flag[partner()] = turn; /* a strict access, ordered after the data */
}

static void await(void)
{
    while (flag[MYTHREAD] < turn) {
        upc_poll();
        sched_yield(); /* there may be more threads than cores */
    }
}

/* One round; returns how many messages it counts */
static long go(void)
{
    if (strcmp(operation, "throughput") == 0)
        return is_sender() ? window_to(partner()) : 0;
    if (strcmp(operation, "n2n") == 0) {
        long count = 0;
        for (int step = 1; step < THREADS; step++)
            count += window_to((MYTHREAD + step) % THREADS);
        return count;
    }
    if (strcmp(operation, "latency") == 0) {
        turn++;
        if (is_sender())
            say();
        await();
        if (!is_sender())
            say();
        return 1;
    }
    if (strcmp(operation, "put") == 0) {
        upc_memput(memory[partner()], data, bytes);
        upc_fence;
    } else if (strcmp(operation, "get") == 0) {
        upc_memget(data, memory[partner()], bytes);
    } else {
        int64_t one = 1;
        upc_atomic_relaxed(domain, NULL, UPC_ADD, &sums[partner()], &one, NULL);
        upc_fence;
    }
    return 1;
}

/* All threads make the same number of rounds. */
static void measure(double enough)
{
    for (long rounds = 1;; rounds *= 2) {
        long done = 0;
        upc_barrier;
        double begin = now();
        for (long i = 0; i < rounds; i++)
            done += go();
        seconds_of[MYTHREAD] = now() - begin;
        done_of[MYTHREAD] = done;
        upc_barrier;
        if (seconds_of[0] >= enough)
            return;
        upc_barrier;
    }
}

static void report(void)
{
    double slowest = 0, sum = 0;
    if (MYTHREAD == 0) {
        for (int i = 0; i < THREADS; i++) {
            slowest = seconds_of[i] > slowest ? seconds_of[i] : slowest;
            sum += (double)done_of[i];
        }
        int is_latency = strcmp(operation, "latency") == 0;
        printf("%s %zu %.4f\n", operation, bytes,
               is_latency ? slowest / ((double)done_of[0] * 2) * 1e6 : sum / slowest);
        fflush(stdout);
    }
    upc_barrier;
}

/* The next word of a comma-separated list; 0 at its end */
static int next_word(const char **list, char *word)
{
    size_t length = strcspn(*list, ",");
    if (length == 0 || length >= NAME_BYTES)
        return 0;
    memcpy(word, *list, length);
    word[length] = '\0';
    *list += length + ((*list)[length] == ',');
    return 1;
}

int main(int argc, char **argv)
{
    char size[NAME_BYTES];
    size_t room = 8;
    if (argc != 4 || THREADS % 2 != 0) {
        if (MYTHREAD == 0)
            fputs("usage: threads_upc OPERATION,... BYTES,... SECONDS, on an even number of threads\n", stderr);
        return 2;
    }
    for (const char *sizes = argv[2]; next_word(&sizes, size);)
        room = strtoul(size, NULL, 10) > room ? strtoul(size, NULL, 10) : room;
    memory[MYTHREAD] = upc_alloc(room);
    data = calloc(1, room);
    domain = upc_all_atomicdomain_alloc(UPC_INT64, UPC_ADD, 0);
    upc_barrier;
    for (const char *operations = argv[1]; next_word(&operations, operation);) {
        for (const char *sizes = argv[2]; next_word(&sizes, size);) {
            bytes = strtoul(size, NULL, 10);
            measure(atof(argv[3]));
            report();
        }
    }
    upc_all_atomicdomain_free(domain);
    free(data);
    return 0;
}
