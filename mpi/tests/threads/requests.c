/* Every way to wait for requests and to test them */
#include "check.h"

#include <sched.h>
#include <string.h>
#include <unistd.h>

enum { WINDOW = 24 };

struct window {
    const struct lane *lane;
    int out[WINDOW], in[WINDOW];
    MPI_Request requests[2 * WINDOW]; /* receives first */
    MPI_Status statuses[2 * WINDOW];
};

static void start(struct window *window, const struct lane *lane)
{
    int right = (lane->rank + 1) % lane->size, left = (lane->rank + lane->size - 1) % lane->size;
    memset(window->in, 0, sizeof window->in);
    window->lane = lane;
    for (int i = 0; i < WINDOW; i++)
        MPI_Irecv(&window->in[i], 1, MPI_INT, left, i, lane->comm, &window->requests[i]);
    for (int i = 0; i < WINDOW; i++) {
        window->out[i] = 1 + i + 100 * lane->thread + 10000 * lane->rank;
        MPI_Isend(&window->out[i], 1, MPI_INT, right, i, lane->comm, &window->requests[WINDOW + i]);
    }
}

static void end(const struct window *window)
{
    const struct lane *lane = window->lane;
    int left = (lane->rank + lane->size - 1) % lane->size;
    for (int i = 0; i < WINDOW; i++)
        CHECK(window->in[i] == 1 + i + 100 * lane->thread + 10000 * left);
    for (int i = 0; i < 2 * WINDOW; i++)
        CHECK(window->requests[i] == MPI_REQUEST_NULL);
}

static void each(struct window *window)
{
    for (int i = 0; i < 2 * WINDOW; i++)
        MPI_Wait(&window->requests[i], &window->statuses[i]);
    CHECK(window->statuses[3].MPI_TAG == 3);
    MPI_Wait(&window->requests[0], &window->statuses[0]); /* an inactive request */
    CHECK(window->statuses[0].MPI_TAG == MPI_ANY_TAG);
}

static void all(struct window *window)
{
    MPI_Waitall(2 * WINDOW, window->requests, window->statuses);
    CHECK(window->statuses[WINDOW - 1].MPI_TAG == WINDOW - 1);
}

static void any(struct window *window)
{
    int index;
    MPI_Status status;
    for (int i = 0; i < 2 * WINDOW; i++) {
        MPI_Waitany(2 * WINDOW, window->requests, &index, &status);
        CHECK(index >= 0 && index < 2 * WINDOW && (index >= WINDOW || status.MPI_TAG == index));
    }
    MPI_Waitany(2 * WINDOW, window->requests, &index, &status);
    CHECK(index == MPI_UNDEFINED);
}

static void some(struct window *window)
{
    int count, indexes[2 * WINDOW];
    for (int left = 2 * WINDOW; left > 0; left -= count) {
        MPI_Waitsome(2 * WINDOW, window->requests, &count, indexes, window->statuses);
        CHECK(count >= 1 && count <= left);
    }
    MPI_Waitsome(2 * WINDOW, window->requests, &count, indexes, window->statuses);
    CHECK(count == MPI_UNDEFINED);
}

static void look_each(struct window *window)
{
    for (int i = 0; i < 2 * WINDOW; i++)
        for (int flag = 0; !flag; sched_yield())
            MPI_Test(&window->requests[i], &flag, MPI_STATUS_IGNORE);
}

static void look_all(struct window *window)
{
    for (int flag = 0; !flag; sched_yield())
        MPI_Testall(2 * WINDOW, window->requests, &flag, MPI_STATUSES_IGNORE);
}

static void look_any(struct window *window)
{
    int index, flag;
    for (int left = 2 * WINDOW; left > 0; left -= flag) {
        MPI_Testany(2 * WINDOW, window->requests, &index, &flag, MPI_STATUS_IGNORE);
        if (!flag)
            sched_yield();
    }
}

static void look_some(struct window *window)
{
    int count, indexes[2 * WINDOW];
    for (int left = 2 * WINDOW; left > 0; left -= count) {
        MPI_Testsome(2 * WINDOW, window->requests, &count, indexes, MPI_STATUSES_IGNORE);
        if (count == 0)
            sched_yield();
    }
}

static void persistent(const struct lane *lane)
{
    int right = (lane->rank + 1) % lane->size, left = (lane->rank + lane->size - 1) % lane->size, in, out;
    MPI_Request requests[2];
    MPI_Recv_init(&in, 1, MPI_INT, left, 77, lane->comm, &requests[0]);
    MPI_Ssend_init(&out, 1, MPI_INT, right, 77, lane->comm, &requests[1]);
    for (int i = 0; i < 5; i++) {
        in = -1;
        out = i * 31 + lane->rank;
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        CHECK(in == i * 31 + left && requests[0] != MPI_REQUEST_NULL);
    }
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE); /* inactive */
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
}

static void cancelled(const struct lane *lane)
{
    int data, flag;
    MPI_Request request;
    MPI_Status status;
    MPI_Irecv(&data, 1, MPI_INT, lane->rank, 999, lane->comm, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &flag);
    CHECK(flag);
}

/* Of three requests that are waited for, one fails meanwhile: its message is longer than the buffer. */
static void failed(const struct lane *lane)
{
    int one = 1, in[2] = {0, 0}, error_class;
    const int several[4] = {2, 3, 4, 5};
    MPI_Request requests[3];
    MPI_Status statuses[3];
    MPI_Comm_set_errhandler(lane->comm, MPI_ERRORS_RETURN);
    if (lane->rank == 1) {
        MPI_Recv(&one, 1, MPI_INT, 0, 1, lane->comm, MPI_STATUS_IGNORE);
        usleep(2000);
        MPI_Send(several, 4, MPI_INT, 0, 2, lane->comm);
        MPI_Send(several, 1, MPI_INT, 0, 3, lane->comm);
    } else if (lane->rank == 0) {
        MPI_Irecv(&in[0], 1, MPI_INT, 1, 2, lane->comm, &requests[0]);
        MPI_Irecv(&in[1], 1, MPI_INT, 1, 3, lane->comm, &requests[1]);
        MPI_Isend(&one, 1, MPI_INT, 1, 1, lane->comm, &requests[2]);
        MPI_Error_class(MPI_Waitall(3, requests, statuses), &error_class);
        CHECK(error_class == MPI_ERR_IN_STATUS);
        MPI_Error_class(statuses[0].MPI_ERROR, &error_class);
        CHECK(error_class == MPI_ERR_TRUNCATE);
        for (int i = 1; i < 3; i++) {
            MPI_Error_class(statuses[i].MPI_ERROR, &error_class);
            CHECK(error_class == MPI_SUCCESS || error_class == MPI_ERR_PENDING);
        }
        MPI_Waitall(2, &requests[1], MPI_STATUSES_IGNORE);
        CHECK(in[1] == several[0]);
    }
    MPI_Comm_set_errhandler(lane->comm, MPI_ERRORS_ARE_FATAL);
}

void check_requests(const struct lane *lane)
{
    static void (*const ways[])(struct window *) = {each, all, any, some, look_each, look_all, look_any, look_some};
    struct window window;
    for (int i = 0; i < (int)(sizeof ways / sizeof *ways); i++) {
        start(&window, lane);
        ways[i](&window);
        end(&window);
    }
    MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE);
    persistent(lane);
    cancelled(lane);
    if (lane->is_arbitrated && lane->size > 1)
        failed(lane);
}
