// halfway.c: one process adds to the memory of another one, and the second write of Banyan's fails.
//
// Run as banyan-mpi --off --threads=arbitrate mpirun -n 2 ./halfway [derived], linked with -rdynamic.  The job must be
// aborted; where the system refuses all such writes, so that the library adds, the sums must be right.  Exit status 3
// if they are wrong.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <mpi.h>
#include <stdio.h>
#include <sys/uio.h>

enum { COUNT = 3000 }; // more than Banyan combines at a time

static int writes; // while `adds`
static _Thread_local int adds;

// In front of the C library's function
ssize_t process_vm_writev(pid_t process, const struct iovec *local, unsigned long local_count,
                          const struct iovec *remote, unsigned long remote_count, unsigned long flags)
{
    static ssize_t (*next)(pid_t, const struct iovec *, unsigned long, const struct iovec *, unsigned long,
                           unsigned long);
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "process_vm_writev");
    if (!adds || ++writes != 2)
        return next(process, local, local_count, remote, remote_count, flags);
    errno = EPERM;
    return -1;
}

int main(int argc, char **argv)
{
    static int target[2 * COUNT], ones[COUNT];
    int provided, rank, wrong = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int step = argc > 1 ? 2 : 1; // between elements
    for (int i = 0; i < COUNT; i++)
        ones[i] = 1;
    MPI_Win window;
    MPI_Datatype type;
    MPI_Type_vector(COUNT, 1, step, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Win_create(target, sizeof target, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    adds = rank == 0;
    if (rank == 0)
        MPI_Accumulate(ones, COUNT, MPI_INT, 1, 0, step == 1 ? COUNT : 1, step == 1 ? MPI_INT : type, MPI_SUM, window);
    adds = 0;
    MPI_Win_fence(0, window);
    for (int i = 0; i < COUNT; i++)
        wrong += target[step * i] != rank;
    printf("rank %d: %d of %d sums are wrong, after %d writes\n", rank, wrong, COUNT, writes);
    MPI_Type_free(&type);
    MPI_Win_free(&window);
    MPI_Finalize();
    return wrong > 0 ? 3 : 0;
}
