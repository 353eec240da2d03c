/*
 * Collective operations of an MPI program, with results that are known, and with what has become of them said in the
 * last line: "ok", of all processes together.  Run with and without libbanyan-mpi (smoke_test.py).
 */
#include <mpi.h>

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures, rank, size;

static void check(int is_right, const char *what, int detail)
{
    if (is_right)
        return;
    failures++;
    fprintf(stderr, "process %d: %s %d is wrong\n", rank, what, detail);
}

static void broadcasts(MPI_Comm comm)
{
    static const int counts[] = {0, 1, 5, 100, 3000, 40000, 300000};
    int own, members;
    MPI_Comm_rank(comm, &own);
    MPI_Comm_size(comm, &members);
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        int *data = malloc(((size_t)counts[c] + 1) * sizeof *data);
        for (int root = 0; root < members; root++) {
            for (int i = 0; i <= counts[c]; i++)
                data[i] = own == root || i == counts[c] ? i * 3 + root : -1;
            MPI_Bcast(data, counts[c], MPI_INT, root, comm);
            int wrong = 0;
            for (int i = 0; i <= counts[c]; i++)
                wrong += data[i] != i * 3 + root;
            check(wrong == 0, "broadcast of", counts[c]);
        }
        free(data);
    }
}

/* Blocks of two sizes, which no library knows of all processes before it has asked */
static void exchanges_with_counts(void)
{
    static const int sizes[] = {2, 5000};
    for (int s = 0; s < 2; s++) {
        int *counts = malloc((size_t)size * sizeof *counts), *places = malloc((size_t)size * sizeof *places);
        int *mine = malloc((size_t)(sizes[s] * size) * sizeof *mine),
            *got = malloc((size_t)(sizes[s] * size) * sizeof *got);
        for (int r = 0; r < size; r++) {
            counts[r] = sizes[s];
            places[r] = r * sizes[s];
        }
        for (int i = 0; i < sizes[s] * size; i++)
            mine[i] = rank * 100000 + i;
        for (int call = 0; call < 28; call++) {
            MPI_Alltoallv(mine, counts, places, MPI_INT, got, counts, places, MPI_INT, MPI_COMM_WORLD);
            check(got[places[size - 1]] == (size - 1) * 100000 + places[rank], "one of many alltoallv of", sizes[s]);
        }
        free(counts);
        free(places);
        free(mine);
        free(got);
    }
}

