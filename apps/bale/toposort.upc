/*
 * toposort: finds an order of rows and columns in which a sparse matrix, an upper triangle with rows and columns
 * shuffled, is triangular again.
 *
 * usage: toposort [rows-per-thread]
 *
 * A row with a single entry left gets the last free place, and so does that entry's column; both are removed, which
 * leaves other rows with a single entry.  All rows with a single entry are processed in the same step.  A word per row
 * holds the number of its entries and the sum of their columns, so the last column of a row is known without a search.
 * Row and column x belong to thread x % THREADS.  Check: no entry is below the diagonal, and all places are taken.
 */
#include <string.h>
#include <upc_atomic.h>

#include "bale.h"

static const char usage[] = "toposort [rows-per-thread]";

enum { MORE_ENTRIES = 4 }; /* of a row, besides the one on the diagonal */

static const uint64_t ENTRY = UINT64_C(1) << 32; /* one entry in the count, which is above the sum of columns */

static uint64_t rows, all_rows;
static uint64_t row_factor, column_factor;

/* The matrix by columns.  The rows with an entry in this thread's c-th column are in_column[first_in[c]] and the
 * following ones, up to first_in[c + 1]. */
static uint64_t *first_in, *in_column;
static shared uint64_t *left; /* per row: the count of entries and the sum of their columns */
static shared uint64_t *row_place, *column_place;

/* a * b modulo the number of rows, which is less than 2^32 */
static uint64_t times(uint64_t a, uint64_t b)
{
    return a * b % all_rows;
}

/* The next number from `at_least` on that has an inverse */
static uint64_t invertible(uint64_t at_least)
{
    for (uint64_t candidate = at_least;; candidate++) {
        uint64_t a = candidate, b = all_rows;
        while (b != 0) {
            uint64_t rest = a % b;
            a = b;
            b = rest;
        }
        if (a == 1)
            return candidate % all_rows;
    }
}

/* In the triangle, row i has an entry in column i, and others to the right of it, some of which may coincide. */
static int entries_of(uint64_t row)
{
    return times(row, row_factor) + 1 == all_rows ? 1 : 1 + MORE_ENTRIES;
}

/* The column of entry k of a row */
static uint64_t column_of(uint64_t row, int k)
{
    uint64_t i = times(row, row_factor);
    uint64_t j = k == 0 ? i : i + 1 + bale_random(i, (uint64_t)k, all_rows - i - 1);
    return times(j, column_factor);
}

/* ---- The matrix ---- */

struct entry {
    uint64_t row, column;
};

struct entries {
    struct entry *at;
    size_t count, room;
};

static void keep_entries(void *context, int from, const void *items, size_t count)
{
    struct entries *kept = context;
    (void)from;
    if (kept->count + count > kept->room) {
        kept->room = 2 * (kept->count + count);
        kept->at = realloc(kept->at, kept->room * sizeof *kept->at);
        if (kept->at == NULL) {
            fprintf(stderr, "thread %d: no memory for %zu entries; choose a smaller size\n", MYTHREAD, kept->room);
            upc_global_exit(1);
        }
    }
    memcpy(kept->at + kept->count, items, count * sizeof *kept->at);
    kept->count += count;
}

/* Sorts the entries by column. */
static void make_columns(void)
{
    struct entries kept = {0};
    banyan_aggregate_t *entries = banyan_aggregate_all_make(sizeof(struct entry), 0, keep_entries, &kept);
    for (uint64_t row = MYTHREAD; row < all_rows; row += THREADS) {
        for (int k = 0; k < entries_of(row); k++) {
            struct entry entry = {row, column_of(row, k)};
            banyan_aggregate_push(entries, (int)(entry.column % THREADS), &entry);
        }
    }
    banyan_aggregate_end(entries);
    banyan_aggregate_all_free(entries);
    first_in = bale_take(rows + 2, sizeof *first_in);
    in_column = bale_take(kept.count + 1, sizeof *in_column);
    for (size_t i = 0; i < kept.count; i++)
        first_in[kept.at[i].column / THREADS + 2]++;
    for (uint64_t c = 0; c < rows; c++)
        first_in[c + 2] += first_in[c + 1];
    for (size_t i = 0; i < kept.count; i++)
        in_column[first_in[kept.at[i].column / THREADS + 1]++] = kept.at[i].row;
    free(kept.at);
}

