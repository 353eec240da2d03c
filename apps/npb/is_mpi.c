/*
 * is_mpi: IS over MPI: an exchange of unequal parts sends each key to the process responsible for its value.
 *
 * usage: is_mpi CLASS
 */
#include <mpi.h>

#include "is.h"

static int process, processes, class;

struct sorter {
    long first, count;     /* the keys that this process begins with */
    int *keys, *ordered;   /* those keys, as generated and ordered by bucket */
    int *received, *below; /* the keys with values low to high - 1, and how many keys are less than each value */
    int capacity, received_count, low, high, before;
    int *sent_counts, *sent_places, *counts, *places, *split; /* for the exchange */
};

static void *take(size_t count)
{
    void *taken = malloc((count + 1) * sizeof(int));
    if (taken == NULL) {
        npb_no_memory(process);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return taken;
}

static void start_sorter(struct sorter *s)
{
    size_t n = (size_t)processes;
    *s = (struct sorter){0};
    s->first = is_keys(class) * process / processes;
    s->count = is_keys(class) * (process + 1) / processes - s->first;
    s->keys = take((size_t)s->count);
    s->ordered = take((size_t)s->count);
    s->below = take((size_t)is_values(class));
    int **numbers[] = {&s->sent_counts, &s->sent_places, &s->counts, &s->places, &s->split};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        *numbers[i] = take(n);
    is_make_keys(class, s->first, s->count, s->keys);
}

static void end_sorter(struct sorter *s)
{
    int *taken[] = {s->keys,        s->ordered, s->received, s->below, s->sent_counts,
                    s->sent_places, s->counts,  s->places,   s->split};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        free(taken[i]);
}

static void exchange(struct sorter *s)
{
    int places[IS_BUCKETS + 1] = {0}, totals[IS_BUCKETS], shift = is_bucket_shift(class);
    for (long i = 0; i < s->count; i++)
        places[s->keys[i] >> shift]++;
    MPI_Allreduce(places, totals, IS_BUCKETS, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    is_split(class, totals, processes, s->split);
    is_add_up(places, IS_BUCKETS, 0);
    is_order(class, s->keys, s->count, places, s->ordered);
    for (int p = 0; p < processes; p++) {
        s->sent_places[p] = places[s->split[p]];
        s->sent_counts[p] = places[s->split[p + 1]] - places[s->split[p]];
    }
    MPI_Alltoall(s->sent_counts, 1, MPI_INT, s->counts, 1, MPI_INT, MPI_COMM_WORLD);
    memcpy(s->places, s->counts, (size_t)processes * sizeof(int));
    s->received_count = is_add_up(s->places, processes, 0);
    if (s->received_count > s->capacity) {
        free(s->received);
        s->capacity = s->received_count + s->received_count / 8;
        s->received = take((size_t)s->capacity);
    }
    MPI_Alltoallv(s->ordered, s->sent_counts, s->sent_places, MPI_INT, s->received, s->counts, s->places, MPI_INT,
                  MPI_COMM_WORLD);
    s->before = 0;
    for (int bucket = 0; bucket < s->split[process]; bucket++)
        s->before += totals[bucket];
    s->low = s->split[process] << shift;
    s->high = s->split[process + 1] << shift;
}

static void rank(struct sorter *s)
{
    exchange(s);
    memset(s->below, 0, (size_t)(s->high - s->low) * sizeof(int));
    for (int i = 0; i < s->received_count; i++)
        s->below[s->received[i] - s->low]++;
    is_add_up(s->below, s->high - s->low, s->before);
}

int main(int argc, char **argv)
{
    int counts[2] = {0}, all[2], status = 0; /* tests passed, processes whose keys are in order */
    struct sorter sorter;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &process);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    class = npb_class(argc, argv, process == 0);
    if (class < 0) {
        MPI_Finalize();
        return 2;
    }
    start_sorter(&sorter);
    rank(&sorter); /* warm-up: touches the memory */
    MPI_Barrier(MPI_COMM_WORLD);
    double start = app_seconds();
    for (int iteration = 1; iteration <= IS_ITERATIONS; iteration++) {
        is_change(class, iteration, sorter.first, sorter.count, sorter.keys);
        rank(&sorter);
        counts[0] += is_count_passed(class, iteration, sorter.low, sorter.high, sorter.below);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    double seconds = app_seconds() - start;
    int *sorted = take((size_t)sorter.received_count);
    counts[1] = is_sort(sorter.received, sorter.received_count, sorter.low, sorter.before, sorter.below, sorted);
    MPI_Allreduce(counts, all, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (process == 0)
        status = is_report("MPI", class, processes, seconds, all[0], all[1] == processes);
    MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    free(sorted);
    end_sorter(&sorter);
    MPI_Finalize();
    return status;
}
