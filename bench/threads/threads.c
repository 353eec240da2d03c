/*
 * threads OPERATION,... BYTES,... THREADS SECONDS [progress] [created]: pairs of threads of MPI processes that all
 * communicate.
 *
 *     throughput   each of the first half sends windows of 64 messages to its partner, MPI_Isend, MPI_Irecv,
 *                  MPI_Waitall, all of the same tag on one communicator, so that any thread may get any message
 *     latency      ping-pong by MPI_Send and MPI_Recv, on the same communicator
 *     n2n          windows to and from every other process, from every thread
 *     self         windows of each thread to its own process: the cost of calls, whatever else runs on the machine
 *     put, get, accumulate   to the next process, MPI_Win_flush after each
 *
 * Two processes of T threads, or 2 T processes of one thread, have the same T pairs.  Prints a line for each:
 * operation, bytes, and messages, or transfers, of all per second (throughput, n2n, put...), or microseconds for one
 * way (latency). progress: one more thread of each process drives MPI meanwhile, by MPI_Iprobe. created: windows are on
 * memory that the program has allocated (MPI_Win_create), not from MPI_Win_allocate.
 */
#include <mpi.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 64, MOST_THREADS = 64, NAME_BYTES = 32 };

static struct {
    char operation[NAME_BYTES];
    int bytes, threads, rank, size;
    double seconds;
    MPI_Win window;
    char *memory;
    pthread_barrier_t barrier;
} job;

/* Per thread; done and us are its result. */
struct pair {
    int thread;
    long done;
    double seconds;
};

static bool is_sender(void)
{
    return job.rank < job.size / 2;
}

static int partner(void)
{
    return (job.rank + job.size / 2) % job.size;
}

