/* Messages around a ring, with all kinds of sends, small and large */
#include "check.h"

#include <stdlib.h>

static int value(const struct lane *lane, int from, int i)
{
    return from * 1000003 + lane->thread * 1009 + lane->round * 17 + i;
}

static void fill(const struct lane *lane, int *data, int count)
{
    for (int i = 0; i < count; i++)
        data[i] = value(lane, lane->rank, i);
}

static void check_data(const struct lane *lane, const int *data, int count, int from)
{
    for (int i = 0; i < count; i++)
        CHECK(data[i] == value(lane, from, i));
}

/* Even processes send first, so that sends that wait for the receiver make progress. */
static void around(const struct lane *lane, int (*send)(const void *, int, MPI_Datatype, int, int, MPI_Comm), int count)
{
    int right = (lane->rank + 1) % lane->size, left = (lane->rank + lane->size - 1) % lane->size, received = -1;
    int *out = malloc((size_t)count * sizeof *out), *in = malloc((size_t)count * sizeof *in);
    MPI_Status status;
    fill(lane, out, count);
    if (lane->rank % 2 == 0)
        send(out, count, MPI_INT, right, 5, lane->comm);
    MPI_Recv(in, count, MPI_INT, left, 5, lane->comm, &status);
    if (lane->rank % 2 == 1)
        send(out, count, MPI_INT, right, 5, lane->comm);
    MPI_Get_count(&status, MPI_INT, &received);
    CHECK(received == count && status.MPI_SOURCE == left && status.MPI_TAG == 5);
    check_data(lane, in, count, left);
    free(out);
    free(in);
}

static void exchange(const struct lane *lane, int count)
{
    int right = (lane->rank + 1) % lane->size, left = (lane->rank + lane->size - 1) % lane->size, received = -1;
    int *out = malloc((size_t)count * sizeof *out), *in = malloc((size_t)count * sizeof *in);
    MPI_Status status;
    fill(lane, out, count);
    MPI_Sendrecv(out, count, MPI_INT, right, 6, in, count, MPI_INT, left, 6, lane->comm, &status);
    CHECK(status.MPI_SOURCE == left && status.MPI_TAG == 6);
    check_data(lane, in, count, left);
    MPI_Sendrecv_replace(out, count, MPI_INT, right, 7, left, MPI_ANY_TAG, lane->comm, &status);
    MPI_Get_count(&status, MPI_INT, &received);
    CHECK(received == count && status.MPI_SOURCE == left && status.MPI_TAG == 7);
    check_data(lane, out, count, left);
    free(out);
    free(in);
}

static void with_nobody(const struct lane *lane)
{
    int data = 7;
    MPI_Status status;
    MPI_Message message;
    MPI_Send(&data, 1, MPI_INT, MPI_PROC_NULL, 0, lane->comm);
    MPI_Recv(&data, 1, MPI_INT, MPI_PROC_NULL, 0, lane->comm, &status);
    CHECK(data == 7 && status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG);
    MPI_Probe(MPI_PROC_NULL, 0, lane->comm, &status);
    CHECK(status.MPI_SOURCE == MPI_PROC_NULL);
    status.MPI_SOURCE = 0;
    MPI_Sendrecv(&data, 1, MPI_INT, MPI_PROC_NULL, 0, &data, 1, MPI_INT, MPI_PROC_NULL, 0, lane->comm, &status);
    CHECK(data == 7 && status.MPI_SOURCE == MPI_PROC_NULL);
    MPI_Sendrecv_replace(&data, 1, MPI_INT, lane->rank, 0, lane->rank, 0, lane->comm, &status);
    CHECK(data == 7 && status.MPI_SOURCE == lane->rank);
    MPI_Mprobe(MPI_PROC_NULL, 0, lane->comm, &message, &status);
    CHECK(message == MPI_MESSAGE_NO_PROC && status.MPI_SOURCE == MPI_PROC_NULL);
    status.MPI_SOURCE = 0;
    MPI_Mrecv(&data, 1, MPI_INT, &message, &status);
    CHECK(message == MPI_MESSAGE_NULL && status.MPI_SOURCE == MPI_PROC_NULL);
}

/* A message that is too long is an error of the receiver, reported to its error handler if the library detects it. */
static void too_long(const struct lane *lane)
{
    int data[4] = {0}, class, error;
    MPI_Comm_set_errhandler(lane->comm, MPI_ERRORS_RETURN);
    error =
        MPI_Sendrecv(data, 4, MPI_INT, lane->rank, 8, data, 0, MPI_INT, lane->rank, 8, lane->comm, MPI_STATUS_IGNORE);
    MPI_Error_class(error, &class);
    CHECK(class == MPI_ERR_TRUNCATE || lane->is_careless);
    error = MPI_Send(data, 1, MPI_INT, lane->size, 8, lane->comm);
    MPI_Error_class(error, &class);
    CHECK(class == MPI_ERR_RANK || lane->is_careless);
    MPI_Comm_set_errhandler(lane->comm, MPI_ERRORS_ARE_FATAL);
}

void check_messages(const struct lane *lane)
{
    static const int counts[] = {1, 100, 3000, 40000};
    for (int i = 0; i < (int)(sizeof counts / sizeof *counts); i++) {
        if (lane->size > 1) {
            around(lane, MPI_Send, counts[i]);
            around(lane, MPI_Ssend, counts[i]);
        }
        exchange(lane, counts[i]);
    }
    with_nobody(lane);
    too_long(lane);
}
