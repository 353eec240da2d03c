/*
 * every_way.upc: each collective with all synchronisation flags, roots, block sizes and offsets, for whatever way
 * BANYAN_COLL_* forces: what unit tests do with threads, done with processes and the types of the language.
 *
 *     every_way ROUNDS SEED OPERATION MAX_BYTES UNIT [OPERATION MAX_BYTES UNIT]...
 *
 * Sizes and offsets of blocks are multiples of UNIT.  The calls of an operation do not depend on the operations before
 * it.
 */
#include <upc.h>
#include <upc_collective.h>
#include <bupc_reduce.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned random_state;
static size_t unit;
static int failures;

/* The same numbers on all threads */
static unsigned random_below(unsigned limit)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) % limit;
}

static const upc_flag_t in_flags[] = {UPC_IN_ALLSYNC, UPC_IN_MYSYNC, UPC_IN_NOSYNC};
static const upc_flag_t out_flags[] = {UPC_OUT_ALLSYNC, UPC_OUT_MYSYNC, UPC_OUT_NOSYNC};

static void check(int holds, const char *what, int round)
{
    if (!holds && failures++ < 5)
        printf("thread %d of %d: %s, round %d\n", MYTHREAD, THREADS, what, round);
}

static unsigned char byte_of(int round, int thread, size_t i)
{
    return (unsigned char)((unsigned)(round * 131 + thread * 31 + 7) * 2654435761u + i * 97 >> 8);
}

enum { GUARD = 32, GUARD_BYTE = 0xC3 };

/* An array with `room` bytes on each thread, between guards, that begins at some offset */
struct box {
    shared char *all;   /* as allocated */
    shared char *begin; /* of the array on thread 0 */
    size_t room, offset;
};

static struct box new_box(size_t room)
{
    size_t offset = GUARD + random_below(17) / unit * unit;
    shared char *all = upc_all_alloc(THREADS, room + offset + GUARD);
    memset((char *)&all[MYTHREAD], GUARD_BYTE, room + offset + GUARD);
    return (struct box){all, all + offset * THREADS, room, offset};
}

static unsigned char *mine(struct box box)
{
    return (unsigned char *)&box.all[MYTHREAD] + box.offset;
}

static void free_box(struct box box, int round)
{
    const unsigned char *part = (const unsigned char *)&box.all[MYTHREAD];
    for (size_t i = 0; i < GUARD; i++)
        check(part[box.offset - 1 - i] == GUARD_BYTE && part[box.offset + box.room + i] == GUARD_BYTE, "guard", round);
    upc_all_free(box.all);
}

static shared char *at_thread(struct box box, int thread)
{
    return box.begin + thread;
}

static void fill(struct box box, size_t bytes, int round)
{
    for (size_t i = 0; i < bytes; i++)
        mine(box)[i] = byte_of(round, MYTHREAD, i);
}

static shared int perm[THREADS];

/* The expected byte i of this thread's part of dst */
static unsigned char expected(const char *operation, int round, int root, size_t n, size_t i)
{
    int block = (int)(i / n);
    if (strcmp(operation, "broadcast") == 0)
        return byte_of(round, root, i);
    if (strcmp(operation, "scatter") == 0)
        return byte_of(round, root, (size_t)MYTHREAD * n + i);
    if (strcmp(operation, "exchange") == 0)
        return byte_of(round, block, (size_t)MYTHREAD * n + i % n);
    if (strcmp(operation, "permute") == 0)
        return byte_of(round, (MYTHREAD + THREADS - 1 - round % THREADS) % THREADS, i);
    return byte_of(round, block, i % n);
}

static void move(const char *operation, size_t n, int root, upc_flag_t flags, int round)
{
    int src_blocks = strcmp(operation, "scatter") == 0 || strcmp(operation, "exchange") == 0;
    int dst_blocks = strncmp(operation, "gather", 6) == 0 || strcmp(operation, "exchange") == 0;
    int is_at_root = strcmp(operation, "gather") == 0;
    struct box src = new_box(src_blocks ? n * THREADS : n);
    struct box dst = new_box(dst_blocks ? n * THREADS : n);
    perm[MYTHREAD] = (MYTHREAD + 1 + round % THREADS) % THREADS;
    fill(src, src.room, round);
    if (flags & UPC_IN_NOSYNC)
        upc_barrier;
    if (strcmp(operation, "broadcast") == 0)
        upc_all_broadcast(dst.begin, at_thread(src, root), n, flags);
    else if (strcmp(operation, "scatter") == 0)
        upc_all_scatter(dst.begin, at_thread(src, root), n, flags);
    else if (is_at_root)
        upc_all_gather(at_thread(dst, root), src.begin, n, flags);
    else if (strcmp(operation, "gather_all") == 0)
        upc_all_gather_all(dst.begin, src.begin, n, flags);
    else if (strcmp(operation, "exchange") == 0)
        upc_all_exchange(dst.begin, src.begin, n, flags);
    else
        upc_all_permute(dst.begin, src.begin, perm, n, flags);
    if (flags & UPC_OUT_NOSYNC)
        upc_barrier;
    for (size_t i = 0; (!is_at_root || MYTHREAD == root) && i < dst.room; i++) {
        if (mine(dst)[i] != expected(operation, round, root, n, i)) {
            check(0, operation, round);
            break;
        }
    }
    upc_barrier;
    free_box(src, round);
    free_box(dst, round);
}

