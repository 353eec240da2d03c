// many_windows.c: more windows at a time than Banyan has prepared memory for, twice.
//
// Run as banyan-mpi --off --threads=arbitrate mpirun -n 2 ./many_windows.  Exit status 3: a window has wrong sums.
#include <mpi.h>
#include <stdio.h>

enum { WINDOWS = 70, TURNS = 5 };

static int memory[WINDOWS];

// Both processes add to the memory of both in each window, holding an exclusive lock while a sum is fetched and put.
static void add(MPI_Win window)
{
    for (int i = 0; i < 2 * TURNS; i++) {
        int sum;
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, i % 2, 0, window);
        MPI_Get(&sum, 1, MPI_INT, i % 2, 0, 1, MPI_INT, window);
        MPI_Win_flush(i % 2, window);
        sum++;
        MPI_Put(&sum, 1, MPI_INT, i % 2, 0, 1, MPI_INT, window);
        MPI_Win_unlock(i % 2, window);
    }
}

int main(int argc, char **argv)
{
    static MPI_Win windows[WINDOWS];
    int provided, rank, wrong = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int round = 1; round <= 2; round++) {
        for (int i = 0; i < WINDOWS; i++)
            MPI_Win_create(&memory[i], sizeof memory[i], 1, MPI_INFO_NULL, MPI_COMM_WORLD, &windows[i]);
        for (int i = 0; i < WINDOWS; i++)
            add(windows[i]);
        for (int i = WINDOWS - 1; i >= 0; i--) {
            MPI_Win_free(&windows[i]); // waits for the other process
            wrong += memory[i] != 2 * TURNS * round;
        }
    }
    printf("rank %d: %d windows are wrong\n", rank, wrong);
    MPI_Finalize();
    return wrong > 0 ? 3 : 0;
}
