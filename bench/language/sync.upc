/*
 * sync: barriers and locks, compared with what the machine needs to pass control from one thread to another.
 *
 * As long as each thread has a core, the limit is a cache line that changes hands: half a round trip between two
 * threads.  With more threads than cores, each thread must get its core once per barrier, and once per round of a fair
 * lock: n / cores hand-offs by sched_yield between two threads that share a core, since n / cores of them happen one
 * after another on each core.
 *
 * Limits are plain C on memory that upc_cast makes reachable.  Linux only, because of sched_setaffinity.
 */
#define _GNU_SOURCE
#include "bench.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <upc_castable.h>

enum { LINE_LONGS = 8, SETTLE_US = 20000, QUEUE_US = 2000 };

/* Memory with affinity to thread 0, on cache lines of its own */
struct meeting {
    long turn[LINE_LONGS];    /* for the hand-off */
    long ping[2][LINE_LONGS]; /* for the round trip */
    long counter[LINE_LONGS]; /* guarded by one of the locks */
    pthread_mutex_t mutex;
};

static shared struct meeting shared_meeting;
static shared long barrier_counts[THREADS];
static struct meeting *meeting;
static upc_lock_t *common_lock;
static upc_lock_t *own_lock;
static upc_lock_t *remote_lock;
static long private_lock;
static cpu_set_t usable_cores;

/* Binds the calling thread to one of the cores that it may use. */
static void bind_to_core(int place)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; cpu++) {
        if (CPU_ISSET(cpu, &usable_cores) && place-- == 0)
            CPU_SET(cpu, &one);
    }
    sched_setaffinity(0, sizeof one, &one);
}

/* ---- Barriers ---- */

static double barrier(long count)
{
    double start = bench_now_ns();
    for (long i = 0; i < count; i++)
        upc_barrier;
    return bench_now_ns() - start;
}

static double notify_wait(long count)
{
    double start = bench_now_ns();
    for (long i = 0; i < count; i++) {
        upc_notify;
        upc_wait;
    }
    return bench_now_ns() - start;
}

/* Detects a barrier that does not wait. */
static void check_barrier(void)
{
    enum { ROUNDS = 200 };
    for (long round = 1; round <= ROUNDS; round++) {
        barrier_counts[MYTHREAD] = round;
        upc_barrier;
        for (int t = 0; t < THREADS; t++)
            bench_expect("upc_barrier", barrier_counts[t], round);
        upc_barrier;
    }
}

/* ---- Hand-offs ---- */

/* Two cache lines, each written by one of two threads on two cores */
static double round_trip(long count)
{
    if (MYTHREAD > 1)
        return 0;
    volatile long *mine = meeting->ping[MYTHREAD];
    volatile long *other = meeting->ping[1 - MYTHREAD];
    long base = *mine;
    double start = bench_now_ns();
    for (long i = 1; i <= count; i++) {
        if (MYTHREAD == 0)
            __atomic_store_n(mine, base + i, __ATOMIC_RELEASE);
        while (__atomic_load_n(other, __ATOMIC_ACQUIRE) < base + i)
            continue;
        if (MYTHREAD == 1)
            __atomic_store_n(mine, base + i, __ATOMIC_RELEASE);
    }
    return bench_now_ns() - start;
}

/* Threads 0 and 1 share a core and yield it to each other.  The pause lets the other threads fall asleep first. */
static double hand_off(long count)
{
    cpu_set_t before;
    if (MYTHREAD > 1)
        return 0;
    sched_getaffinity(0, sizeof before, &before);
    bind_to_core(0);
    usleep(SETTLE_US);

    long base = MYTHREAD == 0 ? 0 : 1;
    double start = bench_now_ns();
    for (long i = 0; i < count; i++) {
        while (__atomic_load_n(&meeting->turn[0], __ATOMIC_ACQUIRE) % 2 != base)
            sched_yield();
        __atomic_fetch_add(&meeting->turn[0], 1, __ATOMIC_RELEASE);
    }
    double ns = bench_now_ns() - start;
    sched_setaffinity(0, sizeof before, &before);
    return ns;
}

/* ---- Locks ---- */

static double lock_uncontended(upc_lock_t *lock, long count)
{
    if (MYTHREAD != 0)
        return 0;
    double start = bench_cpu_ns();
    for (long i = 0; i < count; i++) {
        upc_lock(lock);
        upc_unlock(lock);
    }
    return bench_cpu_ns() - start;
}

static double lock_own(long count)
{
    return lock_uncontended(own_lock, count);
}

static double lock_remote(long count)
{
    return lock_uncontended(remote_lock, count);
}

