// own_window.c: a window of one process, whose memory Open MPI 4.1 cannot share.
//
// Run as banyan-mpi --off --threads=arbitrate mpirun -n 1 ./own_window.  Exit status 3: wrong.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int provided, has_base, value = 42, got = 0, *memory, *base;
    MPI_Win window;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_SELF, &memory, &window);
    MPI_Win_get_attr(window, MPI_WIN_BASE, &base, &has_base);
    memory[1] = 0;
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
    MPI_Put(&value, 1, MPI_INT, 0, 1, 1, MPI_INT, window);
    MPI_Win_flush(0, window);
    MPI_Get(&got, 1, MPI_INT, 0, 1, 1, MPI_INT, window);
    MPI_Win_unlock(0, window);
    int is_right = has_base && base == memory && memory[1] == 42 && got == 42;
    if (!is_right)
        printf("memory at %p with %d, base %p, got %d\n", (void *)memory, memory[1], (void *)base, got);
    MPI_Win_free(&window);
    MPI_Finalize();
    return is_right ? 0 : 3;
}
