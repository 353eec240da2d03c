/* port_mpi.c: the harness over MPI. */
#include "block.h"
#include "harness/json.h"
#include "harness/no_algorithms.h"
#include "harness/port.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char port_system[] = "MPI";

int port_start(int *argc_p, char ***argv_p)
{
    return MPI_Init(argc_p, argv_p) != MPI_SUCCESS;
}

void port_finish(void)
{
    MPI_Finalize();
}

int port_thread(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

int port_threads(void)
{
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

int port_threads_on_node(void)
{
    MPI_Comm node;
    int size;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &size);
    MPI_Comm_free(&node);
    return size;
}

void port_barrier(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

void port_progress(void)
{
    int is_there;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
}

void port_broadcast(void *data, size_t size_bytes)
{
    MPI_Bcast(data, (int)size_bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

void port_gather(const void *mine, size_t size_bytes, void *all)
{
    MPI_Gather(mine, (int)size_bytes, MPI_BYTE, all, (int)size_bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

void port_send(int to, double value)
{
    MPI_Send(&value, 1, MPI_DOUBLE, to, 0, MPI_COMM_WORLD);
}

double port_receive(int from)
{
    double value;
    MPI_Recv(&value, 1, MPI_DOUBLE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return value;
}

void port_abort(int status)
{
    MPI_Abort(MPI_COMM_WORLD, status);
}

int port_can_allocate(size_t shared_bytes)
{
    void *memory = malloc(shared_bytes);
    int mine = memory != NULL;
    int all = 0;
    free(memory);
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return all;
}

void port_version(char text[PORT_VERSION_BYTES])
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(version, &length);
    snprintf(text, PORT_VERSION_BYTES, "%.*s", (int)strcspn(version, "\n"), version);
}

void port_describe(struct uoms_json *json)
{
    (void)json;
}

void *block_allocate(size_t size_bytes)
{
    return aligned_alloc(64, (size_bytes + 63) / 64 * 64);
}

void block_free(void *memory)
{
    free(memory);
}
