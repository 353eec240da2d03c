/*
 * patterns: loops that programs are made of, in the most obvious UPC form, compared with C on private memory.
 *
 * All threads work, each on its own elements, unless it says that thread 0 works alone.  The limit runs in as many
 * processes, each on private arrays of the size of its part.  Random updates go to one table that all share; the C
 * version has it in one piece, or dealt out to the threads as in UPC, with its own arithmetic. "In cache" means three
 * arrays of 32 KiB on each thread, "in memory" three of 8 MiB; tables have 16 KiB or 64 MiB.
 */
#include "bench.h"

#include <stdint.h>

#include <upc_castable.h>

enum {
    SMALL = 4096,
    LARGE = 1048576,
    BLOCK = 512,
    ROW = 256,
    WALK = 4096,        /* elements of a walk */
    BINS = 1000,
    NODES = 1024,       /* of a list */
    TABLE_SMALL = 2048, /* words of a table on each thread */
    TABLE_LARGE = 8388608, /* too large for caches, whoever has accessed it before */
    UPDATES = 16384,
    UPDATES_LARGE = 131072,
};

struct arrays_of_c {
    double a[LARGE], b[LARGE], c[LARGE];
};
static struct arrays_of_c *plain;
static volatile double factor_source = 3.0;

static shared double cyclic_small_a[SMALL * THREADS], cyclic_small_b[SMALL * THREADS], cyclic_small_c[SMALL * THREADS];
static shared double cyclic_large_a[LARGE * THREADS], cyclic_large_b[LARGE * THREADS], cyclic_large_c[LARGE * THREADS];
static shared[BLOCK] double blocked_small_a[SMALL * THREADS], blocked_small_b[SMALL * THREADS],
    blocked_small_c[SMALL * THREADS];
static shared[BLOCK] double blocked_large_a[LARGE * THREADS], blocked_large_b[LARGE * THREADS],
    blocked_large_c[LARGE * THREADS];
static shared[*] double whole_small_a[SMALL * THREADS], whole_small_b[SMALL * THREADS], whole_small_c[SMALL * THREADS];
static shared[*] double whole_large_a[LARGE * THREADS], whole_large_b[LARGE * THREADS], whole_large_c[LARGE * THREADS];

/* ---- Triad ---- */

static void check_triad(const char *what, const double *a, long elements)
{
    double sum = 0;
    for (long i = 0; i < elements; i++)
        sum += a[i];
    bench_expect(what, (long)sum, elements * 7);
}

