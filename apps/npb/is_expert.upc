/*
 * is_expert: IS in which each thread fetches the keys of its values from all others.
 *
 * usage: is_expert CLASS
 *
 * Keys lie in the order of their buckets in shared memory of their thread, with a table of where each bucket begins.
 * Pieces are counted while the next is on its way.
 */
#include <bupc_collectivev.h>
#include <upc.h>
#include <upc_nb.h>

#include "is.h"

enum { PIECE = 1 << 14 }; /* keys that are fetched at a time */

struct table {
    int places[IS_BUCKETS + 1];
};

static shared struct table tables[THREADS];
static shared int *all_ordered;  /* `most` keys on each thread */
static int class, *keys, *below; /* below[0] is of `low` */
static long first, count, most;
static int low, high, before, received_count;
static struct table *others; /* a copy of all tables */
static int *split, pieces[2][PIECE];

static shared[] int *ordered_of(int thread)
{
    return (shared[] int *)&all_ordered[thread];
}

/* Calls `use` for all keys of this thread's values, some at a time. */
static void for_each_piece(void (*use)(const int *piece, int piece_count))
{
    int next = 0, waiting = 0;
    upc_handle_t handle = UPC_COMPLETE_HANDLE;
    for (int i = 0; i < THREADS; i++) {
        int t = (MYTHREAD + i) % THREADS;
        int end = others[t].places[split[MYTHREAD + 1]];
        for (int at = others[t].places[split[MYTHREAD]]; at < end; at += PIECE) {
            int piece = end - at < PIECE ? end - at : PIECE;
            upc_handle_t started = upc_memget_nb(pieces[next], ordered_of(t) + at, (size_t)piece * sizeof(int));
            upc_sync(handle);
            if (waiting != 0)
                use(pieces[!next], waiting);
            handle = started;
            waiting = piece;
            next = !next;
        }
    }
    upc_sync(handle);
    if (waiting != 0)
        use(pieces[!next], waiting);
}

static void count_piece(const int *piece, int piece_count)
{
    for (int i = 0; i < piece_count; i++)
        below[piece[i] - low]++;
}

static void rank(void)
{
    struct table *mine = (struct table *)&tables[MYTHREAD];
    int totals[IS_BUCKETS] = {0}, shift = is_bucket_shift(class);
    upc_barrier; /* everybody has fetched what there was */
    memset(mine->places, 0, sizeof mine->places);
    for (long i = 0; i < count; i++)
        mine->places[keys[i] >> shift]++;
    is_add_up(mine->places, IS_BUCKETS, 0);
    is_order(class, keys, count, mine->places, (int *)&all_ordered[MYTHREAD]);
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        upc_memget(&others[t], &tables[t], sizeof others[t]);
    for (int t = 0; t < THREADS; t++)
        for (int bucket = 0; bucket < IS_BUCKETS; bucket++)
            totals[bucket] += others[t].places[bucket + 1] - others[t].places[bucket];
    is_split(class, totals, THREADS, split);
    low = split[MYTHREAD] << shift;
    high = split[MYTHREAD + 1] << shift;
    before = 0;
    for (int bucket = 0; bucket < split[MYTHREAD]; bucket++)
        before += totals[bucket];
    memset(below, 0, (size_t)(high - low) * sizeof *below);
    for_each_piece(count_piece);
    received_count = is_add_up(below, high - low, before) - before;
}

static int *gathered, gathered_count;

static void gather_piece(const int *piece, int piece_count)
{
    memcpy(gathered + gathered_count, piece, (size_t)piece_count * sizeof *piece);
    gathered_count += piece_count;
}

static void *take(size_t bytes)
{
    void *taken = malloc(bytes + 1);
    if (taken == NULL) {
        npb_no_memory(MYTHREAD);
        upc_global_exit(1);
    }
    return taken;
}

static int sort(void)
{
    gathered = take((size_t)received_count * sizeof(int));
    int *sorted = take((size_t)received_count * sizeof(int));
    for_each_piece(gather_piece);
    int is_sorted = is_sort(gathered, received_count, low, before, below, sorted);
    free(gathered);
    free(sorted);
    return is_sorted;
}

int main(int argc, char **argv)
{
    int passed = 0;
    class = npb_class(argc, argv, MYTHREAD == 0);
    if (class < 0)
        return 2;
    first = is_keys(class) * MYTHREAD / THREADS;
    count = is_keys(class) * (MYTHREAD + 1) / THREADS - first;
    most = is_keys(class) / THREADS + 1;
    keys = take((size_t)count * sizeof *keys);
    below = take((size_t)is_values(class) * sizeof *below);
    others = take(THREADS * sizeof *others);
    split = take((THREADS + 1) * sizeof *split);
    all_ordered = upc_all_alloc(THREADS * (size_t)most, sizeof(int));
    if (all_ordered == NULL) {
        npb_no_memory(MYTHREAD);
        upc_global_exit(1);
    }
    is_make_keys(class, first, count, keys);
    rank(); /* touches the memory */
    upc_barrier;
    double start = app_seconds();
    for (int iteration = 1; iteration <= IS_ITERATIONS; iteration++) {
        is_change(class, iteration, first, count, keys);
        rank();
        passed += is_count_passed(class, iteration, low, high, below);
    }
    upc_barrier;
    double seconds = app_seconds() - start;
    passed = bupc_allv_reduce_all(int, passed, UPC_ADD);
    int is_sorted = bupc_allv_reduce_all(int, sort(), UPC_MIN);
    free(keys);
    free(below);
    free(others);
    free(split);
    upc_all_free(all_ordered);
    return MYTHREAD == 0 ? is_report("UPC expert", class, THREADS, seconds, passed, is_sorted) : 0;
}
