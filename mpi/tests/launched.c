/*
 * launched.c: checks that each process has Banyan and the variable NAME with its VALUE, and gets correct sums:
 *
 *     launched NAME VALUE
 */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SUMS = 20 };

static int is_set(const char *name, const char *value)
{
    const char *text = getenv(name);
    return text && strstr(text, value) != NULL;
}

int main(int argc, char **argv)
{
    int size, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int is_launched = argc == 3 && is_set("LD_PRELOAD", "libbanyan-mpi-") && is_set(argv[1], argv[2]);
    for (int i = 0; i < SUMS; i++)
        MPI_Allreduce(&is_launched, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (!is_launched || sum != size)
        printf("%d of %d processes have what was set here\n", sum, size);
    MPI_Finalize();
    return !is_launched || sum != size;
}