/* The affinity is a pointer to the element, or its index where that means the same. */
#define TRIAD(function, elements, a, b, c, affinity)                                                                   \
    static double function(long count)                                                                                 \
    {                                                                                                                  \
        double factor = factor_source;                                                                                 \
        double start = bench_cpu_ns();                                                                                 \
        for (long pass = 0; pass < count; pass++) {                                                                    \
            upc_forall (long i = 0; i < (long)(elements)*THREADS; i++; affinity)                                       \
                a[i] = b[i] + factor * c[i];                                                                           \
            bench_forget_memory();                                                                                     \
        }                                                                                                              \
        double ns = bench_cpu_ns() - start;                                                                            \
        check_triad(#function, bench_own(a), elements);                                                                \
        return ns;                                                                                                     \
    }

#define PLAIN_TRIAD(function, elements, a, b, c)                                                                       \
    static double function(long count)                                                                                 \
    {                                                                                                                  \
        double factor = factor_source;                                                                                 \
        double *restrict pa = a;                                                                                       \
        const double *restrict pb = b, *restrict pc = c;                                                               \
        double start = bench_cpu_ns();                                                                                 \
        for (long pass = 0; pass < count; pass++) {                                                                    \
            for (long i = 0; i < elements; i++)                                                                        \
                pa[i] = pb[i] + factor * pc[i];                                                                        \
            bench_forget_memory();                                                                                     \
        }                                                                                                              \
        double ns = bench_cpu_ns() - start;                                                                            \
        check_triad(#function, pa, elements);                                                                          \
        return ns;                                                                                                     \
    }

/* The part of an array that this thread owns; it is contiguous for every layout. */
#define bench_own(array) ((double *)((array) + (long)upc_blocksizeof(array) * MYTHREAD))

TRIAD(cyclic_small, SMALL, cyclic_small_a, cyclic_small_b, cyclic_small_c, &cyclic_small_a[i])
TRIAD(cyclic_large, LARGE, cyclic_large_a, cyclic_large_b, cyclic_large_c, &cyclic_large_a[i])
TRIAD(cyclic_index_small, SMALL, cyclic_small_a, cyclic_small_b, cyclic_small_c, i)
TRIAD(cyclic_index_large, LARGE, cyclic_large_a, cyclic_large_b, cyclic_large_c, i)
TRIAD(blocked_small, SMALL, blocked_small_a, blocked_small_b, blocked_small_c, &blocked_small_a[i])
TRIAD(blocked_large, LARGE, blocked_large_a, blocked_large_b, blocked_large_c, &blocked_large_a[i])
TRIAD(whole_small, SMALL, whole_small_a, whole_small_b, whole_small_c, &whole_small_a[i])
TRIAD(whole_large, LARGE, whole_large_a, whole_large_b, whole_large_c, &whole_large_a[i])

PLAIN_TRIAD(plain_small, SMALL, plain->a, plain->b, plain->c)
PLAIN_TRIAD(plain_large, LARGE, plain->a, plain->b, plain->c)
PLAIN_TRIAD(cast_small, SMALL, bench_own(whole_small_a), bench_own(whole_small_b), bench_own(whole_small_c))
PLAIN_TRIAD(cast_large, LARGE, bench_own(whole_large_a), bench_own(whole_large_b), bench_own(whole_large_c))
PLAIN_TRIAD(cast_blocked_large, LARGE, bench_own(blocked_large_a), bench_own(blocked_large_b),
            bench_own(blocked_large_c))

/* ---- The same triad by rows, on fields, and downwards ---- */

struct fields {
    double a, b, c;
};
static struct fields plain_fields[SMALL];
static shared struct fields fields[SMALL * THREADS];
static shared[ROW] double rows_small_a[SMALL / ROW * THREADS][ROW], rows_small_b[SMALL / ROW * THREADS][ROW],
    rows_small_c[SMALL / ROW * THREADS][ROW];
static shared[ROW] double rows_large_a[LARGE / ROW * THREADS][ROW], rows_large_b[LARGE / ROW * THREADS][ROW],
    rows_large_c[LARGE / ROW * THREADS][ROW];

/* The loop must leave 7 in each element; first: the first element of this thread. */
#define OTHER_TRIAD(function, elements, first, distance, loop)                                                         \
    static double function(long count)                                                                                 \
    {                                                                                                                  \
        double factor = factor_source;                                                                                 \
        double start = bench_cpu_ns();                                                                                 \
        for (long pass = 0; pass < count; pass++) {                                                                    \
            loop bench_forget_memory();                                                                                \
        }                                                                                                              \
        double ns = bench_cpu_ns() - start;                                                                            \
        const double *own = first;                                                                                     \
        long wrong = 0;                                                                                                \
        for (long i = 0; i < elements; i++)                                                                            \
            wrong += own[i * (distance)] != 7;                                                                         \
        bench_expect(#function, wrong, 0);                                                                             \
        return ns;                                                                                                     \
    }

/* Computes each element from three neighbours of another array: in blocks, except for their edges */
#define STENCIL(function, elements, first, total, affinity, a, b)                                                      \
    OTHER_TRIAD(                                                                                                       \
        function, (elements)-2, (first) + 1, 1, upc_forall (long i = 1; i < (long)(total)-1; i++; affinity) a[i] =     \
                                                    b[i - 1] + factor * (b[i] + b[i + 1]);)

STENCIL(stencil_small, SMALL, bench_own(blocked_small_a), SMALL *THREADS, &blocked_small_a[i], blocked_small_a,
        blocked_small_b)
STENCIL(stencil_large, LARGE, bench_own(blocked_large_a), LARGE *THREADS, &blocked_large_a[i], blocked_large_a,
        blocked_large_b)
STENCIL(plain_stencil_small, SMALL, plain->a, SMALL, continue, plain->a, plain->b)
STENCIL(plain_stencil_large, LARGE, plain->a, LARGE, continue, plain->a, plain->b)

#define ROWS_TRIAD(function, elements, a, b, c)                                                                        \
    OTHER_TRIAD(                                                                                                       \
        function, elements, (double *)&a[MYTHREAD][0], 1,                                                              \
        upc_forall (long i = 0; i < (long)(elements) / ROW * THREADS; i++; &a[i][0]) for (long j = 0; j < ROW; j++)    \
            a[i][j] = b[i][j] + factor * c[i][j];)

ROWS_TRIAD(rows_small, SMALL, rows_small_a, rows_small_b, rows_small_c)
ROWS_TRIAD(rows_large, LARGE, rows_large_a, rows_large_b, rows_large_c)
OTHER_TRIAD(fields_small, SMALL, (double *)&fields[MYTHREAD], 3,
            upc_forall (long i = 0; i < (long)SMALL * THREADS; i++; &fields[i])
                fields[i].a = fields[i].b + factor * fields[i].c;)
OTHER_TRIAD(plain_fields_small, SMALL, &plain_fields[0].a, 3,
            for (long i = 0; i < SMALL; i++)
                plain_fields[i].a = plain_fields[i].b + factor * plain_fields[i].c;)
OTHER_TRIAD(down_small, SMALL, bench_own(cyclic_small_a), 1,
            upc_forall (long i = (long)SMALL * THREADS - 1; i >= 0; i--; &cyclic_small_a[i])
                cyclic_small_a[i] = cyclic_small_b[i] + factor * cyclic_small_c[i];)
OTHER_TRIAD(plain_down_small, SMALL, plain->a, 1,
            for (long i = SMALL - 1; i >= 0; i--)
                plain->a[i] = plain->b[i] + factor * plain->c[i];)

/* ---- Walks along pointers, thread 0 alone ---- */

static shared[] double *shared walk_home; /* WALK elements on thread 0 */
static shared[] double *walk_indefinite;

#define POINTER_WALK(function, declare, step)                                                                          \
    static double function(long count)                                                                                 \
    {                                                                                                                  \
        double sum = 0;                                                                                                \
        if (MYTHREAD != 0)                                                                                             \
            return 0;                                                                                                  \
        double start = bench_cpu_ns();                                                                                 \
        for (long pass = 0; pass < count; pass++) {                                                                    \
            declare;                                                                                                   \
            for (long i = 0; i < WALK; i++, step)                                                                      \
                sum += *p;                                                                                             \
            bench_forget_memory();                                                                                     \
        }                                                                                                              \
        double ns = bench_cpu_ns() - start;                                                                            \
        bench_expect(#function, (long)sum, count * WALK);                                                              \
        return ns;                                                                                                     \
    }

POINTER_WALK(walk_private, const double *p = plain->b, p++)
POINTER_WALK(walk_of_indefinite, shared[] double *p = walk_indefinite, p++)
POINTER_WALK(walk_of_cyclic, shared double *p = cyclic_small_b, p++)
POINTER_WALK(walk_of_blocked, shared[BLOCK] double *p = blocked_small_b, p++)

/* ---- All elements of all threads, thread 0 alone ---- */

#define ALL_ELEMENTS(function, a, b)                                                                                   \
    static double function(long count)                                                                                 \
    {                                                                                                                  \
        if (MYTHREAD != 0)                                                                                             \
            return 0;                                                                                                  \
        double start = bench_cpu_ns();                                                                                 \
        for (long pass = 0; pass < count; pass++) {                                                                    \
            for (long i = 0; i < (long)SMALL * THREADS; i++)                                                           \
                a[i] = b[i] + 1;                                                                                       \
            bench_forget_memory();                                                                                     \
        }                                                                                                              \
        return (bench_cpu_ns() - start) / THREADS;                                                                     \
    }

ALL_ELEMENTS(all_of_blocked, blocked_small_a, blocked_small_b)
ALL_ELEMENTS(all_of_whole, whole_small_a, whole_small_b)
ALL_ELEMENTS(all_of_private, plain->a, plain->b)

/* ---- Own blocks, indexed by MYTHREAD ---- */

static shared[BINS] long own_bins[BINS * THREADS];
static long private_bins[BINS];
static int bin_of[WALK]; /* of each item */
static volatile long sum_sink;

#define OWN_BLOCK(function, item_count, statement)                                                                     \
    static double function(long count)                                                                                 \
    {                                                                                                                  \
        double start = bench_cpu_ns();                                                                                 \
        for (long pass = 0; pass < count; pass++) {                                                                    \
            long sum = 0;                                                                                              \
            for (int i = 0; i < item_count; i++)                                                                       \
                statement;                                                                                             \
            bench_forget_memory();                                                                                     \
            sum_sink = sum;                                                                                            \
        }                                                                                                              \
        return bench_cpu_ns() - start;                                                                                 \
    }

OWN_BLOCK(count_own, WALK, own_bins[MYTHREAD * BINS + bin_of[i]]++)
OWN_BLOCK(count_private, WALK, private_bins[bin_of[i]]++)
OWN_BLOCK(sum_own, BINS, sum += own_bins[MYTHREAD * BINS + i])
OWN_BLOCK(sum_private, BINS, sum += private_bins[i])

/* ---- Lists ---- */

struct node {
    struct node *next;
    long value;
};
struct indefinite_node {
    shared[] struct indefinite_node *next;
    long value;
};
struct cyclic_node {
    shared struct cyclic_node *next;
    long value;
};

static struct node nodes[NODES];
static shared[] struct indefinite_node indefinite_nodes[NODES];
static shared struct cyclic_node cyclic_nodes[NODES * THREADS]; /* NODES of them are in the list */
static shared struct cyclic_node own_nodes[NODES * THREADS];    /* thread 0 owns those in the list */

/* The place of node i, in the order of the list */
static long node_place(long i)
{
    return i * 613 % NODES;
}

#define LIST_WALK(function, declare)                                                                                   \
    static double function(long count)                                                                                 \
    {                                                                                                                  \
        long sum = 0;                                                                                                  \
        if (MYTHREAD != 0)                                                                                             \
            return 0;                                                                                                  \
        double start = bench_cpu_ns();                                                                                 \
        for (long pass = 0; pass < count; pass++) {                                                                    \
            for (declare; p != NULL; p = p->next)                                                                      \
                sum += p->value;                                                                                       \
            bench_forget_memory();                                                                                     \
        }                                                                                                              \
        double ns = bench_cpu_ns() - start;                                                                            \
        bench_expect(#function, sum, count * (NODES * (NODES - 1L) / 2));                                              \
        return ns;                                                                                                     \
    }

LIST_WALK(list_private, const struct node *p = &nodes[0])
LIST_WALK(list_indefinite, shared[] struct indefinite_node *p = &indefinite_nodes[0])
LIST_WALK(list_cyclic, shared struct cyclic_node *p = &cyclic_nodes[0])
LIST_WALK(list_own, shared struct cyclic_node *p = &own_nodes[0])

static void make_lists(void)
{
    for (long i = 0; i < NODES; i++) {
        long at = node_place(i), to = node_place(i + 1);
        nodes[at].value = i;
        nodes[at].next = i + 1 < NODES ? &nodes[to] : NULL;
        if (MYTHREAD == 0) {
            indefinite_nodes[at].value = i;
            indefinite_nodes[at].next = i + 1 < NODES ? &indefinite_nodes[to] : NULL;
            cyclic_nodes[at].value = i;
            cyclic_nodes[at].next = i + 1 < NODES ? &cyclic_nodes[to] : NULL;
            own_nodes[at * THREADS].value = i;
            own_nodes[at * THREADS].next = i + 1 < NODES ? &own_nodes[to * THREADS] : NULL;
        }
    }
}

/* ---- Updates of a table at random ---- */

static shared uint64_t table_small[TABLE_SMALL * THREADS];
static shared uint64_t table_large[TABLE_LARGE * THREADS];
static shared uint64_t *pointer_small, *pointer_large; /* to the tables */
static shared[] uint64_t *shared flat_home; /* a table of the same size on thread 0, for C */
static uint64_t *flat_table;
static uint64_t **small_parts, **large_parts; /* the parts of the cyclic tables, for C with its own arithmetic */
static uint64_t part_count, part_mask;        /* THREADS, and THREADS - 1, in variables, as C has them */
static int part_shift;                        /* log2(THREADS), if that is a whole number */

static uint64_t next_random(uint64_t state)
{
    state ^= state << 13;
    state ^= state >> 7;
    return state ^ state << 17;
}

/* An index below `words` that depends on all bits */
static uint64_t scale(uint64_t random, uint64_t words)
{
    return (uint64_t)(((unsigned __int128)random * words) >> 64);
}

/* Counts the words of this thread that are not in their initial state, and restores them.  Threads that update one word
 * at once may lose an update. */
static void check_table(const char *what, uint64_t *own, long words)
{
    long wrong = 0;
    for (long i = 0; i < words; i++)
        if (own[i] != 0) {
            own[i] = 0;
            wrong++;
        }
    bench_expect(what, wrong * 100 <= words, 1);
}

static uint64_t *divided(uint64_t **parts, uint64_t i)
{
    return &parts[i % part_count][i / part_count];
}

static uint64_t *shifted(uint64_t **parts, uint64_t i)
{
    return &parts[i & part_mask][i >> part_shift];
}

/*
 * Each round makes all updates twice, so that the table is empty again in the end, and uses other places than the
 * previous round.  Collective.
 */
#define UPDATE(function, place, words, updates, own, own_words, works)                                                 \
    static double function(long count)                                                                                 \
    {                                                                                                                  \
        double ns = 0;                                                                                                 \
        upc_barrier;                                                                                                   \
        if (works) {                                                                                                   \
            double start = bench_cpu_ns();                                                                             \
            for (long pass = 0; pass < 2 * count; pass++) {                                                            \
                uint64_t random = UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)(pass / 2 * THREADS + MYTHREAD + 1);        \
                for (long i = 0; i < (updates); i++) {                                                                 \
                    random = next_random(random);                                                                      \
                    uint64_t at = scale(random, (uint64_t)(words) * (uint64_t)THREADS);                                \
                    place ^= random;                                                                                   \
                }                                                                                                      \
                bench_forget_memory();                                                                                 \
            }                                                                                                          \
            ns = bench_cpu_ns() - start;                                                                               \
        }                                                                                                              \
        upc_barrier;                                                                                                   \
        check_table(#function, own, own_words);                                                                        \
        return ns;                                                                                                     \
    }

#define own_words_of(table) ((uint64_t *)&table[MYTHREAD])

/* Thread 0 checks the whole flat table. */
static long flat_words(long words)
{
    return MYTHREAD == 0 ? words * THREADS : 0;
}

UPDATE(update_small, table_small[at], TABLE_SMALL, UPDATES, own_words_of(table_small), TABLE_SMALL, MYTHREAD == 0)
UPDATE(update_large, table_large[at], TABLE_LARGE, UPDATES_LARGE, own_words_of(table_large), TABLE_LARGE, 1)
UPDATE(update_by_pointer_small, pointer_small[at], TABLE_SMALL, UPDATES, own_words_of(table_small), TABLE_SMALL,
       MYTHREAD == 0)
UPDATE(update_by_pointer_large, pointer_large[at], TABLE_LARGE, UPDATES_LARGE, own_words_of(table_large), TABLE_LARGE,
       1)
UPDATE(update_flat_small, flat_table[at], TABLE_SMALL, UPDATES, flat_table, flat_words(TABLE_SMALL), MYTHREAD == 0)
UPDATE(update_flat_large, flat_table[at], TABLE_LARGE, UPDATES_LARGE, flat_table, flat_words(TABLE_LARGE), 1)
UPDATE(update_divided_small, *divided(small_parts, at), TABLE_SMALL, UPDATES, own_words_of(table_small), TABLE_SMALL,
       MYTHREAD == 0)
UPDATE(update_divided_large, *divided(large_parts, at), TABLE_LARGE, UPDATES_LARGE, own_words_of(table_large),
       TABLE_LARGE, 1)
UPDATE(update_shifted_small, *shifted(small_parts, at), TABLE_SMALL, UPDATES, own_words_of(table_small), TABLE_SMALL,
       MYTHREAD == 0)
UPDATE(update_shifted_large, *shifted(large_parts, at), TABLE_LARGE, UPDATES_LARGE, own_words_of(table_large),
       TABLE_LARGE, 1)

static struct bench_row table[] = {
    {"triad cyclic, in cache", "C triad", cyclic_small, plain_small, SMALL, SMALL},
    {"triad cyclic, affinity i, in cache", "C triad", cyclic_index_small, plain_small, SMALL, SMALL},
    {"triad [512], in cache", "C triad", blocked_small, plain_small, SMALL, SMALL},
    {"triad [*], in cache", "C triad", whole_small, plain_small, SMALL, SMALL},
    {"stencil [512], in cache", "C stencil", stencil_small, plain_stencil_small, SMALL - 2, SMALL - 2},
    {"triad by rows, in cache", "C triad", rows_small, plain_small, SMALL, SMALL},
    {"triad of fields, in cache", "C triad of fields", fields_small, plain_fields_small, SMALL, SMALL},
    {"triad cyclic, downwards, in cache", "C triad, downwards", down_small, plain_down_small, SMALL, SMALL},
    {"triad cast to private, in cache", "C triad", cast_small, plain_small, SMALL, SMALL},
    {"triad cyclic, in memory", "C triad", cyclic_large, plain_large, LARGE, LARGE},
    {"triad cyclic, affinity i, in memory", "C triad", cyclic_index_large, plain_large, LARGE, LARGE},
    {"triad [512], in memory", "C triad", blocked_large, plain_large, LARGE, LARGE},
    {"triad [512], in memory", "C on the same memory", blocked_large, cast_blocked_large, LARGE, LARGE},
    {"triad [*], in memory", "C triad", whole_large, plain_large, LARGE, LARGE},
    {"triad [*], in memory", "C on the same memory", whole_large, cast_large, LARGE, LARGE},
    {"stencil [512], in memory", "C stencil", stencil_large, plain_stencil_large, LARGE - 2, LARGE - 2},
    {"triad by rows, in memory", "C triad", rows_large, plain_large, LARGE, LARGE},
    {"triad cast to private, in memory", "C triad", cast_large, plain_large, LARGE, LARGE},
    {"sum += *p++, []", "private sum += *p++", walk_of_indefinite, walk_private, WALK, WALK},
    {"sum += *p++, cyclic", "private sum += *p++", walk_of_cyclic, walk_private, WALK, WALK},
    {"sum += *p++, [512]", "private sum += *p++", walk_of_blocked, walk_private, WALK, WALK},
    {"a[i] = b[i] + 1 for all i, [512]", "private a[i] = b[i] + 1", all_of_blocked, all_of_private, SMALL, SMALL},
    {"a[i] = b[i] + 1 for all i, [*]", "private a[i] = b[i] + 1", all_of_whole, all_of_private, SMALL, SMALL},
    {"a[MYTHREAD * 1000 + bin[i]]++, [1000]", "private a[bin[i]]++", count_own, count_private, WALK, WALK},
    {"sum of a[MYTHREAD * 1000 + i], [1000]", "private sum of a[i]", sum_own, sum_private, BINS, BINS},
    {"list walk, []", "private list walk", list_indefinite, list_private, NODES, NODES},
    {"list walk, cyclic, own nodes", "private list walk", list_own, list_private, NODES, NODES},
    {"list walk, cyclic, all threads' nodes", "private list walk", list_cyclic, list_private, NODES, NODES},
    {"random update, in cache", "C, flat table", update_small, update_flat_small, 2 * UPDATES, 2 * UPDATES},
    {"random update, 64 MiB a thread", "C, one flat table for all", update_large, update_flat_large, 2 * UPDATES_LARGE,
     2 * UPDATES_LARGE},
    {"random update by pointer, in cache", "C, flat table", update_by_pointer_small, update_flat_small, 2 * UPDATES,
     2 * UPDATES},
    {"random update by pointer, 64 MiB", "C, one flat table for all", update_by_pointer_large, update_flat_large,
     2 * UPDATES_LARGE, 2 * UPDATES_LARGE},
    {"random update, in cache", "C, dealt by % and /", update_small, update_divided_small, 2 * UPDATES, 2 * UPDATES},
    {"random update, 64 MiB a thread", "C, dealt by % and /", update_large, update_divided_large, 2 * UPDATES_LARGE,
     2 * UPDATES_LARGE},
    {"random update, in cache", "C, dealt by & and >>", update_small, update_shifted_small, 2 * UPDATES, 2 * UPDATES},
    {"random update, 64 MiB a thread", "C, dealt by & and >>", update_large, update_shifted_large, 2 * UPDATES_LARGE,
     2 * UPDATES_LARGE},
    {0},
};

static void fill(double *a, double *b, double *c, long elements)
{
    for (long i = 0; i < elements; i++) {
        a[i] = 0;
        b[i] = 1;
        c[i] = 2;
    }
}

static uint64_t *reached(shared void *place)
{
    uint64_t *pointer = upc_cast(place);
    if (pointer == NULL) {
        fprintf(stderr, "patterns: thread %d cannot reach the memory of thread %d\n", MYTHREAD,
                (int)upc_threadof(place));
        exit(1);
    }
    return pointer;
}

/* Finds the addresses of the tables, for C.  What needs a power of two is left out if THREADS is not one. */
static void find_tables(void)
{
    pointer_small = table_small;
    pointer_large = table_large;
    flat_table = reached(flat_home);
    memset(flat_table, 0, (size_t)flat_words(TABLE_LARGE) * sizeof(uint64_t));
    small_parts = malloc((size_t)THREADS * sizeof *small_parts);
    large_parts = malloc((size_t)THREADS * sizeof *large_parts);
    if (small_parts == NULL || large_parts == NULL) {
        fprintf(stderr, "patterns: no memory for the places of the tables\n");
        exit(1);
    }
    for (int t = 0; t < THREADS; t++) {
        small_parts[t] = reached(&table_small[t]);
        large_parts[t] = reached(&table_large[t]);
    }
    part_count = (uint64_t)THREADS;
    part_mask = part_count - 1;
    while (part_count >> part_shift > 1)
        part_shift++;
    for (struct bench_row *row = table; row->measured != NULL; row++)
        if ((part_count & part_mask) != 0 && (row->limit == update_shifted_small || row->limit == update_shifted_large))
            row->measured = NULL;
}

static void set_up(void)
{
    plain = malloc(sizeof *plain);
    if (plain == NULL) {
        fprintf(stderr, "patterns: no memory for the private arrays\n");
        exit(1);
    }
    fill(plain->a, plain->b, plain->c, LARGE);
    fill(bench_own(cyclic_small_a), bench_own(cyclic_small_b), bench_own(cyclic_small_c), SMALL);
    fill(bench_own(cyclic_large_a), bench_own(cyclic_large_b), bench_own(cyclic_large_c), LARGE);
    fill(bench_own(blocked_small_a), bench_own(blocked_small_b), bench_own(blocked_small_c), SMALL);
    fill(bench_own(blocked_large_a), bench_own(blocked_large_b), bench_own(blocked_large_c), LARGE);
    fill(bench_own(whole_small_a), bench_own(whole_small_b), bench_own(whole_small_c), SMALL);
    fill(bench_own(whole_large_a), bench_own(whole_large_b), bench_own(whole_large_c), LARGE);
    fill((double *)&rows_small_a[MYTHREAD][0], (double *)&rows_small_b[MYTHREAD][0],
         (double *)&rows_small_c[MYTHREAD][0], SMALL);
    fill((double *)&rows_large_a[MYTHREAD][0], (double *)&rows_large_b[MYTHREAD][0],
         (double *)&rows_large_c[MYTHREAD][0], LARGE);
    for (long i = 0; i < SMALL; i++) {
        plain_fields[i] = (struct fields){0, 1, 2};
        fields[i * THREADS + MYTHREAD] = plain_fields[i];
    }
    if (MYTHREAD == 0) {
        walk_home = upc_alloc(WALK * sizeof(double));
        for (long i = 0; i < WALK; i++)
            walk_home[i] = 1;
        flat_home = upc_alloc((size_t)TABLE_LARGE * (size_t)THREADS * sizeof(uint64_t));
    }
    for (uint64_t i = 0, random = 1; i < WALK; i++)
        bin_of[i] = (int)scale(random = next_random(random), BINS);
    make_lists();
    upc_barrier;
    walk_indefinite = walk_home;
    find_tables();
}

int main(int argc, char **argv)
{
    bench_start(argc, argv);
    set_up();
    bench_run(table);
    return 0;
}
