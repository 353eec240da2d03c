/* collective.upc: the collectives that move data. */
#include "data.h"
#include "families.h"
#include "harness/options.h"

#include <upc_collective.h>

static shared int permutation[THREADS];

/* Blocks per thread in source and destination */
static const struct { int source_times_threads, destination_times_threads; } shapes[] = {
    [BROADCAST] = {0, 0}, [SCATTER] = {1, 0},  [GATHER] = {0, 1},
    [GATHER_ALL] = {0, 1}, [EXCHANGE] = {1, 1}, [PERMUTE] = {0, 0},
};

static size_t source_bytes(int kind, size_t bytes)
{
    return shapes[kind].source_times_threads ? bytes * (size_t)THREADS : bytes;
}

static size_t destination_bytes(int kind, size_t bytes)
{
    return shapes[kind].destination_times_threads ? bytes * (size_t)THREADS : bytes;
}

size_t collective_bytes_1_1(size_t bytes, int threads)
{
    (void)threads;
    return uoms_times(2, uoms_room(bytes));
}

size_t collective_bytes_n_1(size_t bytes, int threads)
{
    return uoms_plus(uoms_room(bytes), uoms_room(uoms_times(bytes, (size_t)threads)));
}

size_t collective_bytes_n_n(size_t bytes, int threads)
{
    return uoms_times(2, uoms_room(uoms_times(bytes, (size_t)threads)));
}

int collective_setup(struct uoms_run *run)
{
    int kind = run->bench->param;
    permutation[MYTHREAD] = (MYTHREAD + 1) % THREADS;
    return data_take(run, source_bytes(kind, run->bytes), destination_bytes(kind, run->bytes));
}

void collective_prepare(struct uoms_run *run)
{
    int is_source = !(run->bench->flags & UOMS_ROOTED) || run->bench->param == GATHER || run->root == MYTHREAD ||
                    run->options->root == UOMS_ROTATE;
    if (is_source)
        uoms_fill(data_own(data_source), MYTHREAD, 0, source_bytes(run->bench->param, run->bytes), run->seed);
}

void collective_clear(struct uoms_run *run)
{
    uoms_poison(data_own(data_destination), destination_bytes(run->bench->param, run->bytes) + UOMS_GUARD);
}

void collective_run(struct uoms_run *run, long count)
{
    shared void *source = data_source;
    shared void *destination = data_destination;
    size_t bytes = run->bytes;
    int flags = data_flags(run->options);
    for (long i = 0; i < count; i++) {
        switch (run->bench->param) {
        case BROADCAST: upc_all_broadcast(destination, data_at(source, run->root), bytes, flags); break;
        case SCATTER: upc_all_scatter(destination, data_at(source, run->root), bytes, flags); break;
        case GATHER: upc_all_gather(data_at(destination, run->root), source, bytes, flags); break;
        case GATHER_ALL: upc_all_gather_all(destination, source, bytes, flags); break;
        case EXCHANGE: upc_all_exchange(destination, source, bytes, flags); break;
        default: upc_all_permute(destination, source, permutation, bytes, flags);
        }
    }
}

size_t collective_check(struct uoms_run *run)
{
    int kind = run->bench->param;
    size_t bytes = run->bytes;
    const unsigned char *own = data_own(data_destination);
    size_t mine = bytes * (size_t)MYTHREAD;
    size_t wrong = 0;

    switch (kind) {
    case BROADCAST: wrong = uoms_compare(run, own, run->root, 0, bytes, run->seed, 0); break;
    case SCATTER: wrong = uoms_compare(run, own, run->root, mine, bytes, run->seed, 0); break;
    case PERMUTE: wrong = uoms_compare(run, own, (MYTHREAD + THREADS - 1) % THREADS, 0, bytes, run->seed, 0); break;
    case GATHER:
        if (MYTHREAD != run->root)
            return 0;
    /* fall through */
    case GATHER_ALL:
        for (int t = 0; t < THREADS && wrong == 0; t++)
            wrong = uoms_compare(run, own + bytes * (size_t)t, t, 0, bytes, run->seed, bytes * (size_t)t);
        break;
    default:
        for (int t = 0; t < THREADS && wrong == 0; t++)
            wrong = uoms_compare(run, own + bytes * (size_t)t, t, mine, bytes, run->seed, bytes * (size_t)t);
    }
    if (wrong > 0)
        return wrong;
    return uoms_compare_guard(run, own + destination_bytes(kind, bytes), destination_bytes(kind, bytes));
}

void collective_teardown(struct uoms_run *run)
{
    data_give(run);
}
