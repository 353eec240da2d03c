/*
 * planewave_mpi: planewave.upc in C over MPI; MPI_Alltoall for upc_all_exchange.
 *
 * usage: planewave_mpi [steps]
 */
#include <mpi.h>
#include <stdio.h>

#include "wave.h"

#define STEP_TIME 0.01

/* Returns the seconds that the exchange took. */
static double exchange(point_t *sent, point_t *received)
{
    double start = MPI_Wtime();
    MPI_Alltoall(sent, 2 * BLOCK_POINTS, MPI_DOUBLE, received, 2 * BLOCK_POINTS, MPI_DOUBLE, MPI_COMM_WORLD);
    return MPI_Wtime() - start;
}

static long read_steps(int argc, char **argv, int process)
{
    char *end = NULL;
    long steps = argc > 1 ? strtol(argv[1], &end, 10) : 200;
    if ((end != NULL && (end == argv[1] || *end != '\0')) || steps < 1 || steps > 1000000 || argc > 2) {
        if (process == 0)
            fprintf(stderr, "usage: planewave_mpi [steps]        steps are between 1 and 1000000\n");
        MPI_Finalize();
        exit(2);
    }
    return steps;
}

int main(int argc, char **argv)
{
    int process, processes;
    struct wave wave;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &process);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    long steps = read_steps(argc, argv, process);
    point_t *sent = malloc(processes * BLOCK_BYTES), *received = malloc(processes * BLOCK_BYTES);
    if (sent == NULL || received == NULL || wave_start(&wave, processes, process, STEP_TIME) != 0) {
        fprintf(stderr, "process %d: no memory, or too many processes\n", process);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }

    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime(), in_exchange = 0;
    for (long step = 0; step < steps; step++) {
        before_exchange(&wave, sent);
        in_exchange += exchange(sent, received);
        between_exchanges(&wave, received, sent);
        in_exchange += exchange(sent, received);
        after_exchange(&wave, received);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    double seconds = MPI_Wtime() - start;

    double error = wave_error(&wave, STEP_TIME * (double)steps), largest, all_exchange;
    MPI_Allreduce(&error, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(&in_exchange, &all_exchange, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    int wrong = !(largest <= 1e-9);
    if (process == 0)
        printf("planewave: %d x %d x %d points, %ld steps, %.3f s, of it %.3f s in exchanges, %.1f steps per second, "
               "largest error %.1e: %s\n",
               wave.side, wave.side, DEPTH, steps, seconds, all_exchange / processes, (double)steps / seconds, largest,
               wrong ? "WRONG" : "right");
    wave_end(&wave);
    free(sent);
    free(received);
    MPI_Finalize();
    return wrong;
}
