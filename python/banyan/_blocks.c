/*
 * _blocks.c: collectives that move blocks from one member to another, for Python.
 */
#include "_engine.h"

PyObject *bn_call_barrier(PyObject *object, PyObject *ignored)
{
    struct team *self = (struct team *)object;
    banyan_status status;
    (void)ignored;
    if (!bn_is_there(self))
        return NULL;
    WAITING(self, status, banyan_barrier(self->team));
    return bn_none_or_raise(status);
}

PyObject *bn_call_broadcast(PyObject *object, PyObject *const *args, Py_ssize_t count)
{
    struct team *self = (struct team *)object;
    Py_buffer view;
    banyan_status status;
    int root = 0;
    if (!bn_is_there(self) || !bn_has_count(count, 1, 2, "broadcast") ||
        (count > 1 && !bn_take_int(args[1], "root", &root)) ||
        !bn_take_buffer(args[0], &view, root != banyan_team_rank(self->team), "broadcast"))
        return NULL;
    WAITING(self, status, banyan_broadcast(self->team, view.buf, (size_t)view.len, root));
    PyBuffer_Release(&view);
    return bn_none_or_raise(status);
}

enum moved { SCATTER, GATHER, ALLGATHER, ALLTOALL };
static const char *const names_of_moved[] = {"scatter", "gather", "allgather", "alltoall"};

/* The number of blocks on a side of a call; 0: the side is ignored on this member */
static int blocks_of(enum moved which, bool is_sent, bool is_root, int size)
{
    switch (which) {
    case SCATTER: return is_sent ? (is_root ? size : 0) : 1;
    case GATHER: return is_sent ? 1 : (is_root ? size : 0);
    case ALLGATHER: return is_sent ? 1 : size;
    default: return size;
    }
}

static banyan_status move_blocks(enum moved which, banyan_team *team, const void *send, void *recv, size_t bytes,
                                 int root)
{
    switch (which) {
    case SCATTER: return banyan_scatter(team, send, recv, bytes, root);
    case GATHER: return banyan_gather(team, send, recv, bytes, root);
    case ALLGATHER: return banyan_allgather(team, send, recv, bytes);
    default: return banyan_alltoall(team, send, recv, bytes);
    }
}

/* Nothing is converted, so both sides have the same type, unless one is a buffer of bytes. */
static bool have_one_type(const struct buffers *buffers, const char *name)
{
    return !buffers->has_send || !buffers->has_recv || bn_type_of(&buffers->send) == BANYAN_UINT8 ||
           bn_type_of(&buffers->recv) == BANYAN_UINT8 || bn_types_agree(&buffers->send, &buffers->recv, name);
}

/* (send or None, recv or None[, root]) */
static PyObject *call_move(PyObject *object, PyObject *const *args, Py_ssize_t count, enum moved which)
{
    struct team *self = (struct team *)object;
    const char *name = names_of_moved[which];
    struct buffers buffers;
    banyan_status status = BANYAN_OK;
    int root = 0;
    if (!bn_is_there(self) || !bn_has_count(count, 2, 3, name) || (count > 2 && !bn_take_int(args[2], "root", &root)))
        return NULL;
    int size = banyan_team_size(self->team);
    bool is_root = root == banyan_team_rank(self->team);
    int send_blocks = blocks_of(which, true, is_root, size), recv_blocks = blocks_of(which, false, is_root, size);
    if (!bn_take_buffers(send_blocks > 0 ? args[0] : Py_None, recv_blocks > 0 ? args[1] : Py_None, &buffers, name))
        return NULL;
    Py_ssize_t send_bytes = buffers.has_send ? bn_block_bytes(&buffers.send, send_blocks, name) : 0;
    Py_ssize_t recv_bytes = buffers.has_recv ? bn_block_bytes(&buffers.recv, recv_blocks, name) : send_bytes;
    send_bytes = buffers.has_send ? send_bytes : recv_bytes;
    if (send_bytes >= 0 && recv_bytes >= 0 && bn_blocks_agree(send_bytes, recv_bytes, name) &&
        have_one_type(&buffers, name))
        WAITING(self, status,
                move_blocks(which, self->team, bn_send_of(&buffers), bn_recv_of(&buffers), (size_t)recv_bytes, root));
    bn_release_buffers(&buffers);
    return PyErr_Occurred() ? NULL : bn_none_or_raise(status);
}

PyObject *bn_call_scatter(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    return call_move(self, args, count, SCATTER);
}

PyObject *bn_call_gather(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    return call_move(self, args, count, GATHER);
}

PyObject *bn_call_allgather(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    return call_move(self, args, count, ALLGATHER);
}

