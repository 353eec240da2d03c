/*
 * MPI_Sendrecv and MPI_Sendrecv_replace.  COUNT is the type of counts; SUFFIXED appends _c to a name if that is
 * MPI_Count.
 */

static int SUFFIXED(call_Sendrecv)(const void *sbuf, COUNT scount, MPI_Datatype stype, int to, int stag, void *rbuf,
                                   COUNT rcount, MPI_Datatype rtype, int from, int rtag, MPI_Comm comm,
                                   MPI_Status *status)
{
    MPI_Request requests[2] = {bn_handles.no_request, bn_handles.no_request};
    bool is_inside = bn_gate_enter_blocking(BN_USE_MESSAGE);
    if (!bn_gate_waits(is_inside)) {
        int result =
            bn_below.SUFFIXED(Sendrecv)(sbuf, scount, stype, to, stag, rbuf, rcount, rtype, from, rtag, comm, status);
        if (is_inside)
            bn_gate_leave();
        return result;
    }
    if (from == MPI_PROC_NULL) {
        bn_below.SUFFIXED(Recv)(rbuf, rcount, rtype, from, rtag, comm, status); /* completes at once */
        return bn_request_complete(bn_below.SUFFIXED(Isend)(sbuf, scount, stype, to, stag, comm, requests), requests,
                                   MPI_STATUS_IGNORE, comm);
    }
    int result = bn_below.SUFFIXED(Irecv)(rbuf, rcount, rtype, from, rtag, comm, &requests[0]);
    if (!bn_has_started(result, requests[0])) {
        bn_gate_leave();
        return result;
    }
    result = bn_below.SUFFIXED(Isend)(sbuf, scount, stype, to, stag, comm, &requests[1]);
    return bn_complete_exchange(result, requests, status, comm);
}

/* Packs the data to be sent first, since MPI_PACKED may be received as any type.  Called inside, returns outside. */
static int SUFFIXED(replace)(void *buffer, COUNT count, MPI_Datatype type, int to, int stag, int from, int rtag,
                             MPI_Comm comm, MPI_Status *status)
{
    COUNT size_bytes = 0, position = 0;
    int result = bn_below.SUFFIXED(Pack_size)(count, type, comm, &size_bytes);
    char *copy = result == MPI_SUCCESS ? malloc((size_t)size_bytes + 1) : NULL;
    if (copy)
        result = bn_below.SUFFIXED(Pack)(buffer, count, type, copy, size_bytes, &position, comm);
    bn_gate_leave();
    if (result == MPI_SUCCESS && !copy)
        result = bn_exchange_fails(comm, MPI_ERR_NO_MEM);
    if (result == MPI_SUCCESS)
        result = SUFFIXED(call_Sendrecv)(copy, position, bn_handles.packed, to, stag, buffer, count, type, from, rtag,
                                         comm, status);
    free(copy);
    return result;
}

/* The same for more than MPI_Pack can pack, whose sizes are ints: with a copy that has the layout of the buffer. */
static int SUFFIXED(replace_large)(void *buffer, COUNT count, MPI_Datatype type, int to, int stag, int from, int rtag,
                                   MPI_Comm comm, MPI_Status *status)
{
    struct bn_twin twin;
    int result = bn_twin_make(&twin, buffer, count, type);
    bn_gate_leave();
    if (result != MPI_SUCCESS)
        return bn_exchange_fails(comm, result);
    result = SUFFIXED(call_Sendrecv)(twin.data, count, type, to, stag, buffer, count, type, from, rtag, comm, status);
    free(twin.memory);
    return result;
}

static int SUFFIXED(call_Sendrecv_replace)(void *buffer, COUNT count, MPI_Datatype type, int to, int stag, int from,
                                           int rtag, MPI_Comm comm, MPI_Status *status)
{
    bool is_inside = bn_gate_enter_blocking(BN_USE_MESSAGE);
    if (bn_gate_waits(is_inside)) {
        bool is_large = bn_data_bytes(&(struct bn_data){count, type}) > INT_MAX;
        return (is_large ? SUFFIXED(replace_large) : SUFFIXED(replace))(buffer, count, type, to, stag, from, rtag, comm,
                                                                        status);
    }
    int result = bn_below.SUFFIXED(Sendrecv_replace)(buffer, count, type, to, stag, from, rtag, comm, status);
    if (is_inside)
        bn_gate_leave();
    return result;
}

BN_BOTH_NAMES(int, SUFFIXED(Sendrecv), bn_next_tool.SUFFIXED(Sendrecv),
              (const void *sbuf, COUNT scount, MPI_Datatype stype, int to, int stag, void *rbuf, COUNT rcount,
               MPI_Datatype rtype, int from, int rtag, MPI_Comm comm, MPI_Status *status),
              (sbuf, scount, stype, to, stag, rbuf, rcount, rtype, from, rtag, comm, status))

BN_BOTH_NAMES(int, SUFFIXED(Sendrecv_replace), bn_next_tool.SUFFIXED(Sendrecv_replace),
              (void *buffer, COUNT count, MPI_Datatype type, int to, int stag, int from, int rtag, MPI_Comm comm,
               MPI_Status *status),
              (buffer, count, type, to, stag, from, rtag, comm, status))
