/* lock.c: the program's lock compared with a process-shared POSIX mutex. */
#include "bench.h"

#include "upc/upc_c.h"

#include <pthread.h>
#include <stddef.h>

static bn_pts_t lock;

static pthread_mutex_t *mutex(void)
{
    return bench_shared();
}

static long *counter(void)
{
    return (long *)((char *)bench_shared() + 4096);
}

static void prepare(void)
{
    lock = upc_all_lock_alloc();
    if (bench_thread() != 0)
        return;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(mutex(), &attributes);
}

static void with_mutex(int repetitions)
{
    for (int i = 0; i < repetitions; i++) {
        pthread_mutex_lock(mutex());
        ++*counter();
        pthread_mutex_unlock(mutex());
    }
    bn_barrier();
}

static void with_lock(int repetitions)
{
    for (int i = 0; i < repetitions; i++) {
        upc_lock(lock);
        ++*counter();
        upc_unlock(lock);
    }
    bn_barrier();
}

int main(void)
{
    static const struct bench_way ways[] = {{"pthread mutex", with_mutex}, {"upc_lock", with_lock}};
    for (int threads = 1; threads <= 8; threads *= 2)
        bench_run(&(struct bench_contest){"lock, add, unlock; on each thread", threads, 2000, ways, 2, prepare});
    return 0;
}