PyObject *bn_call_alltoall(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    return call_move(self, args, count, ALLTOALL);
}

/* ---- By address, for tensors, which do not support the buffer protocol.  The caller has checked them. ---- */

/* Equal blocks, moved as blocks of any size: other members may have been given sizes, and call bn_call_alltoall_at. */
static banyan_status exchange_equal(banyan_team *team, const void *send, void *recv, size_t bytes)
{
    size_t sizes[BANYAN_SIZE_MAX], offsets[BANYAN_SIZE_MAX];
    int size = banyan_team_size(team);
    for (int rank = 0; rank < size; rank++) {
        sizes[rank] = bytes;
        offsets[rank] = (size_t)rank * bytes;
    }
    return banyan_alltoallv(team, send, sizes, offsets, recv, sizes, offsets);
}

/* (which, send, recv, bytes, root); `which` is an enum moved, or the number after the last one for broadcast */
PyObject *bn_call_move_at(PyObject *object, PyObject *const *args, Py_ssize_t count)
{
    struct team *self = (struct team *)object;
    banyan_status status;
    int which, root;
    void *send, *recv;
    if (!bn_is_there(self) || !bn_has_count(count, 5, 5, "move_at") || !bn_take_int(args[0], "which", &which) ||
        !bn_take_address(args[1], &send) || !bn_take_address(args[2], &recv) || !bn_take_int(args[4], "root", &root))
        return NULL;
    size_t bytes = PyLong_AsSize_t(args[3]);
    if (PyErr_Occurred())
        return NULL;
    if (which > ALLTOALL)
        WAITING(self, status, banyan_broadcast(self->team, recv, bytes, root));
    else if (which == ALLTOALL)
        WAITING(self, status, exchange_equal(self->team, send, recv, bytes));
    else
        WAITING(self, status, move_blocks((enum moved)which, self->team, send, recv, bytes, root));
    return bn_none_or_raise(status);
}

/* Addresses and sizes of blocks in the form of tables; offsets count from the lowest address */
struct parts {
    unsigned char *base;
    size_t bytes[BANYAN_SIZE_MAX], offsets[BANYAN_SIZE_MAX];
};

static bool take_parts(PyObject *addresses, PyObject *sizes, int size, struct parts *parts)
{
    unsigned char *starts[BANYAN_SIZE_MAX];
    if (!PyList_Check(addresses) || !PyList_Check(sizes) || PyList_GET_SIZE(addresses) != size ||
        PyList_GET_SIZE(sizes) != size) {
        PyErr_Format(PyExc_TypeError, "blocks come as two lists of %d", size);
        return false;
    }
    parts->base = NULL;
    for (int rank = 0; rank < size; rank++) {
        starts[rank] = PyLong_AsVoidPtr(PyList_GET_ITEM(addresses, rank));
        parts->bytes[rank] = PyLong_AsSize_t(PyList_GET_ITEM(sizes, rank));
        if (PyErr_Occurred())
            return false;
        if (parts->bytes[rank] > 0 && (!parts->base || starts[rank] < parts->base))
            parts->base = starts[rank];
    }
    for (int rank = 0; rank < size; rank++)
        parts->offsets[rank] = parts->bytes[rank] > 0 ? (size_t)(starts[rank] - parts->base) : 0;
    return true;
}

/* (addresses, sizes) of sent blocks, then of received ones */
PyObject *bn_call_alltoall_at(PyObject *object, PyObject *const *args, Py_ssize_t count)
{
    struct team *self = (struct team *)object;
    struct parts send, recv;
    banyan_status status;
    if (!bn_is_there(self) || !bn_has_count(count, 4, 4, "alltoall_at") ||
        !take_parts(args[0], args[1], banyan_team_size(self->team), &send) ||
        !take_parts(args[2], args[3], banyan_team_size(self->team), &recv))
        return NULL;
    WAITING(self, status,
            banyan_alltoallv(self->team, send.base, send.bytes, send.offsets, recv.base, recv.bytes, recv.offsets));
    return bn_none_or_raise(status);
}

/* (send, addresses, sizes) */
PyObject *bn_call_allgather_at(PyObject *object, PyObject *const *args, Py_ssize_t count)
{
    struct team *self = (struct team *)object;
    struct parts recv;
    banyan_status status;
    void *send;
    if (!bn_is_there(self) || !bn_has_count(count, 3, 3, "allgather_at") || !bn_take_address(args[0], &send) ||
        !take_parts(args[1], args[2], banyan_team_size(self->team), &recv))
        return NULL;
    WAITING(self, status, banyan_allgatherv(self->team, send, recv.base, recv.bytes, recv.offsets));
    return bn_none_or_raise(status);
}