static void reset(void)
{
    for (uint64_t i = MYTHREAD; i < all_rows; i += THREADS) {
        uint64_t word = 0;
        for (int k = 0; k < entries_of(i); k++)
            word += ENTRY + column_of(i, k);
        left[i] = word;
        row_place[i] = column_place[i] = all_rows;
    }
    upc_barrier;
}

static int is_wrong(void)
{
    int wrong = 0;
    double places = 0, expected = 0;
    for (uint64_t i = MYTHREAD; i < all_rows; i += THREADS) {
        wrong |= row_place[i] >= all_rows || left[i] != 0;
        places += (double)(bale_mix(row_place[i]) >> 40);
        expected += (double)(bale_mix(i) >> 40);
        for (uint64_t e = first_in[i / THREADS]; e < first_in[i / THREADS + 1]; e++)
            wrong |= row_place[in_column[e]] > column_place[i];
    }
    return (app_sum(places) != app_sum(expected)) | wrong;
}

/* ---- Steps ---- */

struct queue {
    uint64_t *rows;
    uint64_t count;
};

/* Collects the rows of this thread that have a single entry at the beginning. */
static void queue_single(struct queue *queue)
{
    queue->count = 0;
    for (uint64_t i = MYTHREAD; i < all_rows; i += THREADS)
        if (left[i] / ENTRY == 1)
            queue->rows[queue->count++] = i;
}

static shared uint64_t step_counts[THREADS];

/* The first place of this thread's rows in a step; *free_p is that of all threads, counted down. */
static uint64_t first_place(uint64_t count, uint64_t *free_p)
{
    uint64_t mine = 0, all = 0;
    step_counts[MYTHREAD] = count;
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        if (t == MYTHREAD)
            mine = all;
        all += step_counts[t];
    }
    upc_barrier;
    uint64_t first = *free_p - mine;
    *free_p -= all;
    return first;
}

/* The columns as seen by the threads that remove them one word at a time */
static shared[] uint64_t *shared columns_of[THREADS], *shared firsts_of[THREADS];
static shared uint64_t *queued; /* the next rows of thread t are queued[i * THREADS + t] */
static shared uint64_t queued_count[THREADS];

static void take_out(upc_atomicdomain_t *domain, uint64_t row, uint64_t place)
{
    uint64_t column = left[row] % ENTRY, word = ENTRY + column, old, slot;
    int owner = (int)(column % THREADS);
    row_place[row] = column_place[column] = place;
    uint64_t end = firsts_of[owner][column / THREADS + 1];
    for (uint64_t e = firsts_of[owner][column / THREADS]; e < end; e++) {
        uint64_t other = columns_of[owner][e];
        upc_atomic_relaxed(domain, &old, UPC_SUB, &left[other], &word, NULL);
        if (old / ENTRY != 2)
            continue;
        upc_atomic_relaxed(domain, &slot, UPC_INC, &queued_count[other % THREADS], NULL, NULL);
        queued[slot * THREADS + other % THREADS] = other;
    }
}

/* A copy of a private array in shared memory, for other threads */
static shared[] uint64_t *publish(const uint64_t *from, uint64_t count)
{
    shared[] uint64_t *copy = upc_alloc((count + 1) * sizeof *from);
    if (copy == NULL) {
        fprintf(stderr, "thread %d: no shared memory for columns; choose a smaller size\n", MYTHREAD);
        upc_global_exit(1);
    }
    memcpy((uint64_t *)copy, from, count * sizeof *from);
    return copy;
}

