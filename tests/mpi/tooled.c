/* Ten barriers, twenty broadcasts, thirty sums */
#include <mpi.h>

int main(int argc, char **argv)
{
    int value = 1, sum = 0;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 30; i++) {
        if (i < 10)
            MPI_Barrier(MPI_COMM_WORLD);
        if (i < 20)
            MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return sum == 0;
}
