/*
 * Communicators of the same processes, made by all threads at the same time: by MPI_Comm_create_group with the same
 * tag, so that only their parents tell them apart, and by MPI_Comm_idup while others are made.
 */
#include "check.h"

enum { TAG = 5, COPIES = 3 };

/* Checks that the members are those of the parent, and that no message of another communicator arrives. */
static void check_copy(MPI_Comm comm, const struct lane *lane, int number)
{
    int rank, size, expected = 100 * lane->thread + number, got = -1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    CHECK(rank == lane->rank && size == lane->size);
    MPI_Sendrecv(&expected, 1, MPI_INT, (rank + 1) % size, 0, &got, 1, MPI_INT, (rank + size - 1) % size, 0, comm,
                 MPI_STATUS_IGNORE);
    CHECK(got == expected);
}

static void of_group(MPI_Comm parent, const struct lane *lane, int number)
{
    MPI_Group group;
    MPI_Comm comm;
    MPI_Comm_group(parent, &group);
    MPI_Comm_create_group(parent, group, TAG, &comm);
    check_copy(comm, lane, number);
    MPI_Comm_free(&comm);
    MPI_Group_free(&group);
}

/* While copies are in progress, makes others of the same communicator and of the first copy. */
static void while_others_are_made(const struct lane *lane)
{
    MPI_Comm copies[COPIES], comm, inner;
    MPI_Request requests[COPIES], request;
    int sum = 0, one = 1;
    for (int i = 0; i < COPIES; i++)
        MPI_Comm_idup(lane->comm, &copies[i], &requests[i]);
    MPI_Comm_dup(lane->comm, &comm);
    check_copy(comm, lane, COPIES);
    of_group(lane->comm, lane, COPIES + 1);
    MPI_Comm_free(&comm);
    MPI_Comm_split(lane->comm, 0, lane->rank, &comm);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, lane->comm);
    CHECK(sum == lane->size);
    check_copy(comm, lane, COPIES + 2);
    MPI_Comm_free(&comm);
    MPI_Waitall(COPIES, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < COPIES; i++)
        check_copy(copies[i], lane, i);
    MPI_Comm_idup(copies[0], &inner, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    of_group(inner, lane, COPIES);
    MPI_Comm_free(&inner);
    for (int i = 0; i < COPIES; i++) {
        of_group(copies[i], lane, i);
        MPI_Comm_free(&copies[i]);
    }
}

void check_copies(const struct lane *lane)
{
    for (int i = 0; i < 3; i++)
        of_group(lane->comm, lane, i);
    while_others_are_made(lane);
}
