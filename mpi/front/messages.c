#include "front/messages.h"

#include "base/log.h"
#include "base/options.h"

#include <string.h>

enum {
    LEAST_FRAGMENT_BYTES = 8 << 10, /* shorter fragments cost more in messages than they save on any network */
    LEAST_TAG_LIMIT = 32767,        /* the tags that every library has */
};

_Static_assert(sizeof(MPI_Request) <= sizeof(uint64_t), "a request fits into a message");

static const char advice[] = "members may have called for other counts, roots or operations, which is not told apart "
                             "between machines";

/* Aborts after an error: the communicator's error handler has been called and has returned. */
static void check(MPI_Comm comm, int result)
{
    int class = MPI_SUCCESS;
    if (result == MPI_SUCCESS)
        return;
    bn_below.Error_class(result, &class);
    bn_log_error("a message of a collective operation between machines has failed: error %d of the MPI library%s%s",
                 result, class == MPI_ERR_TRUNCATE ? "; " : "", class == MPI_ERR_TRUNCATE ? advice : "");
    bn_below_abort(comm);
}

static int call_of(const struct bn_messages_below *messages, size_t nbytes)
{
    const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15); /* spreads small differences over the upper half */
    uint64_t mixed = ((uint64_t)nbytes * odd + (uint64_t)messages->operation) * odd + (uint64_t)messages->root;
    return (int)(mixed * odd >> 33) % LEAST_TAG_LIMIT;
}

/* A sender whose message is shorter than expected, or belongs to another call, has made a different call, and its next
 * messages would be mistaken for the missing ones.  Where a message may be shorter, it must still be the whole data of
 * its sender's call and not the first message of several. */
static void check_call(const struct bn_messages_below *messages, const struct bn_message *message,
                       const MPI_Status *status)
{
    int received;
    if (message->nbytes == 0)
        return;
    bn_below.Get_count(status, bn_below.type_byte, &received);
    bool is_all = (size_t)received == message->nbytes || message->may_be_less;
    int call = message->may_be_less ? call_of(messages, (size_t)received) : messages->call;
    if (__builtin_expect(is_all && status->MPI_TAG == call, 1))
        return;
    bn_log_error("in a collective operation between machines rank %d has sent %d bytes%s where %zu are expected; %s",
                 status->MPI_SOURCE, received, status->MPI_TAG == call ? "" : " of another call", message->nbytes,
                 advice);
    bn_below_abort(messages->comm);
}

void bn_message_begun(MPI_Comm comm, int result, MPI_Request request, struct bn_message *message)
{
    check(comm, result);
    memcpy(&message->handle, &request, sizeof request);
}

static void begin_send(void *context, int to, const void *data, size_t nbytes, struct bn_message *message)
{
    const struct bn_messages_below *messages = context;
    MPI_Request request;
    int result =
        bn_below.Isend((void *)data, (int)nbytes, bn_below.type_byte, to, messages->call, messages->comm, &request);
    bn_message_begun(messages->comm, result, request, message);
}

static void begin_receive(void *context, int from, void *data, size_t nbytes, struct bn_message *message)
{
    const struct bn_messages_below *messages = context;
    MPI_Request request;
    message->nbytes = nbytes;
    int result = bn_below.Irecv(data, (int)nbytes, bn_below.type_byte, from, MPI_ANY_TAG, messages->comm, &request);
    bn_message_begun(messages->comm, result, request, message);
}

static bool is_done(void *context, struct bn_message *message)
{
    const struct bn_messages_below *messages = context;
    MPI_Request request;
    MPI_Status status;
    int has_ended;
    memcpy(&request, &message->handle, sizeof request);
    check(messages->comm, bn_below.Test(&request, &has_ended, &status));
    memcpy(&message->handle, &request, sizeof request);
    message->is_done = has_ended != 0;
    if (message->is_done)
        check_call(messages, message, &status);
    return message->is_done;
}

void bn_messages_begin(struct bn_messages_below *messages, enum bn_operation operation, const struct bn_call *call)
{
    messages->operation = operation;
    messages->root = call->root;
    messages->call = call_of(messages, call->nbytes);
}

struct bn_network bn_messages_on(struct bn_messages_below *messages)
{
    size_t most = (size_t)bn_option_number(BN_OPTION_MPI_FRAGMENT);
    return (struct bn_network){
        .context = messages,
        .send = begin_send,
        .receive = begin_receive,
        .is_done = is_done,
        .least_fragment_bytes = bn_option_is_set(BN_OPTION_MPI_FRAGMENT) ? most : LEAST_FRAGMENT_BYTES,
        .fragment_bytes = most,
    };
}
