/*
 * buffered.c: buffered sends that find their room only if a barrier lets the library see that earlier messages are
 * received, as the libraries' own barriers do.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MESSAGES = 8, BYTES = 64 << 10, ROUNDS = 20 };

int main(int argc, char **argv)
{
    int me;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    int size = MESSAGES * (BYTES + MPI_BSEND_OVERHEAD);
    void *room = malloc((size_t)size), *data = calloc(1, BYTES);
    MPI_Buffer_attach(room, size);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < MESSAGES; i++) {
            if (me == 0)
                MPI_Bsend(data, BYTES, MPI_BYTE, 1, i, MPI_COMM_WORLD);
            else
                MPI_Recv(data, BYTES, MPI_BYTE, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Buffer_detach(&room, &size);
    free(room);
    free(data);
    MPI_Finalize();
    if (me == 0)
        puts("ok");
    return 0;
}
