/*
 * spawn.c [without]: two processes start two more, without libbanyan-mpi if told so; each pair calls barriers among
 * itself, the first one more of them, and all four call other operations together.
 */
#include <mpi.h>
#include <stdio.h>

enum { BARRIERS = 70, BARRIERS_OF_SPAWNED = 50, SUMS = 5 };

static void meet(int times)
{
    for (int i = 0; i < times; i++)
        MPI_Barrier(MPI_COMM_WORLD);
}

static void spawn(char *program, int is_without, MPI_Comm *other)
{
    char *words[] = {"-u", "LD_PRELOAD", program, NULL};
    MPI_Comm_spawn(is_without ? "/usr/bin/env" : program, is_without ? words : MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0,
                   MPI_COMM_WORLD, other, MPI_ERRCODES_IGNORE);
}

static int sum_together(MPI_Comm other, int is_spawned)
{
    MPI_Comm all;
    int is_right = 1;
    MPI_Intercomm_merge(other, is_spawned, &all);
    for (int i = 0; i < SUMS; i++) {
        int rank, sum, sent;
        MPI_Comm_rank(all, &rank);
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, all);
        sent = rank == 0 ? i : -1;
        MPI_Bcast(&sent, 1, MPI_INT, 0, all);
        is_right &= sum == 0 + 1 + 2 + 3 && sent == i;
    }
    MPI_Comm_free(&all);
    return is_right;
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
        spawn(argv[0], argc > 1, &other);
    meet(is_spawned ? BARRIERS_OF_SPAWNED : BARRIERS);
    if (!sum_together(other, is_spawned))
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_disconnect(&other);
    MPI_Finalize();
    if (rank == 0 && !is_spawned)
        puts("ok");
    return 0;
}
