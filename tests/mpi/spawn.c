/*
 * spawn.c: two processes start two more; each pair calls barriers among itself, the first one more of them.
 */
#include <mpi.h>
#include <stdio.h>

enum { BARRIERS = 70, BARRIERS_OF_SPAWNED = 50 };

static void meet(int times)
{
    for (int i = 0; i < times; i++)
        MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Comm other;
    int rank, is_spawned;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_parent(&other);
    is_spawned = other != MPI_COMM_NULL;
    if (!is_spawned)
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other, MPI_ERRCODES_IGNORE);
    meet(is_spawned ? BARRIERS_OF_SPAWNED : BARRIERS);
    MPI_Comm_disconnect(&other);
    MPI_Finalize();
    if (rank == 0 && !is_spawned)
        puts("ok");
    return 0;
}
