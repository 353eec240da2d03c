// give_way.c: a library to preload that makes processes yield while they wait in UCX.  MPICH 4.0 does not yield, so
// with more processes than cores each wait takes the rest of a scheduler's time slice (300 cases of the tester with 16
// processes on 2 cores take 68 s of processor time without this library, 3 s with it).
//
// Not for MPI_THREAD_MULTIPLE: a waiting thread holds MPICH's only lock, so other threads of its process would starve.
// They do not if Banyan lets in one thread at a time; for such runs the variable GIVE_WAY is set.  The system call
// passes by Banyan's own sched_yield (mpi/threads/yields.c), which is for yields of MPI libraries.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { IDLE_BEFORE_YIELD = 16 };

unsigned ucp_worker_progress(void *worker);

static int may_yield(void)
{
    static _Atomic int level = -1;
    if (level < 0) {
        int is_up, provided;
        PMPI_Initialized(&is_up);
        if (!is_up) {
            return 1;
        }
        PMPI_Query_thread(&provided);
        level = getenv("GIVE_WAY") ? MPI_THREAD_SINGLE : provided;
    }
    return level != MPI_THREAD_MULTIPLE;
}

unsigned ucp_worker_progress(void *worker)
{
    static unsigned (*_Atomic below)(void *);
    static _Thread_local unsigned idle;
    if (!below) {
        below = (unsigned (*)(void *))dlsym(RTLD_NEXT, "ucp_worker_progress");
    }
    const unsigned events = below(worker);
    idle = events ? 0 : idle + 1;
    if (idle == IDLE_BEFORE_YIELD) {
        idle = 0;
        if (may_yield()) {
            syscall(SYS_sched_yield);
        }
    }
    return events;
}
