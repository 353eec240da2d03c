/* Requests that may be started again: persistent collectives and partitioned messages, of MPI 4 */
#include "check.h"

#if MPI_VERSION >= 4

enum { ROUNDS = 4, REQUESTS = 3, PARTITIONS = 4 };

/* No MPI_Testall, MPI_Waitany or MPI_Waitsome here, since MPICH 4.0 itself fails in them. */
static void wait_for(const struct lane *lane, int count, MPI_Request requests[], int round)
{
    MPI_Status statuses[REQUESTS];
    if (lane->thread % 2 == 0)
        CHECK(MPI_Waitall(count, requests, round % 2 == 0 ? statuses : MPI_STATUSES_IGNORE) == MPI_SUCCESS);
    else
        for (int i = 0; i < count; i++)
            CHECK(MPI_Wait(&requests[i], &statuses[i]) == MPI_SUCCESS);
}

static void collectives(const struct lane *lane)
{
    int data, mine, sum;
    MPI_Request requests[REQUESTS];
    MPI_Bcast_init(&data, 1, MPI_INT, 0, lane->comm, MPI_INFO_NULL, &requests[0]);
    MPI_Allreduce_init(&mine, &sum, 1, MPI_INT, MPI_SUM, lane->comm, MPI_INFO_NULL, &requests[1]);
    MPI_Barrier_init(lane->comm, MPI_INFO_NULL, &requests[2]);
    for (int round = 0; round < ROUNDS; round++) {
        data = lane->rank == 0 ? round : -1;
        mine = lane->rank + round;
        MPI_Startall(REQUESTS, requests);
        wait_for(lane, REQUESTS, requests, round);
        CHECK(data == round && sum == lane->size * (lane->size - 1) / 2 + lane->size * round);
    }
    for (int i = 0; i < REQUESTS; i++)
        MPI_Request_free(&requests[i]);
}

static void partitioned(const struct lane *lane)
{
    int right = (lane->rank + 1) % lane->size, left = (lane->rank + lane->size - 1) % lane->size;
    int in[PARTITIONS], out[PARTITIONS];
    MPI_Request requests[2];
    MPI_Precv_init(in, PARTITIONS, 1, MPI_INT, left, 5, lane->comm, MPI_INFO_NULL, &requests[0]);
    MPI_Psend_init(out, PARTITIONS, 1, MPI_INT, right, 5, lane->comm, MPI_INFO_NULL, &requests[1]);
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Startall(2, requests);
        for (int i = 0; i < PARTITIONS; i++) {
            out[i] = 100 * round + 10 * lane->rank + i;
            MPI_Pready(i, requests[1]);
        }
        wait_for(lane, 2, requests, round);
        for (int i = 0; i < PARTITIONS; i++)
            CHECK(in[i] == 100 * round + 10 * left + i);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
}

void check_persistent(const struct lane *lane)
{
    collectives(lane);
    partitioned(lane);
}

#else

void check_persistent(const struct lane *lane)
{
    (void)lane;
}

#endif
