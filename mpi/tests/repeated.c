/*
 * repeated.c: calls operations often enough that Banyan learns who carries them out, and checks their results.  The
 * last argument is the number of calls of each operation.  Prints "right" once.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNTS = 2, PROCESSES_MAX = 16 };
static const int counts[COUNTS] = {100, 20000};

static int rank, size, wrong;
static int from[PROCESSES_MAX * 20000], to[PROCESSES_MAX * 20000];

static void expect(const char *what, int count, int call, int got, int right)
{
    if (got != right && wrong++ < 5)
        printf("process %d: %s of %d, call %d: %d, not %d\n", rank, what, count, call, got, right);
}

static void fill(int count, int call)
{
    for (int i = 0; i < count * size; i++) {
        from[i] = rank * 1000 + call + i;
        to[i] = -1;
    }
}

static void broadcast(int count, int call)
{
    int root = call % size;
    fill(count, call);
    MPI_Bcast(from, count, MPI_INT, root, MPI_COMM_WORLD);
    for (int i = 0; i < count; i++)
        expect("MPI_Bcast", count, call, from[i], root * 1000 + call + i);
}

static void reduce(int count, int call)
{
    int root = call % size;
    fill(count, call);
    MPI_Reduce(from, to, count, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
    for (int i = 0; i < count && rank == root; i++)
        expect("MPI_Reduce", count, call, to[i], size * (size - 1) / 2 * 1000 + size * (call + i));
}

static void reduce_all(int count, int call)
{
    fill(count, call);
    MPI_Allreduce(from, to, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < count; i++)
        expect("MPI_Allreduce", count, call, to[i], size * (size - 1) / 2 * 1000 + size * (call + i));
}

static void gather_all(int count, int call)
{
    fill(count, call);
    MPI_Allgather(from, count, MPI_INT, to, count, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < count * size; i++)
        expect("MPI_Allgather", count, call, to[i], i / count * 1000 + call + i % count);
}

static void exchange(int count, int call)
{
    fill(count, call);
    MPI_Alltoall(from, count, MPI_INT, to, count, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < count * size; i++)
        expect("MPI_Alltoall", count, call, to[i], i / count * 1000 + call + rank * count + i % count);
}

static void barrier(int count, int call)
{
    (void)count;
    (void)call;
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    static void (*const operations[])(int, int) = {broadcast, reduce, reduce_all, gather_all, exchange, barrier};
    int calls = atoi(argv[argc - 1]), all_wrong;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > PROCESSES_MAX)
        MPI_Abort(MPI_COMM_WORLD, 2);
    for (int i = 0; i < (int)(sizeof operations / sizeof operations[0]); i++)
        for (int which = 0; which < COUNTS; which++)
            for (int call = 0; call < calls; call++)
                operations[i](counts[which], call);
    MPI_Allreduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0 && all_wrong == 0)
        printf("right\n");
    MPI_Finalize();
    return all_wrong != 0;
}