static int plain(double *seconds)
{
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_UINT64, UPC_SUB | UPC_INC, 0);
    struct queue now = {bale_take(rows, sizeof(uint64_t)), 0};
    uint64_t free_places = all_rows;
    reset();
    columns_of[MYTHREAD] = publish(in_column, first_in[rows]);
    firsts_of[MYTHREAD] = publish(first_in, rows + 1);
    queue_single(&now);
    upc_barrier;
    double start = app_seconds();
    while (free_places > 0) {
        queued_count[MYTHREAD] = 0;
        uint64_t before = free_places, place = first_place(now.count, &free_places);
        if (before == free_places)
            break; /* not a triangle, which the check reports */
        for (uint64_t i = 0; i < now.count; i++)
            take_out(domain, now.rows[i], --place);
        upc_barrier;
        now.count = queued_count[MYTHREAD];
        for (uint64_t i = 0; i < now.count; i++)
            now.rows[i] = queued[i * THREADS + MYTHREAD];
    }
    *seconds = app_seconds() - start;
    upc_barrier;
    upc_free(columns_of[MYTHREAD]);
    upc_free(firsts_of[MYTHREAD]);
    upc_all_atomicdomain_free(domain);
    free(now.rows);
    return is_wrong();
}

struct removal {
    uint64_t what, value; /* a column and its place, or a row and the column that it loses */
};

static banyan_aggregate_t *losses;

static void take_columns(void *context, int from, const void *items, size_t count)
{
    const struct removal *removal = items;
    uint64_t *place_of_mine = context;
    (void)from;
    for (size_t i = 0; i < count; i++) {
        uint64_t mine = removal[i].what / THREADS;
        place_of_mine[mine] = removal[i].value;
        for (uint64_t e = first_in[mine]; e < first_in[mine + 1]; e++) {
            struct removal loss = {in_column[e], removal[i].what};
            banyan_aggregate_push(losses, (int)(loss.what % THREADS), &loss);
        }
    }
}

static void take_losses(void *context, int from, const void *items, size_t count)
{
    const struct removal *removal = items;
    struct queue *next = context;
    uint64_t *my_left = (uint64_t *)&left[MYTHREAD];
    (void)from;
    for (size_t i = 0; i < count; i++) {
        uint64_t *word = &my_left[removal[i].what / THREADS];
        *word -= ENTRY + removal[i].value;
        if (*word / ENTRY == 1)
            next->rows[next->count++] = removal[i].what;
    }
}

static int aggregated(double *seconds)
{
    struct queue now = {bale_take(rows, sizeof(uint64_t)), 0}, next = {bale_take(rows, sizeof(uint64_t)), 0};
    uint64_t free_places = all_rows;
    reset();
    banyan_aggregate_t *columns = banyan_aggregate_all_make(sizeof(struct removal), 0, take_columns,
                                                            (uint64_t *)&column_place[MYTHREAD]);
    losses = banyan_aggregate_all_make(sizeof(struct removal), 0, take_losses, &next);
    queue_single(&now);
    upc_barrier;
    double start = app_seconds();
    while (free_places > 0) {
        uint64_t before = free_places, place = first_place(now.count, &free_places);
        if (before == free_places)
            break;
        for (uint64_t i = 0; i < now.count; i++) {
            uint64_t column = left[now.rows[i]] % ENTRY;
            row_place[now.rows[i]] = --place;
            struct removal removal = {column, place};
            banyan_aggregate_push(columns, (int)(column % THREADS), &removal);
        }
        banyan_aggregate_end(columns);
        banyan_aggregate_end(losses);
        struct queue last = now;
        now = next;
        next = last;
        next.count = 0;
    }
    *seconds = app_seconds() - start;
    banyan_aggregate_all_free(losses);
    banyan_aggregate_all_free(columns);
    free(now.rows);
    free(next.rows);
    upc_barrier;
    return is_wrong();
}

int main(int argc, char **argv)
{
    if (argc > 2)
        app_usage(usage);
    rows = (uint64_t)app_argument(argc, argv, 1, 20000, 1, 1000000, usage);
    all_rows = rows * THREADS;
    row_factor = invertible(all_rows / 2 + 1);
    column_factor = invertible(all_rows / 3 + 1);
    left = bale_share(all_rows, sizeof *left);
    row_place = bale_share(all_rows, sizeof *row_place);
    column_place = bale_share(all_rows, sizeof *column_place);
    queued = bale_share(all_rows, sizeof *queued);
    make_columns();
    int wrong = bale_run("toposort", "plain", plain, (double)all_rows, "rows");
    wrong |= bale_run("toposort", "aggregated", aggregated, (double)all_rows, "rows");
    free(first_in);
    free(in_column);
    upc_all_free(queued);
    upc_all_free(column_place);
    upc_all_free(row_place);
    upc_all_free(left);
    return wrong;
}