static double compare_and_store(long count)
{
    if (MYTHREAD != 0)
        return 0;
    double start = bench_cpu_ns();
    for (long i = 0; i < count; i++) {
        long is_free = 0;
        while (!__atomic_compare_exchange_n(&private_lock, &is_free, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            is_free = 0;
        __atomic_store_n(&private_lock, 0, __ATOMIC_RELEASE);
    }
    return bench_cpu_ns() - start;
}

/*
 * All threads take one lock and increment a counter, which must be right in the end.  The clock starts when all threads
 * wait for the lock: thread 0 takes it first and releases it once the others have had time to queue.  Otherwise each
 * thread would do its part alone, within its time slice, without contention.
 */
static void queue_behind_thread_0(void (*take)(void))
{
    if (MYTHREAD == 0)
        take();
    upc_barrier;
    if (MYTHREAD != 0)
        take();
    else
        usleep(QUEUE_US);
}

static double contended(void (*take)(void), void (*give)(void), long count)
{
    upc_barrier;
    long before = meeting->counter[0];
    upc_barrier;
    queue_behind_thread_0(take);
    double start = bench_now_ns();
    for (long i = 0; i < count; i++) {
        meeting->counter[0]++;
        give();
        take();
    }
    double ns = bench_now_ns() - start;
    give();
    upc_barrier;
    bench_expect("mutual exclusion", meeting->counter[0], before + count * THREADS);
    return ns;
}

static void take_lock(void)
{
    upc_lock(common_lock);
}

static void give_lock(void)
{
    upc_unlock(common_lock);
}

static void take_mutex(void)
{
    pthread_mutex_lock(&meeting->mutex);
}

static void give_mutex(void)
{
    pthread_mutex_unlock(&meeting->mutex);
}

static double lock_contended(long count)
{
    return contended(take_lock, give_lock, count);
}

static double mutex_contended(long count)
{
    return contended(take_mutex, give_mutex, count);
}

static void set_up(void)
{
    meeting = upc_cast(&shared_meeting);
    if (meeting == NULL) {
        fprintf(stderr, "sync: thread %d cannot reach the memory of thread 0\n", MYTHREAD);
        exit(1);
    }
    common_lock = upc_all_lock_alloc();
    own_lock = upc_global_lock_alloc();
    static upc_lock_t *shared locks[THREADS];
    locks[MYTHREAD] = own_lock;
    if (MYTHREAD == 0) {
        pthread_mutexattr_t attributes;
        pthread_mutexattr_init(&attributes);
        pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
        pthread_mutex_init(&meeting->mutex, &attributes);
    }
    upc_barrier;
    remote_lock = locks[THREADS - 1];
}

static void run_with_a_core_each(void)
{
    const struct bench_row rows[] = {
        {"upc_barrier", "half a cache-line round trip", barrier, round_trip, 1, 2, 1},
        {"upc_notify, upc_wait", "half a cache-line round trip", notify_wait, round_trip, 1, 2, 1},
        {"upc_lock + upc_unlock, contended", "half a cache-line round trip", lock_contended, round_trip, THREADS, 2, 1},
        {"upc_lock + upc_unlock, contended", "pthread_mutex", lock_contended, mutex_contended, THREADS, THREADS, 1},
        {"upc_lock + upc_unlock, own", "compare-and-swap, store", lock_own, compare_and_store, 1, 1, 1},
        {"upc_lock + upc_unlock, remote", "compare-and-swap, store", lock_remote, compare_and_store, 1, 1, 1},
        {0},
    };
    bench_run(rows);
}

static void run_with_shared_cores(void)
{
    double switches = (double)THREADS / (double)bench_options.cores;
    char switches_name[64], lock_name[64];
    snprintf(switches_name, sizeof switches_name, "%.3g sched_yield hand-offs", switches);
    snprintf(lock_name, sizeof lock_name, "%.3g sched_yield hand-offs", switches / THREADS);
    const struct bench_row rows[] = {
        {"upc_barrier", switches_name, barrier, hand_off, 1, 2, switches},
        {"upc_notify, upc_wait", switches_name, notify_wait, hand_off, 1, 2, switches},
        {"upc_lock + upc_unlock, contended", lock_name, lock_contended, hand_off, THREADS, 2, switches / THREADS},
        {"upc_lock + upc_unlock, contended", "pthread_mutex", lock_contended, mutex_contended, THREADS, THREADS, 1},
        {0},
    };
    bench_run(rows);
}

int main(int argc, char **argv)
{
    bench_start(argc, argv);
    if (THREADS < 2) {
        fprintf(stderr, "sync: needs at least 2 threads\n");
        return 1;
    }
    set_up();
    check_barrier();
    if (THREADS <= bench_options.cores) {
        run_with_a_core_each();
    } else {
        /* Threads are spread evenly, which real-time scheduling does not do by itself: it leaves threads where the
         * hand-off put them. */
        sched_getaffinity(0, sizeof usable_cores, &usable_cores);
        bind_to_core(MYTHREAD % CPU_COUNT(&usable_cores));
        run_with_shared_cores();
    }
    return 0;
}