/* data: the data to send, followed by room for the data received */
static void windows(char *data, int to, int from, bool sends, bool receives)
{
    MPI_Request requests[2 * WINDOW];
    int count = 0;
    for (int i = 0; receives && i < WINDOW; i++)
        MPI_Irecv(data + job.bytes, job.bytes, MPI_BYTE, from, 0, MPI_COMM_WORLD, &requests[count++]);
    for (int i = 0; sends && i < WINDOW; i++)
        MPI_Isend(data, job.bytes, MPI_BYTE, to, 0, MPI_COMM_WORLD, &requests[count++]);
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

/* One round; returns how many messages it counts */
static int go(char *data)
{
    if (strcmp(job.operation, "throughput") == 0) {
        windows(data, partner(), partner(), is_sender(), !is_sender());
        return is_sender() ? WINDOW : 0;
    }
    if (strcmp(job.operation, "n2n") == 0) {
        for (int step = 1; step < job.size; step++)
            windows(data, (job.rank + step) % job.size, (job.rank + job.size - step) % job.size, true, true);
        return WINDOW * (job.size - 1);
    }
    if (strcmp(job.operation, "self") == 0) {
        windows(data, job.rank, job.rank, true, true);
        return WINDOW;
    }
    if (strcmp(job.operation, "latency") == 0) {
        if (is_sender())
            MPI_Send(data, job.bytes, MPI_BYTE, partner(), 0, MPI_COMM_WORLD);
        MPI_Recv(data, job.bytes, MPI_BYTE, partner(), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (!is_sender())
            MPI_Send(data, job.bytes, MPI_BYTE, partner(), 0, MPI_COMM_WORLD);
        return 1;
    }
    int target = (job.rank + 1) % job.size;
    if (strcmp(job.operation, "put") == 0)
        MPI_Put(data, job.bytes, MPI_BYTE, target, 0, job.bytes, MPI_BYTE, job.window);
    else if (strcmp(job.operation, "get") == 0)
        MPI_Get(data, job.bytes, MPI_BYTE, target, 0, job.bytes, MPI_BYTE, job.window);
    else
        MPI_Accumulate(data, job.bytes, MPI_BYTE, target, 0, job.bytes, MPI_BYTE, MPI_REPLACE, job.window);
    MPI_Win_flush(target, job.window);
    return 1;
}

/* All threads of all processes make the same number of rounds, so that every message has a receiver. */
static void *run(void *context)
{
    struct pair *pair = context;
    static long rounds;
    char *data = calloc(2, (size_t)job.bytes);
    for (long tried = 1;; tried *= 2) {
        pthread_barrier_wait(&job.barrier);
        if (pair->thread == 0)
            MPI_Barrier(MPI_COMM_WORLD);
        pthread_barrier_wait(&job.barrier);
        double begin = MPI_Wtime();
        pair->done = 0;
        for (long i = 0; i < tried; i++)
            pair->done += go(data);
        pair->seconds = MPI_Wtime() - begin;
        pthread_barrier_wait(&job.barrier);
        if (pair->thread == 0) {
            int is_enough = pair->seconds >= job.seconds;
            MPI_Bcast(&is_enough, 1, MPI_INT, 0, MPI_COMM_WORLD);
            rounds = is_enough ? 0 : tried;
        }
        pthread_barrier_wait(&job.barrier);
        if (rounds == 0)
            break;
    }
    free(data);
    return NULL;
}

static void report(const struct pair *pairs)
{
    double own[2] = {0, 0}, sum, slowest;
    for (int i = 0; i < job.threads; i++) {
        own[0] += (double)pairs[i].done;
        own[1] = pairs[i].seconds > own[1] ? pairs[i].seconds : own[1];
    }
    MPI_Reduce(&own[0], &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&own[1], &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (job.rank != 0)
        return;
    bool is_latency = strcmp(job.operation, "latency") == 0;
    printf("%s %d %.4f\n", job.operation, job.bytes,
           is_latency ? slowest / ((double)pairs[0].done * 2) * 1e6 : sum / slowest);
    fflush(stdout);
}

static void measure(void)
{
    pthread_t handles[MOST_THREADS];
    struct pair pairs[MOST_THREADS];
    for (int i = 0; i < job.threads; i++) {
        pairs[i] = (struct pair){.thread = i};
        pthread_create(&handles[i], NULL, run, &pairs[i]);
    }
    for (int i = 0; i < job.threads; i++)
        pthread_join(handles[i], NULL);
    report(pairs);
}

/* The next word of a comma-separated list; false at its end */
static bool next_word(const char **list, char *word)
{
    size_t length = strcspn(*list, ",");
    if (length == 0 || length >= NAME_BYTES)
        return false;
    memcpy(word, *list, length);
    word[length] = '\0';
    *list += length + ((*list)[length] == ',');
    return true;
}

/* ---- A thread that drives MPI ---- */

static struct {
    MPI_Comm comm;
    pthread_t thread;
    int is_over;
} progress;

static void *drive(void *nothing)
{
    int has_come;
    while (!__atomic_load_n(&progress.is_over, __ATOMIC_RELAXED))
        MPI_Iprobe(MPI_ANY_SOURCE, 0, progress.comm, &has_come, MPI_STATUS_IGNORE);
    return nothing;
}

static void begin_progress(void)
{
    MPI_Comm_dup(MPI_COMM_WORLD, &progress.comm);
    pthread_create(&progress.thread, NULL, drive, NULL);
}

static void end_progress(void)
{
    __atomic_store_n(&progress.is_over, 1, __ATOMIC_RELAXED);
    pthread_join(progress.thread, NULL);
    MPI_Comm_free(&progress.comm);
}

static bool has_word(int argc, char **argv, const char *word)
{
    for (int i = 5; i < argc; i++)
        if (strcmp(argv[i], word) == 0)
            return true;
    return false;
}

/* Open MPI 4.1 cannot make a window over TCP with threads, so programs without transfers make none. */
static bool needs_window(const char *operations)
{
    char operation[NAME_BYTES];
    while (next_word(&operations, operation))
        if (strcmp(operation, "put") == 0 || strcmp(operation, "get") == 0 || strcmp(operation, "accumulate") == 0)
            return true;
    return false;
}

static void make_window(int bytes, bool is_created)
{
    if (!is_created) {
        MPI_Win_allocate(bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &job.memory, &job.window);
        return;
    }
    job.memory = calloc(1, (size_t)bytes);
    MPI_Win_create(job.memory, bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &job.window);
}

int main(int argc, char **argv)
{
    int provided, most_bytes = 1;
    char size[NAME_BYTES];
    bool drives = has_word(argc, argv, "progress"), is_created = has_word(argc, argv, "created");
    if (argc != 5 + drives + is_created || atoi(argv[3]) > MOST_THREADS) {
        fputs("usage: threads OPERATION,... BYTES,... THREADS SECONDS [progress] [created]\n", stderr);
        return 2;
    }
    for (const char *sizes = argv[2]; next_word(&sizes, size);)
        most_bytes = atoi(size) > most_bytes ? atoi(size) : most_bytes;
    job.threads = atoi(argv[3]);
    job.seconds = atof(argv[4]);
    int wanted = job.threads > 1 || drives || getenv("BANYAN_MPI_PROGRESS") ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, wanted, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &job.size);
    bool has_window = needs_window(argv[1]);
    if (has_window) {
        make_window(most_bytes, is_created);
        MPI_Win_lock_all(MPI_MODE_NOCHECK, job.window);
    }
    if (drives)
        begin_progress();
    pthread_barrier_init(&job.barrier, NULL, (unsigned)job.threads);
    for (const char *operations = argv[1]; next_word(&operations, job.operation);) {
        for (const char *sizes = argv[2]; next_word(&sizes, size);) {
            job.bytes = atoi(size);
            measure();
        }
    }
    if (drives)
        end_progress();
    if (has_window) {
        MPI_Win_unlock_all(job.window);
        MPI_Win_free(&job.window);
    }
    if (has_window && is_created)
        free(job.memory);
    MPI_Finalize();
    return provided >= wanted ? 0 : 1;
}
