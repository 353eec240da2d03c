/*
 * access: what one access to a shared object costs, compared with an access to a private one.
 *
 * Thread 0 measures while the others wait.  All arrays and lists have ELEMENTS elements and fit into the first-level
 * cache, so that the cost is that of address arithmetic. "Own" elements have affinity to thread 0; they are reached
 *
 *   - in ways that let a compiler prove the affinity: a[..][MYTHREAD], or a cast to a private pointer;
 *   - through a list of indices, of which it knows nothing;
 *   - through a list of pointers-to-shared, which point to elements of the first thread and of the last one in random
 *     order.
 *
 * Elements of the last thread are reached in the same way, first where nobody else touches them, so that they stay in
 * the cache of thread 0, then when that thread has just written them.
 */
#include "access_loops.h"

#include <upc_tick.h>

enum { BLOCK = 48, BLOCKS = 20, ELEMENTS = BLOCK * BLOCKS, COPY_BYTES = 65536 };

static shared long cyclic[ELEMENTS * THREADS];
static shared[BLOCK] long blocked[ELEMENTS * THREADS];
static shared long rows[ELEMENTS][THREADS];
static shared long cyclic_next[ELEMENTS * THREADS];
static shared[BLOCK] long blocked_next[ELEMENTS * THREADS];
static shared[] long *shared own_part[THREADS]; /* ELEMENTS longs on each thread */
static shared[COPY_BYTES] char copied[COPY_BYTES * THREADS];
static strict shared long strict_word[THREADS];

static long plain[ELEMENTS];
static long plain_next[ELEMENTS];
static char buffer[COPY_BYTES];
static long atomic_word;

static long order[ELEMENTS];         /* 0 .. ELEMENTS-1, shuffled */
static long own_cyclic[ELEMENTS];    /* indices of own elements, in that order */
static long own_blocked[ELEMENTS];
static long remote_cyclic[ELEMENTS]; /* the same for elements of the last thread */
static long remote_blocked[ELEMENTS];
static shared[] long *own_indefinite;
static shared[] long *remote_indefinite;
static shared long *pointers_cyclic[ELEMENTS]; /* to elements of the first thread and of the last one */
static shared[BLOCK] long *pointers_blocked[ELEMENTS];
static shared[] long *pointers_indefinite[ELEMENTS];
static long *pointers_plain[ELEMENTS];

static long cyclic_index(long k, int thread)
{
    return k * THREADS + thread;
}

static long blocked_index(long k, int thread)
{
    return (k / BLOCK * THREADS + thread) * BLOCK + k % BLOCK;
}

READ(read_plain, plain[j])
READ(read_plain_listed, plain[order[j]])
READ(read_rows, rows[j][MYTHREAD])
READ(read_cast, ((long *)&cyclic[MYTHREAD])[j])
READ(read_own_cyclic, cyclic[own_cyclic[j]])
READ(read_own_blocked, blocked[own_blocked[j]])
READ(read_own_indefinite, own_indefinite[order[j]])
READ(read_remote_cyclic, cyclic[remote_cyclic[j]])
READ(read_remote_blocked, blocked[remote_blocked[j]])
READ(read_remote_indefinite, remote_indefinite[order[j]])
READ(read_pointer_plain, *pointers_plain[j])
READ(read_pointer_cyclic, *pointers_cyclic[j])
READ(read_pointer_blocked, *pointers_blocked[j])
READ(read_pointer_indefinite, *pointers_indefinite[j])

WRITE(write_plain, plain[j])
WRITE(write_plain_listed, plain[order[j]])
WRITE(write_rows, rows[j][MYTHREAD])
WRITE(write_cast, ((long *)&cyclic[MYTHREAD])[j])
WRITE(write_own_cyclic, cyclic[own_cyclic[j]])
WRITE(write_own_blocked, blocked[own_blocked[j]])
WRITE(write_own_indefinite, own_indefinite[order[j]])
WRITE(write_remote_cyclic, cyclic[remote_cyclic[j]])
WRITE(write_remote_blocked, blocked[remote_blocked[j]])
WRITE(write_remote_indefinite, remote_indefinite[order[j]])
WRITE(write_pointer_plain, *pointers_plain[j])
WRITE(write_pointer_cyclic, *pointers_cyclic[j])
WRITE(write_pointer_blocked, *pointers_blocked[j])
WRITE(write_pointer_indefinite, *pointers_indefinite[j])

CHAIN(chain_plain, plain_next, order[0])
CHAIN(chain_cyclic, cyclic_next, own_cyclic[0])
CHAIN(chain_blocked, blocked_next, own_blocked[0])

