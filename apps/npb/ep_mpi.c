/*
 * ep_mpi: EP over MPI.
 *
 * usage: ep_mpi CLASS
 */
#include <mpi.h>

#include "ep.h"

int main(int argc, char **argv)
{
    int process, processes, status = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &process);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    int class = npb_class(argc, argv, process == 0);
    if (class < 0) {
        MPI_Finalize();
        return 2;
    }
    double mine[EP_SUMS] = {0}, sums[EP_SUMS];
    MPI_Barrier(MPI_COMM_WORLD);
    double start = app_seconds();
    for (long block = process; block < ep_blocks(class); block += processes)
        ep_block(block, mine);
    MPI_Allreduce(mine, sums, EP_SUMS, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (process == 0)
        status = ep_report("MPI", class, processes, app_seconds() - start, sums);
    MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return status;
}
