#include "front/messages.h"

#include "base/log.h"
#include "base/options.h"

#include <string.h>

enum { LEAST_FRAGMENT_BYTES = 8 << 10 }; /* shorter ones cost more in messages than they save anywhere */

_Static_assert(sizeof(MPI_Request) <= sizeof(uint64_t), "a request fits into a message");

/* The communicator's error handler has been called, and has returned. */
static void check(MPI_Comm comm, int result)
{
    if (result == MPI_SUCCESS)
        return;
    bn_log_error("a message of a collective operation between machines has failed: error %d of the MPI library",
                 result);
    bn_below_abort(comm);
}

void bn_message_begun(MPI_Comm comm, int result, MPI_Request request, struct bn_message *message)
{
    check(comm, result);
    memcpy(&message->handle, &request, sizeof request);
}

static void begin_send(void *context, int to, const void *data, size_t nbytes, struct bn_message *message)
{
    MPI_Comm comm = *(MPI_Comm *)context;
    MPI_Request request;
    int result = below.Isend((void *)data, (int)nbytes, below.type_byte, to, 0, comm, &request);
    bn_message_begun(comm, result, request, message);
}

static void begin_receive(void *context, int from, void *data, size_t nbytes, struct bn_message *message)
{
    MPI_Comm comm = *(MPI_Comm *)context;
    MPI_Request request;
    int result = below.Irecv(data, (int)nbytes, below.type_byte, from, 0, comm, &request);
    bn_message_begun(comm, result, request, message);
}

static bool is_done(void *context, struct bn_message *message)
{
    MPI_Comm comm = *(MPI_Comm *)context;
    MPI_Request request;
    int has_ended;
    memcpy(&request, &message->handle, sizeof request);
    check(comm, below.Test(&request, &has_ended, MPI_STATUS_IGNORE));
    memcpy(&message->handle, &request, sizeof request);
    message->is_done = has_ended != 0;
    return message->is_done;
}

struct bn_network bn_messages_on(MPI_Comm *comm)
{
    size_t most = (size_t)bn_option_number(BN_OPTION_MPI_FRAGMENT);
    return (struct bn_network){
        .context = comm,
        .send = begin_send,
        .receive = begin_receive,
        .is_done = is_done,
        .least_fragment_bytes = bn_option_is_set(BN_OPTION_MPI_FRAGMENT) ? most : LEAST_FRAGMENT_BYTES,
        .fragment_bytes = most,
    };
}