/* The last thread has just written these elements: thread 0 gets them from its cache, whatever their affinity. */
FRESH_READ(fresh_read_remote, cyclic[cyclic_index(j, THREADS - 1)], cyclic[cyclic_index(j, THREADS - 1)])
FRESH_READ(fresh_read_own, cyclic[cyclic_index(j, 0)], ((long *)&cyclic[0])[j])
FRESH_WRITE(fresh_write_remote, cyclic[cyclic_index(j, THREADS - 1)], cyclic[cyclic_index(j, THREADS - 1)])
FRESH_WRITE(fresh_write_own, cyclic[cyclic_index(j, 0)], ((long *)&cyclic[0])[j])

ACCESS(strict_read, (void)strict_word[MYTHREAD])
ACCESS(atomic_read, (void)__atomic_load_n((volatile long *)&atomic_word, __ATOMIC_SEQ_CST))
STATEMENT(strict_read_behind_write, (rows[0][MYTHREAD] = i, (void)strict_word[MYTHREAD]))
STATEMENT(fenced_read, (plain[0] = i, __atomic_thread_fence(__ATOMIC_SEQ_CST), (void)*(volatile long *)&atomic_word))
STATEMENT(strict_write, strict_word[MYTHREAD] = i)
STATEMENT(atomic_write, __atomic_store_n(&atomic_word, i, __ATOMIC_SEQ_CST))
STATEMENT(shared_fence, upc_fence)
STATEMENT(private_fence, __atomic_thread_fence(__ATOMIC_SEQ_CST))

STATEMENT(get_word, upc_memget(buffer, &cyclic[THREADS - 1], sizeof(long)))
STATEMENT(copy_word, memcpy(buffer, plain, sizeof(long)))
STATEMENT(get_64k, upc_memget(buffer, &copied[(long)COPY_BYTES * (THREADS - 1)], COPY_BYTES))
STATEMENT(put_64k, upc_memput(&copied[(long)COPY_BYTES * (THREADS - 1)], buffer, COPY_BYTES))
STATEMENT(copy_64k_in, memcpy(buffer, (char *)&copied[COPY_BYTES * MYTHREAD], COPY_BYTES))
STATEMENT(copy_64k_out, memcpy((char *)&copied[COPY_BYTES * MYTHREAD], buffer, COPY_BYTES))

static volatile upc_tick_t tick_seen;
static volatile long clock_seen;
STATEMENT(tick, tick_seen = upc_ticks_now())
STATEMENT(system_clock, clock_seen = (long)bench_now_ns())

/* limits: one private access each, streamed or through a list, like the shared ones */
static const struct bench_row table[] = {
    {"read a[j][MYTHREAD]", "private read", read_rows, read_plain, ELEMENTS, ELEMENTS},
    {"read own, cast to private", "private read", read_cast, read_plain, ELEMENTS, ELEMENTS},
    {"read own a[list], cyclic", "private read, listed", read_own_cyclic, read_plain_listed, ELEMENTS, ELEMENTS},
    {"read own a[list], [48]", "private read, listed", read_own_blocked, read_plain_listed, ELEMENTS, ELEMENTS},
    {"read own p[list], []", "private read, listed", read_own_indefinite, read_plain_listed, ELEMENTS, ELEMENTS},
    {"read remote a[list], cyclic", "private read, listed", read_remote_cyclic, read_plain_listed, ELEMENTS, ELEMENTS},
    {"read remote a[list], [48]", "private read, listed", read_remote_blocked, read_plain_listed, ELEMENTS, ELEMENTS},
    {"read remote p[list], []", "private read, listed", read_remote_indefinite, read_plain_listed, ELEMENTS, ELEMENTS},
    {"read *pointers[j], cyclic", "private read *pointers[j]", read_pointer_cyclic, read_pointer_plain, ELEMENTS,
     ELEMENTS},
    {"read *pointers[j], [48]", "private read *pointers[j]", read_pointer_blocked, read_pointer_plain, ELEMENTS,
     ELEMENTS},
    {"read *pointers[j], []", "private read *pointers[j]", read_pointer_indefinite, read_pointer_plain, ELEMENTS,
     ELEMENTS},
    {"write a[j][MYTHREAD]", "private write", write_rows, write_plain, ELEMENTS, ELEMENTS},
    {"write own, cast to private", "private write", write_cast, write_plain, ELEMENTS, ELEMENTS},
    {"write own a[list], cyclic", "private write, listed", write_own_cyclic, write_plain_listed, ELEMENTS, ELEMENTS},
    {"write own a[list], [48]", "private write, listed", write_own_blocked, write_plain_listed, ELEMENTS, ELEMENTS},
    {"write own p[list], []", "private write, listed", write_own_indefinite, write_plain_listed, ELEMENTS, ELEMENTS},
    {"write remote a[list], cyclic", "private write, listed", write_remote_cyclic, write_plain_listed, ELEMENTS,
     ELEMENTS},
    {"write remote a[list], [48]", "private write, listed", write_remote_blocked, write_plain_listed, ELEMENTS,
     ELEMENTS},
    {"write remote p[list], []", "private write, listed", write_remote_indefinite, write_plain_listed, ELEMENTS,
     ELEMENTS},
    {"write *pointers[j], cyclic", "private write *pointers[j]", write_pointer_cyclic, write_pointer_plain, ELEMENTS,
     ELEMENTS},
    {"write *pointers[j], [48]", "private write *pointers[j]", write_pointer_blocked, write_pointer_plain, ELEMENTS,
     ELEMENTS},
    {"write *pointers[j], []", "private write *pointers[j]", write_pointer_indefinite, write_pointer_plain, ELEMENTS,
     ELEMENTS},
    {"dependent read i = a[i], cyclic", "private i = a[i]", chain_cyclic, chain_plain, ELEMENTS, ELEMENTS},
    {"dependent read i = a[i], [48]", "private i = a[i]", chain_blocked, chain_plain, ELEMENTS, ELEMENTS},
    {"read remote, just written there", "private read, just written there", fresh_read_remote, fresh_read_own, ELEMENTS,
     ELEMENTS},
    {"write remote, just written there", "private write, just written there", fresh_write_remote, fresh_write_own,
     ELEMENTS, ELEMENTS},
    {"strict read", "sequentially consistent load", strict_read, atomic_read, 1, 1},
    {"write, strict read", "store, full fence, load", strict_read_behind_write, fenced_read, 1, 1},
    {"strict write", "sequentially consistent store", strict_write, atomic_write, 1, 1},
    {"upc_fence", "full fence", shared_fence, private_fence, 1, 1},
    {"upc_memget 8 B remote", "memcpy 8 B", get_word, copy_word, 1, 1},
    {"upc_memget 64 KiB remote", "memcpy 64 KiB", get_64k, copy_64k_in, 1, 1},
    {"upc_memput 64 KiB remote", "memcpy 64 KiB", put_64k, copy_64k_out, 1, 1},
    {"upc_ticks_now", "clock_gettime", tick, system_clock, 1, 1},
    {0},
};