/* All others, among all processes: what a rank has is told from its number, and so is what it should get. */
static void others(int count)
{
    size_t all = (size_t)count * (size_t)size;
    int *mine = malloc(all * sizeof *mine), *got = malloc(all * sizeof *got);
    int *counts = malloc((size_t)size * sizeof *counts), *places = malloc((size_t)size * sizeof *places);
    for (int i = 0; i < (int)all; i++)
        mine[i] = rank * 1000 + i;
    for (int r = 0; r < size; r++) {
        counts[r] = count;
        places[r] = (size - 1 - r) * count;
    }
    MPI_Scatter(mine, count, MPI_INT, got, count, MPI_INT, 0, MPI_COMM_WORLD);
    check(got[count - 1] == rank * count + count - 1, "scatter of", count);
    MPI_Scatterv(mine, counts, places, MPI_INT, got, count, MPI_INT, size - 1, MPI_COMM_WORLD);
    check(got[0] == (size - 1) * 1000 + places[rank], "scatterv of", count);
    MPI_Gather(mine, count, MPI_INT, got, count, MPI_INT, 0, MPI_COMM_WORLD);
    check(rank != 0 || got[all - 1] == (size - 1) * 1000 + count - 1, "gather of", count);
    MPI_Gatherv(mine, count, MPI_INT, got, counts, places, MPI_INT, 0, MPI_COMM_WORLD);
    check(rank != 0 || got[0] == (size - 1) * 1000, "gatherv of", count);
    MPI_Allgather(mine, count, MPI_INT, got, count, MPI_INT, MPI_COMM_WORLD);
    check(got[all - 1] == (size - 1) * 1000 + count - 1, "allgather of", count);
    MPI_Allgatherv(mine, count, MPI_INT, got, counts, places, MPI_INT, MPI_COMM_WORLD);
    check(got[0] == (size - 1) * 1000, "allgatherv of", count);
    MPI_Alltoall(mine, count, MPI_INT, got, count, MPI_INT, MPI_COMM_WORLD);
    check(got[all - 1] == (size - 1) * 1000 + rank * count + count - 1, "alltoall of", count);
    MPI_Alltoallv(mine, counts, places, MPI_INT, got, counts, places, MPI_INT, MPI_COMM_WORLD);
    check(got[0] == (size - 1) * 1000 + places[rank], "alltoallv of", count);
    MPI_Reduce(mine, got, count, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    check(rank != 0 || got[0] == 500 * size * (size - 1), "reduce of", count);
    MPI_Allreduce(mine, got, count, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    check(got[count - 1] == (size - 1) * 1000 + count - 1, "allreduce of", count);
    MPI_Reduce_scatter(mine, got, counts, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    check(got[0] == rank * count, "reduce_scatter of", count);
    MPI_Scan(mine, got, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    check(got[0] == 500 * rank * (rank + 1), "scan of", count);
    got[0] = 0;
    MPI_Exscan(mine, got, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    check(got[0] == 500 * rank * (rank - 1), "exscan of", count);
    free(mine);
    free(got);
    free(counts);
    free(places);
}

/* Every other int at one end, all of them in another order at the other: the same signature */
static void derived(MPI_Comm comm)
{
    enum { COUNT = 1000 };
    int data[2 * COUNT], places[] = {1, 0}, lengths[] = {1, 1}, own;
    MPI_Datatype strided, swapped;
    MPI_Comm_rank(comm, &own);
    MPI_Type_vector(COUNT, 1, 2, MPI_INT, &strided);
    MPI_Type_indexed(2, lengths, places, MPI_INT, &swapped);
    MPI_Type_commit(&strided);
    MPI_Type_commit(&swapped);
    for (int i = 0; i < 2 * COUNT; i++)
        data[i] = own == 0 ? i : -1;
    if (own == 0)
        MPI_Bcast(data, 1, strided, 0, comm);
    else
        MPI_Bcast(data, COUNT / 2, swapped, 0, comm);
    for (int i = 0; own != 0 && i < COUNT; i++)
        check(data[i] == 2 * (i ^ 1), "derived type: element", i);
    MPI_Type_free(&strided);
    MPI_Type_free(&swapped);
}

/* The same functions with large counts, where the library has them */
static void large(void)
{
#if MPI_VERSION >= 4
    MPI_Count *counts = malloc((size_t)size * sizeof *counts);
    MPI_Aint *places = malloc((size_t)size * sizeof *places);
    double *all = malloc(100 * (size_t)size * sizeof *all), mine[100], sum[100];
    for (int r = 0; r < size; r++) {
        counts[r] = 100;
        places[r] = (MPI_Aint)(size - 1 - r) * 100;
    }
    for (int i = 0; i < 100; i++)
        mine[i] = rank;
    MPI_Allgatherv_c(mine, 100, MPI_DOUBLE, all, counts, places, MPI_DOUBLE, MPI_COMM_WORLD);
    check(all[0] == size - 1 && all[100 * (size - 1)] == 0, "large allgatherv of", 100);
    MPI_Allreduce_c(mine, sum, 100, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    check(sum[99] == size * (size - 1) / 2, "large allreduce of", 100);
    MPI_Reduce_scatter_c(all, sum, counts, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    check(sum[99] == size - 1 - rank, "large reduce_scatter of", 100);
    MPI_Bcast_c(mine, 100, MPI_DOUBLE, size - 1, MPI_COMM_WORLD);
    check(mine[99] == size - 1, "large bcast of", 100);
    free(counts);
    free(places);
    free(all);
#endif
}

static void barriers(void)
{
    for (int i = 0; i < 200; i++)
        MPI_Barrier(MPI_COMM_WORLD);
}

static void communicators(void)
{
    MPI_Comm half, copy;
    for (int i = 0; i < 50; i++) {
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
        MPI_Comm_dup(half, &copy);
        MPI_Comm_free(&half);
        if (i % 10 == 0)
            broadcasts(copy);
        MPI_Barrier(copy);
        MPI_Comm_free(&copy);
    }
}

/* A send that waits for its receiver, which waits in a broadcast for the sender of another one */
static void progress(void)
{
    enum { COUNT = 1 << 20 };
    static int data[COUNT];
    int token = 0;
    MPI_Request request;
    if (size < 2)
        return;
    for (int i = 0; i < 20; i++) {
        if (rank == 0) {
            MPI_Isend(data, COUNT, MPI_INT, 1, 7, MPI_COMM_WORLD, &request);
            MPI_Bcast(&token, 1, MPI_INT, 1, MPI_COMM_WORLD); /* rank 1 comes only after it has received */
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        } else {
            if (rank == 1)
                MPI_Recv(data, COUNT, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Bcast(&token, 1, MPI_INT, 1, MPI_COMM_WORLD);
        }
    }
}

/* What is wrong is the library's to say. */
static void errors(void)
{
    int data = 0;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    check(MPI_Bcast(&data, -1, MPI_INT, 0, MPI_COMM_WORLD) != MPI_SUCCESS, "the answer to a count of", -1);
    check(MPI_Bcast(&data, 1, MPI_INT, size, MPI_COMM_WORLD) != MPI_SUCCESS, "the answer to root", size);
    check(MPI_Bcast(&data, 1, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD) != MPI_SUCCESS, "the answer to no type", 0);
    check(MPI_Barrier(MPI_COMM_NULL) != MPI_SUCCESS, "the answer to no communicator", 0);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char **argv)
{
    int all;
    setlocale(LC_ALL, "");
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    broadcasts(MPI_COMM_WORLD);
    derived(MPI_COMM_WORLD);
    others(1);
    others(1000);
    others(100000);
    exchanges_with_counts();
    large();
    barriers();
    communicators();
    progress();
    errors();
    MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        puts(all == 0 ? "ok" : "failed");
    MPI_Finalize();
    return all != 0;
}
