// odd_base.c: windows of memory that begins anywhere.  MPICH 4.0.2 alone accesses addresses rounded down to 16.
//
// Run as banyan-mpi --off --threads=arbitrate mpirun -n 2 ./odd_base.  Exit status 3: wrong; 77: the system does not
// let processes copy each other's memory, so that the library does the transfers.
#define _GNU_SOURCE
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/uio.h>
#include <unistd.h>

enum { PLACES = 16, BEFORE = 16, MIDDLE = 40 };

static int can_copy(int rank)
{
    uint64_t own[2] = {(uint64_t)getpid(), (uintptr_t)own}, all[4], got;
    MPI_Allgather(own, 2, MPI_UINT64_T, all, 2, MPI_UINT64_T, MPI_COMM_WORLD);
    const uint64_t *other = all + (rank == 0 ? 2 : 0);
    struct iovec here = {&got, sizeof got}, there = {(void *)(uintptr_t)other[1], sizeof got};
    int copies = process_vm_readv((pid_t)other[0], &here, 1, &there, 1, 0) == (ssize_t)sizeof got, all_copy;
    MPI_Allreduce(&copies, &all_copy, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return all_copy;
}

// Both processes add 1 to the byte at an offset in the memory of rank 0.
static int is_wrong(int rank, int offset)
{
    static _Alignas(64) signed char memory[BEFORE + PLACES + MIDDLE];
    signed char one = 1, old, *base = memory + BEFORE + offset;
    void *said;
    int has_base, wrong = 0;
    MPI_Win window;
    memory[BEFORE + offset] = 0;
    MPI_Win_create(base, MIDDLE, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_get_attr(window, MPI_WIN_BASE, &said, &has_base);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
    MPI_Fetch_and_op(&one, &old, MPI_SIGNED_CHAR, 0, 0, MPI_SUM, window);
    MPI_Win_unlock(0, window);
    MPI_Win_free(&window); // waits for the other process
    for (int i = 0; i < (int)sizeof memory; i++)
        wrong += memory[i] != (rank == 0 && i == BEFORE + offset ? 2 : 0);
    memory[BEFORE + offset] = 0;
    if (wrong || !has_base || said != base)
        printf("rank %d: offset %d: %d bytes are wrong, the base is off by %td\n", rank, offset, wrong,
               (signed char *)said - base);
    return wrong || !has_base || said != base;
}

int main(int argc, char **argv)
{
    int provided, rank, wrong = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int copies = can_copy(rank);
    for (int offset = 0; offset < PLACES && copies; offset += 3)
        wrong |= is_wrong(rank, offset);
    MPI_Finalize();
    return wrong ? 3 : copies ? 0 : 77;
}
