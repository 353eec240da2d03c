// Facts 2.4, 2.8, 3.1: random copies, blocking and not, of all sizes and alignments, many of them under way at a time,
// between two threads' shared memory and private memory, against copies in plain arrays; no byte beside them changes.
#include <upc_relaxed.h>

#include <bupc_copy.h>
#include <upc_nb.h>

#include "check.h"

enum { BYTES = 6000, SPACES = 3, PRIVATE = 2, PENDING_MAX = 24, ROUNDS = 4000 };

/* The last one is private. */
static shared [] unsigned char *shared areas[2 * THREADS];
static shared [] unsigned char *spaces[2];
static unsigned char private_space[BYTES], model[SPACES][BYTES];

/* How many pending transfers read a byte, or -1 if one writes it */
static signed char uses[SPACES][BYTES];

static struct transfer {
    upc_handle_t handle;
    int is_implicit;
    int src, dst; /* src is -1 for a set */
    size_t from, to, bytes;
} pending[PENDING_MAX];
static int pending_count;

static unsigned long seed;

static unsigned random_below(unsigned n)
{
    seed = seed * 6364136223846793005UL + 1442695040888963407UL;
    return (unsigned)(seed >> 33) % n;
}

static int can_start(const struct transfer *t)
{
    for (size_t i = 0; i < t->bytes; i++)
        if (uses[t->dst][t->to + i] != 0 || (t->src >= 0 && uses[t->src][t->from + i] < 0))
            return 0;
    if (t->src == t->dst && t->from < t->to + t->bytes && t->to < t->from + t->bytes)
        return 0;
    return 1;
}

/* Counts a transfer with a sign: +1 when it starts, -1 when it is complete */
static void mark(const struct transfer *t, int sign)
{
    for (size_t i = 0; i < t->bytes; i++) {
        uses[t->dst][t->to + i] = sign > 0 ? -1 : 0;
        if (t->src >= 0)
            uses[t->src][t->from + i] += (signed char)sign;
    }
}

static void complete(int i)
{
    mark(&pending[i], -1);
    pending[i] = pending[--pending_count];
}

static void complete_implicit(void)
{
    if (random_below(2))
        upc_synci();
    else
        while (!upc_synci_attempt())
            ;
    for (int i = pending_count; i-- > 0;)
        if (pending[i].is_implicit)
            complete(i);
}

static void complete_some(void)
{
    if (pending_count == 0 || random_below(4) == 0) {
        complete_implicit();
        return;
    }
    int i = (int)random_below((unsigned)pending_count);
    if (pending[i].is_implicit)
        return;
    switch (random_below(4)) {
    case 0: upc_sync(pending[i].handle); break;
    case 1: while (!upc_sync_attempt(pending[i].handle)) ; break;
    case 2: bupc_waitsync(pending[i].handle); break;
    case 3: bupc_waitsync_all(&pending[i].handle, 1); break;
    }
    complete(i);
}

/* 0 blocking, 1 with a handle, 2 without, 3 and 4 through the older interface */
static void start(struct transfer *t, int how, int value)
{
    shared [] unsigned char *dst = t->dst == PRIVATE ? NULL : spaces[t->dst] + t->to;
    shared [] unsigned char *src = t->src < 0 || t->src == PRIVATE ? NULL : spaces[t->src] + t->from;
    void *to = private_space + t->to;
    const void *from = private_space + t->from;
    size_t n = t->bytes;
#define START(BLOCKING, NB, NBI, ASYNC, ASYNCI, ...)        \
    switch (how) {                                          \
    case 0: BLOCKING(__VA_ARGS__); break;                   \
    case 1: t->handle = NB(__VA_ARGS__); break;             \
    case 2: NBI(__VA_ARGS__); break;                        \
    case 3: t->handle = ASYNC(__VA_ARGS__); break;          \
    case 4: ASYNCI(__VA_ARGS__); break;                     \
    }
    if (t->src < 0)
        START(upc_memset, upc_memset_nb, upc_memset_nbi, bupc_memset_async, bupc_memset_asynci, dst, value, n)
    else if (t->dst == PRIVATE)
        START(upc_memget, upc_memget_nb, upc_memget_nbi, bupc_memget_async, bupc_memget_asynci, to, src, n)
    else if (t->src == PRIVATE)
        START(upc_memput, upc_memput_nb, upc_memput_nbi, bupc_memput_async, bupc_memput_asynci, dst, from, n)
    else
        START(upc_memcpy, upc_memcpy_nb, upc_memcpy_nbi, bupc_memcpy_async, bupc_memcpy_asynci, dst, src, n)
    t->is_implicit = how == 2 || how == 4;
}

static void one_transfer(void)
{
    struct transfer t = {.dst = (int)random_below(SPACES), .src = (int)random_below(SPACES + 1) - 1};
    if (t.dst == PRIVATE && (t.src < 0 || t.src == PRIVATE))
        return;
    t.bytes = random_below(8) ? random_below(random_below(2) ? 20 : 300) : random_below(3000);
    t.to = random_below(BYTES - (unsigned)t.bytes);
    t.from = random_below(BYTES - (unsigned)t.bytes);
    if (!can_start(&t))
        return;
    int how = (int)random_below(5), value = (int)random_below(1000);
    start(&t, how, value);
    if (t.src < 0)
        memset(model[t.dst] + t.to, value, t.bytes);
    else
        memcpy(model[t.dst] + t.to, model[t.src] + t.from, t.bytes);
    if (how == 0)
        return;
    mark(&t, 1);
    pending[pending_count++] = t;
}

static void compare(void)
{
    unsigned char copy[BYTES];
    while (pending_count > 0)
        complete_some();
    CHECK(memcmp(private_space, model[PRIVATE], BYTES) == 0);
    for (int space = 0; space < 2; space++) {
        upc_memget(copy, spaces[space], BYTES);
        CHECK(memcmp(copy, model[space], BYTES) == 0);
    }
}

int main(void)
{
    seed = (unsigned long)MYTHREAD * 7919 + 3;
    for (int i = 0; i < 2; i++)
        areas[2 * MYTHREAD + i] = (shared [] unsigned char *)upc_alloc(BYTES);
    upc_barrier;
    spaces[0] = areas[2 * ((MYTHREAD + 1) % THREADS)];
    spaces[1] = areas[2 * ((MYTHREAD + THREADS - 1) % THREADS) + 1];
    for (int i = 0; i < BYTES; i++)
        model[PRIVATE][i] = private_space[i] = (unsigned char)random_below(256);
    upc_memset(spaces[0], 1, BYTES);
    upc_memset(spaces[1], 2, BYTES);
    memset(model[0], 1, BYTES);
    memset(model[1], 2, BYTES);
    for (int round = 1; round <= ROUNDS; round++) {
        one_transfer();
        while (pending_count == PENDING_MAX || (pending_count > 0 && random_below(3) == 0))
            complete_some();
        if (round % 1000 == 0) {
            upc_barrier; /* completes nothing */
            compare();
        }
    }
    upc_barrier;
    upc_free(areas[2 * MYTHREAD]);
    upc_free(areas[2 * MYTHREAD + 1]);
    return finish();
}
