/*
 * locks.upc: how often each thread gets a lock, and how long a hand-over takes, compared with a POSIX mutex in shared
 * memory.
 *
 * All threads take the lock, increment a counter and release the lock, again and again for a fixed time, which begins
 * when all threads wait for the lock.  The kinds of lock take turns, so that disturbances affect all of them.  Each
 * turn is a line of JSON: how often each thread had the lock, the longest wait of a thread, and how often it passed
 * from one thread to another.
 *
 * usage: locks [turns [milliseconds each [loops while it is held [loops between]]]]
 */
#include <upc_relaxed.h>

#include <upc_castable.h>
#include <upc_tick.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { QUEUE_US = 3000, LOOKS_AT_CLOCK = 16 };

struct place {
    pthread_mutex_t mutex;
    long counter; /* guarded by the lock */
    long hand_overs;
    int last;
    long must_stop __attribute__((aligned(64)));
};

static shared struct place shared_place;
static shared long times[THREADS];
static shared double longest_ns[THREADS];
static struct place *place;
static upc_lock_t *lock;

static double now_ns(void)
{
    return (double)upc_ticks_to_ns(upc_ticks_now());
}

static void loop(long count)
{
    for (long i = 0; i < count; i++)
        __asm__ volatile("" ::: "memory");
}

static void take(int is_mutex)
{
    if (is_mutex)
        pthread_mutex_lock(&place->mutex);
    else
        upc_lock(lock);
}

static void give(int is_mutex)
{
    if (is_mutex)
        pthread_mutex_unlock(&place->mutex);
    else
        upc_unlock(lock);
}

/* One turn of this thread; returns the time in nanoseconds */
static double compete(int is_mutex, double turn_ns, long held, long between)
{
    long count = 0;
    double longest = 0;
    if (MYTHREAD == 0) {
        place->counter = place->hand_overs = place->must_stop = 0;
        take(is_mutex);
    }
    upc_barrier;
    if (MYTHREAD == 0) {
        usleep(QUEUE_US);
        give(is_mutex);
    }
    double start = now_ns();
    while (!__atomic_load_n(&place->must_stop, __ATOMIC_RELAXED)) {
        double asked = now_ns();
        take(is_mutex);
        double waited = now_ns() - asked;
        place->counter++;
        place->hand_overs += place->last != MYTHREAD;
        place->last = MYTHREAD;
        loop(held);
        give(is_mutex);
        loop(between);
        if (count > 0 && waited > longest)
            longest = waited;
        if (MYTHREAD == 0 && ++count % LOOKS_AT_CLOCK == 0 && now_ns() - start > turn_ns)
            __atomic_store_n(&place->must_stop, 1, __ATOMIC_RELAXED);
        else if (MYTHREAD != 0)
            count++;
    }
    double took = now_ns() - start;
    times[MYTHREAD] = count;
    longest_ns[MYTHREAD] = longest;
    upc_barrier;
    return took;
}

static void print(int is_mutex, double took_ns)
{
    long sum = 0;
    double longest = 0;
    for (int t = 0; t < THREADS; t++) {
        sum += times[t];
        longest = longest_ns[t] > longest ? longest_ns[t] : longest;
    }
    if (sum != place->counter) {
        fprintf(stderr, "locks: %ld acquisitions, %ld counted: the lock does not exclude\n", sum, place->counter);
        upc_global_exit(1);
    }
    printf("{\"kind\": \"%s\", \"threads\": %d, \"ns\": %.1f, \"hand_over_ns\": %.1f, \"longest_ns\": %.0f, "
           "\"times\": [",
           is_mutex ? "pthread mutex" : "upc_lock", THREADS, took_ns / (double)sum,
           took_ns / (double)(place->hand_overs ? place->hand_overs : 1), longest);
    for (int t = 0; t < THREADS; t++)
        printf("%s%ld", t ? ", " : "", times[t]);
    printf("]}\n");
    fflush(stdout);
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 11;
    double turn_ns = (argc > 2 ? atof(argv[2]) : 50) * 1e6;
    long held = argc > 3 ? atol(argv[3]) : 0, between = argc > 4 ? atol(argv[4]) : 0;
    place = upc_cast(&shared_place);
    lock = upc_all_lock_alloc();
    if (MYTHREAD == 0) {
        pthread_mutexattr_t attributes;
        pthread_mutexattr_init(&attributes);
        pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
        pthread_mutex_init(&place->mutex, &attributes);
    }
    upc_barrier;
    for (int turn = 0; turn < turns; turn++) {
        for (int is_mutex = 0; is_mutex < 2; is_mutex++) {
            double took_ns = compete(is_mutex, turn_ns, held, between);
            if (MYTHREAD == 0)
                print(is_mutex, took_ns);
            upc_barrier;
        }
    }
    return 0;
}