static void shuffle(long *list, long count)
{
    unsigned long state = 88172645463325252UL;
    for (long i = 0; i < count; i++)
        list[i] = i;
    for (long i = count - 1; i > 0; i--) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        long k = (long)(state % (unsigned long)(i + 1));
        long other = list[k];
        list[k] = list[i];
        list[i] = other;
    }
}

static void set_up(void)
{
    int last = THREADS - 1;
    own_part[MYTHREAD] = upc_alloc(ELEMENTS * sizeof(long));
    shuffle(order, ELEMENTS);
    upc_barrier;
    own_indefinite = own_part[0];
    remote_indefinite = own_part[last];
    for (long j = 0; j < ELEMENTS; j++) {
        own_cyclic[j] = cyclic_index(order[j], 0);
        own_blocked[j] = blocked_index(order[j], 0);
        remote_cyclic[j] = cyclic_index(order[j], last);
        remote_blocked[j] = blocked_index(order[j], last);
        int thread = order[j] < ELEMENTS / 2 ? 0 : last;
        pointers_cyclic[j] = &cyclic[cyclic_index(order[j], thread)];
        pointers_blocked[j] = &blocked[blocked_index(order[j], thread)];
        pointers_indefinite[j] = &own_part[thread][order[j]];
        pointers_plain[j] = &plain[order[j]];
    }
    for (long j = 0; j < ELEMENTS; j++) {
        long to = (j + 1) % ELEMENTS;
        plain_next[order[j]] = order[to];
        if (MYTHREAD == 0) {
            cyclic_next[own_cyclic[j]] = own_cyclic[to];
            blocked_next[own_blocked[j]] = own_blocked[to];
        }
    }
    upc_barrier;
}

/* Two readings of both clocks must give the same interval. */
static void check_ticks(void)
{
    double start_ns = bench_now_ns();
    upc_tick_t start = upc_ticks_now();
    while (bench_now_ns() - start_ns < 20e6)
        continue;
    double ticks_ns = (double)upc_ticks_to_ns(upc_ticks_now() - start);
    double ns = bench_now_ns() - start_ns;
    if (ticks_ns < ns * 0.99 || ticks_ns > ns * 1.01)
        fprintf(stderr, "bench: warning: upc_ticks_now saw %.0f ns where clock_gettime saw %.0f\n", ticks_ns, ns);
}

int main(int argc, char **argv)
{
    bench_start(argc, argv);
    set_up();
    if (MYTHREAD == 0)
        check_ticks();
    bench_run(table);
    return 0;
}
