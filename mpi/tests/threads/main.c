/* main.c [--threads T] [--rounds N] [--folder FOLDER] [--parts NAME,...] [--careless yes] [--serialized yes]: runs all
 * parts in T threads of each process.  --serialized asks only for MPI_THREAD_SERIALIZED, enough for one thread. */
#include "check.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_THREADS = 16 };

static const struct part {
    const char *name;
    void (*run)(const struct lane *lane);
} parts[] = {
    {"messages", check_messages},           {"requests", check_requests},     {"probes", check_probes},
    {"collectives", check_collectives},     {"windows", check_windows},       {"files", check_files},
    {"communicators", check_communicators}, {"callbacks", check_callbacks},   {"copies", check_copies},
    {"transfers", check_transfers},         {"persistent", check_persistent}, {"refusals", check_refusals},
};

static int threads = 4, rounds = 3;
static bool is_careless, is_serialized, is_arbitrated;
static const char *folder, *chosen = "";
static MPI_Comm lanes[MOST_THREADS];

void check(bool holds, const char *what, const char *file, int line)
{
    if (holds)
        return;
    fprintf(stderr, "%s:%d: %s does not hold\n", file, line, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* The handler of MPI_COMM_WORLD: MPICH also calls it when requests of the lanes fail that a thread waits for. */
static void handle(MPI_Comm *comm, int *error, ...)
{
    int error_class;
    (void)comm;
    MPI_Error_class(*error, &error_class);
    CHECK(error_class == MPI_ERR_IN_STATUS);
}

static bool is_chosen(const struct part *part)
{
    return *chosen == '\0' || strstr(chosen, part->name);
}

static struct lane lane_of(int thread)
{
    struct lane lane = {.thread = thread,
                        .threads = threads,
                        .folder = folder,
                        .is_careless = is_careless,
                        .is_arbitrated = is_arbitrated};
    lane.comm = lanes[lane.thread];
    MPI_Comm_rank(lane.comm, &lane.rank);
    MPI_Comm_size(lane.comm, &lane.size);
    return lane;
}

/* Each thread begins with a different part, so that all combinations occur. */
static void *run(void *number)
{
    struct lane lane = lane_of(*(int *)number);
    int count = (int)(sizeof parts / sizeof *parts);
    for (lane.round = 0; lane.round < rounds; lane.round++)
        for (int i = 0; i < count; i++) {
            const struct part *part = &parts[(i + lane.thread) % count];
            if (!is_chosen(part))
                continue;
            part->run(&lane);
            if (getenv("CHECK_VERBOSE"))
                fprintf(stderr, "process %d thread %d: %s done\n", lane.rank, lane.thread, part->name);
        }
    return NULL;
}

static void read_arguments(int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--threads") == 0)
            threads = atoi(argv[i + 1]);
        else if (strcmp(argv[i], "--rounds") == 0)
            rounds = atoi(argv[i + 1]);
        else if (strcmp(argv[i], "--folder") == 0)
            folder = argv[i + 1];
        else if (strcmp(argv[i], "--careless") == 0)
            is_careless = strcmp(argv[i + 1], "yes") == 0;
        else if (strcmp(argv[i], "--serialized") == 0)
            is_serialized = strcmp(argv[i + 1], "yes") == 0;
        else if (strcmp(argv[i], "--parts") == 0)
            chosen = argv[i + 1];
    }
}

int main(int argc, char **argv)
{
    int provided, asked, rank, numbers[MOST_THREADS];
    pthread_t handles[MOST_THREADS];
    MPI_Errhandler handler;
    read_arguments(argc, argv);
    int wanted = is_serialized ? MPI_THREAD_SERIALIZED : MPI_THREAD_MULTIPLE;
    MPI_Init_thread(&argc, &argv, wanted, &provided);
    CHECK(provided == wanted && threads <= (is_serialized ? 1 : MOST_THREADS));
    MPI_Query_thread(&asked);
    CHECK(asked == wanted);
    const char *way = getenv("BANYAN_MPI_THREADS");
    is_arbitrated = !is_serialized && way && strcmp(way, "arbitrate") == 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < threads; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &lanes[i]);
    MPI_Comm_create_errhandler(handle, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Errhandler_free(&handler);
    const struct lane first = lane_of(0);
    const char *collectives = getenv("BANYAN_MPI");
    if (is_arbitrated && collectives && strcmp(collectives, "on") == 0)
        check_calls_inside(&first);
    for (int i = 0; i < threads; i++) {
        numbers[i] = i;
        pthread_create(&handles[i], NULL, run, &numbers[i]);
    }
    for (int i = 0; i < threads; i++)
        pthread_join(handles[i], NULL);
    for (int i = 0; i < threads; i++)
        MPI_Comm_free(&lanes[i]);
    MPI_Finalize();
    if (rank == 0)
        puts("No errors");
    return 0;
}
