/* Messages whose length the receiver finds out by probing */
#include "check.h"

#include <sched.h>

enum { LONGEST = 50 };

static void check_received(const struct lane *lane, const int *data, int count, int from)
{
    for (int i = 0; i < count; i++)
        CHECK(data[i] == from * 100 + lane->thread + i);
}

static int length_of(const struct lane *lane, int from)
{
    return 1 + (from * 7 + lane->thread * 3 + lane->round) % LONGEST;
}

void check_probes(const struct lane *lane)
{
    int right = (lane->rank + 1) % lane->size, left = (lane->rank + lane->size - 1) % lane->size;
    int out[LONGEST], in[LONGEST], count;
    MPI_Status status;
    MPI_Message message;
    MPI_Request request;
    for (int i = 0; i < LONGEST; i++)
        out[i] = lane->rank * 100 + lane->thread + i;
    for (int way = 0; way < 4; way++) {
        MPI_Isend(out, length_of(lane, lane->rank), MPI_INT, right, way, lane->comm, &request);
        if (way == 0) {
            MPI_Probe(left, MPI_ANY_TAG, lane->comm, &status);
        } else if (way == 1) {
            for (int flag = 0; !flag; sched_yield())
                MPI_Iprobe(MPI_ANY_SOURCE, way, lane->comm, &flag, &status);
        } else if (way == 2) {
            MPI_Mprobe(left, way, lane->comm, &message, &status);
        } else {
            for (int flag = 0; !flag; sched_yield())
                MPI_Improbe(left, MPI_ANY_TAG, lane->comm, &flag, &message, &status);
        }
        MPI_Get_count(&status, MPI_INT, &count);
        CHECK(status.MPI_SOURCE == left && status.MPI_TAG == way && count == length_of(lane, left));
        if (way < 2)
            MPI_Recv(in, count, MPI_INT, left, way, lane->comm, MPI_STATUS_IGNORE);
        else
            MPI_Mrecv(in, count, MPI_INT, &message, MPI_STATUS_IGNORE);
        check_received(lane, in, count, left);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}
