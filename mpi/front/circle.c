#include "front/circle.h"

#include "front/below.h"
#include "front/call.h"
#include "front/messages.h"

static void barrier(void *context, struct bn_message *message)
{
    const struct bn_circle_below *leaders = context;
    MPI_Request request;
    int result = bn_below.Ibarrier(leaders->comm, &request);
    bn_message_begun(leaders->comm, result, request, message);
}

static void broadcast(void *context, int root, void *data, size_t nbytes, struct bn_message *message)
{
    const struct bn_circle_below *leaders = context;
    MPI_Request request;
    int result = bn_below.Ibcast(data, (int)nbytes, bn_below.type_byte, root, leaders->comm, &request);
    bn_message_begun(leaders->comm, result, request, message);
}

static void combine(void *context, int root, const void *src, void *dst, size_t count, const struct bn_vector *vector,
                    struct bn_message *message)
{
    const struct bn_circle_below *leaders = context;
    const struct bn_args *args = vector->context;
    MPI_Datatype type = args->recv.type;
    MPI_Request request;
    int result = root == BN_CIRCLE_ALL
                     ? bn_below.Iallreduce(src, dst, (int)count, type, args->op, leaders->comm, &request)
                     : bn_below.Ireduce(src, dst, (int)count, type, args->op, root, leaders->comm, &request);
    bn_message_begun(leaders->comm, result, request, message);
}

/* One set of tables is enough: an operation awaits each before it begins the next. */
static void fill(const struct bn_circle_below *leaders, struct bn_circle_parts parts)
{
    for (int node = 0; node < leaders->size; node++) {
        leaders->tables[node] = (int)parts.bytes[node];
        leaders->tables[leaders->size + node] = (int)parts.offsets[node];
    }
}

static void gather_all(void *context, void *data, struct bn_circle_parts parts, struct bn_message *message)
{
    const struct bn_circle_below *leaders = context;
    MPI_Request request;
    fill(leaders, parts);
    int result = bn_below.Iallgatherv(MPI_IN_PLACE, 0, bn_below.type_byte, data, leaders->tables,
                                      leaders->tables + leaders->size, bn_below.type_byte, leaders->comm, &request);
    bn_message_begun(leaders->comm, result, request, message);
}

static void exchange(void *context, const void *src, void *dst, struct bn_circle_parts parts,
                     struct bn_message *message)
{
    const struct bn_circle_below *leaders = context;
    const int *bytes = leaders->tables, *offsets = bytes + leaders->size;
    MPI_Request request;
    fill(leaders, parts);
    int result = bn_below.Ialltoallv(src, bytes, offsets, bn_below.type_byte, dst, bytes, offsets, bn_below.type_byte,
                                     leaders->comm, &request);
    bn_message_begun(leaders->comm, result, request, message);
}

struct bn_circle bn_circle_on(struct bn_circle_below *leaders)
{
    return (struct bn_circle){leaders, barrier, broadcast, combine, gather_all, exchange};
}
