/*
 * is_expert: IS in which each thread counts either its own keys, or all keys of its range of values.
 *
 * usage: is_expert CLASS
 *
 * There are 16 or more keys of each value. Up to as many threads it is cheaper to add up the counts of all threads,
 * each for a range of values, than to move the keys. With more threads, each fetches the keys of its range of values:
 * they are ordered by bucket in shared memory of their owner, with a table of where each bucket begins, and pieces are
 * counted while the next one is in flight. Keys are sorted in that way in the end, which is not timed.
 */
#include <bupc_collectivev.h>
#include <upc.h>
#include <upc_castable.h>
#include <upc_nb.h>

#include "is.h"

enum { PIECE = 1 << 14 }; /* keys that are fetched at a time */

struct table {
    int places[IS_BUCKETS + 1];
};

static shared struct table tables[THREADS];
static shared int totals[THREADS]; /* keys in each thread's range of values */
static shared int *all_ordered;    /* `most` keys on each thread */
static shared int *all_counts;     /* counts of each thread's own keys, by value; or null */
static int class, *keys, *below;   /* below[0] belongs to `low` */
static long first, count, most;
static int low, high, before, received_count;
static struct table *others; /* copies of all tables */
static int *split, *fetched, pieces[2][PIECE];

static shared[] int *ordered_of(int thread)
{
    return (shared[] int *)&all_ordered[thread];
}

/* Calls `use` for all keys in this thread's range of values, in pieces. */
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

/* Adds the counts of some thread, possibly this one, for this thread's range of values. */
static void add_counts(int thread)
{
    shared[] int *theirs = (shared[] int *)&all_counts[thread] + low;
    const int *near = upc_cast(theirs);
    if (near == NULL) {
        upc_memget(fetched, theirs, (size_t)(high - low) * sizeof *fetched);
        near = fetched;
    }
    for (int i = 0; i < high - low; i++)
        below[i] += near[i];
}

static void rank_by_counts(void)
{
    int *mine = (int *)&all_counts[MYTHREAD], total = 0;
    memset(mine, 0, (size_t)is_values(class) * sizeof *mine);
    for (long i = 0; i < count; i++)
        mine[keys[i]]++;
    upc_barrier;
    low = (int)((long)is_values(class) * MYTHREAD / THREADS);
    high = (int)((long)is_values(class) * (MYTHREAD + 1) / THREADS);
    memcpy(below, mine + low, (size_t)(high - low) * sizeof *below);
    for (int i = 1; i < THREADS; i++)
        add_counts((MYTHREAD + i) % THREADS);
    for (int i = 0; i < high - low; i++)
        total += below[i];
    totals[MYTHREAD] = total;
    upc_barrier;
    before = 0;
    for (int t = 0; t < MYTHREAD; t++)
        before += totals[t];
    is_add_up(below, high - low, before);
}

static void rank_by_keys(void)
{
    struct table *mine = (struct table *)&tables[MYTHREAD];
    int of_buckets[IS_BUCKETS] = {0}, shift = is_bucket_shift(class);
    upc_barrier; /* all threads have fetched the previous keys */
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
            of_buckets[bucket] += others[t].places[bucket + 1] - others[t].places[bucket];
    is_split(class, of_buckets, THREADS, split);
    low = split[MYTHREAD] << shift;
    high = split[MYTHREAD + 1] << shift;
    before = 0;
    for (int bucket = 0; bucket < split[MYTHREAD]; bucket++)
        before += of_buckets[bucket];
    memset(below, 0, (size_t)(high - low) * sizeof *below);
    for_each_piece(count_piece);
    received_count = is_add_up(below, high - low, before) - before;
}

static void rank(void)
{
    if (all_counts != NULL)
        rank_by_counts();
    else
        rank_by_keys();
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
    rank_by_keys();
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
    int is_by_counts = THREADS <= is_keys(class) / is_values(class);
    if (is_by_counts) {
        fetched = take(((size_t)is_values(class) / THREADS + 1) * sizeof *fetched);
        all_counts = upc_all_alloc(THREADS * (size_t)is_values(class), sizeof(int));
    }
    if (all_ordered == NULL || (is_by_counts && all_counts == NULL)) {
        npb_no_memory(MYTHREAD);
        upc_global_exit(1);
    }
    is_make_keys(class, first, count, keys);
    rank(); /* warm-up: touches the memory */
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
    free(fetched);
    upc_all_free(all_ordered);
    if (is_by_counts)
        upc_all_free(all_counts);
    return MYTHREAD == 0 ? is_report("UPC expert", class, THREADS, seconds, passed, is_sorted) : 0;
}