/* Appends digits to digits, which does not commute; the number of digits is in the upper half */
static unsigned long append(unsigned long a, unsigned long b)
{
    unsigned long scale = 1;
    for (unsigned long i = 0; i < b >> 32; i++)
        scale *= 31;
    return ((a >> 32) + (b >> 32)) << 32 | (unsigned int)((unsigned int)a * scale + (unsigned int)b);
}

static unsigned long element(int round, size_t i)
{
    return 1ul << 32 | (unsigned long)(round * 7 + (int)i * 13) % 29;
}

static unsigned long combine(upc_op_t op, unsigned long a, unsigned long b)
{
    return op == UPC_ADD ? a + b : op == UPC_MAX ? (a > b ? a : b) : append(a, b);
}

static shared [3] unsigned long cyclic[3 * 50 * THREADS], cyclic_out[3 * 50 * THREADS];
static shared unsigned long totals[THREADS];

static void reduce(const char *operation, int root, upc_flag_t flags, int round)
{
    static const upc_op_t ops[] = {UPC_ADD, UPC_MAX, UPC_NONCOMM_FUNC};
    upc_op_t op = ops[random_below(3)];
    size_t first = random_below(3 * (unsigned)THREADS), count = 1 + random_below(3 * 40 * (unsigned)THREADS);
    unsigned long total = 0;
    for (size_t i = 0; i < count; i++)
        if (upc_threadof(&cyclic[first + i]) == (size_t)MYTHREAD)
            cyclic[first + i] = element(round, i);
    totals[MYTHREAD] = 0;
    if (flags & UPC_IN_NOSYNC)
        upc_barrier;
    if (strcmp(operation, "reduce") == 0)
        upc_all_reduceUL(&totals[root], &cyclic[first], op, count, 3, append, flags);
    else if (strcmp(operation, "reduce_all") == 0)
        bupc_all_reduce_allUL(totals, &cyclic[first], op, count, 3, append, flags);
    else
        upc_all_prefix_reduceUL(&cyclic_out[first], &cyclic[first], op, count, 3, append, flags);
    if (flags & UPC_OUT_NOSYNC)
        upc_barrier;
    for (size_t i = 0; i < count; i++) {
        total = i == 0 ? element(round, 0) : combine(op, total, element(round, i));
        if (strcmp(operation, "prefix") == 0 && upc_threadof(&cyclic_out[first + i]) == (size_t)MYTHREAD &&
            cyclic_out[first + i] != total) {
            check(0, operation, round);
            break;
        }
    }
    if (strcmp(operation, "reduce_all") == 0 || (strcmp(operation, "reduce") == 0 && MYTHREAD == root))
        check(totals[MYTHREAD] == total, operation, round);
    upc_barrier;
}

static shared int arrived[THREADS];

/* upc_barrier on some threads, upc_notify and upc_wait on others, with values or without */
static void meet(int round)
{
    int is_split = (MYTHREAD + round) % 3 == 0;
    int has_value = round % 4 != 0;
    arrived[MYTHREAD] = round;
    if (is_split && has_value) {
        upc_notify round;
        upc_wait round;
    } else if (is_split) {
        upc_notify;
        upc_wait;
    } else if (has_value) {
        upc_barrier round;
    } else {
        upc_barrier;
    }
    for (int thread = 0; thread < THREADS; thread++)
        check(arrived[thread] == round, "barrier", round);
    upc_barrier;
}

static void check_operation(const char *operation, size_t max_bytes, int rounds)
{
    static const size_t sizes[] = {1, 3, 8, 55, 63, 64, 65, 129, 1000, 8191, 8192, 8193, 32769, 100003};
    int is_reduction = strstr(operation, "reduce") || strcmp(operation, "prefix") == 0;
    for (int round = 0; round < rounds; round++) {
        int root = (int)random_below((unsigned)THREADS);
        upc_flag_t flags = in_flags[random_below(3)] | out_flags[random_below(3)];
        size_t n = sizes[random_below(sizeof sizes / sizeof *sizes)];
        if (strcmp(operation, "barrier") == 0)
            meet(round);
        else if (is_reduction)
            reduce(operation, root, flags, round);
        else
            move(operation, ((n <= max_bytes ? n : 1 + n % max_bytes) + unit - 1) / unit * unit, root, flags, round);
    }
}

int main(int argc, char **argv)
{
    for (int i = 3; i + 2 < argc; i += 3) {
        random_state = (unsigned)atoi(argv[2]);
        unit = (size_t)atoi(argv[i + 2]);
        check_operation(argv[i], (size_t)atol(argv[i + 1]), atoi(argv[1]));
    }
    if (failures == 0)
        printf("ok\n");
    return failures != 0;
}
