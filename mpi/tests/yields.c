// yields.c: checks that another thread can come in when the MPI library yields because it has found no messages.
//
// Run as banyan-mpi --threads=arbitrate mpirun -n 1 ./yields, with a library that is configured to yield.  Prints the
// number of yields that it has seen; exit status 1 if there was none, or if the other thread had to wait during one.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <mpi.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>

enum { LOOKS = 20, LIMIT_S = 10 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static int asked, answered, seen, late;
static bool is_over;
static _Thread_local bool asks; // the calling thread

static void look(void)
{
    int flag;
    MPI_Iprobe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
}

static void *answer(void *none)
{
    pthread_mutex_lock(&lock);
    while (!is_over) {
        if (answered == asked) {
            pthread_cond_wait(&change, &lock);
            continue;
        }
        pthread_mutex_unlock(&lock);
        look();
        pthread_mutex_lock(&lock);
        answered++;
        pthread_cond_broadcast(&change);
    }
    pthread_mutex_unlock(&lock);
    return none;
}

// The other thread calls MPI while this one yields.
static void ask(void)
{
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += LIMIT_S;
    pthread_mutex_lock(&lock);
    seen++;
    asked++;
    pthread_cond_broadcast(&change);
    int error = 0;
    while (answered < asked && error == 0)
        error = pthread_cond_timedwait(&change, &lock, &limit);
    late += error == ETIMEDOUT;
    pthread_mutex_unlock(&lock);
}

// In front of the C library's syscall(), with which Banyan yields
long syscall(long number, ...)
{
    static long (*next)(long, ...);
    long words[6];
    va_list more;
    va_start(more, number);
    for (int i = 0; i < 6; i++)
        words[i] = va_arg(more, long);
    va_end(more);
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "syscall");
    if (number == SYS_sched_yield && asks && late == 0)
        ask();
    return next(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}

int main(int argc, char **argv)
{
    int provided;
    pthread_t other;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    pthread_create(&other, NULL, answer, NULL);
    asks = true;
    for (int i = 0; i < LOOKS; i++)
        look();
    asks = false;
    pthread_mutex_lock(&lock);
    is_over = true;
    pthread_cond_broadcast(&change);
    pthread_mutex_unlock(&lock);
    pthread_join(other, NULL);
    MPI_Finalize();
    printf("%d yields, %d of them while nobody could come in\n", seen, late);
    return seen == 0 || late != 0 || provided != MPI_THREAD_MULTIPLE;
}
