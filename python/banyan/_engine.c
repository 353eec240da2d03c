/*
 * _engine.c: banyan/team.h for Python: buffers become addresses, statuses become exceptions.
 *
 * An extension, since a small collective takes less time than one call through ctypes (docs/tuning/python.md).  It
 * knows no NumPy: arrays come by the buffer protocol, and memory goes out by it.  What is convenient is in __init__.py.
 */
#include "_engine.h"

#include <stdint.h>

/* Memory of a team, in which an array lies */
struct memory {
    PyObject_HEAD struct team *owner;
    unsigned char *address;
    Py_ssize_t bytes;
    uint64_t *users; /* of a block that all members have: how many still do; else null */
};

static PyObject *error_of_status[BANYAN_MISMATCH + 1];
static PyTypeObject memory_type;

/* ---- Errors ---- */

PyObject *bn_raise(banyan_status status)
{
    if (!PyErr_Occurred())
        PyErr_SetString(error_of_status[status], banyan_error());
    return NULL;
}

PyObject *bn_none_or_raise(banyan_status status)
{
    if (status != BANYAN_OK)
        return bn_raise(status);
    Py_RETURN_NONE;
}

/* Called while a thread waits: what Ctrl-C asks for is an exception then, and so it is if another thread leaves. */
static bool look_around(void *context)
{
    const struct team *self = context;
    PyGILState_STATE state = PyGILState_Ensure();
    bool gives_up = PyErr_CheckSignals() != 0;
    if (!gives_up && self->is_leaving) {
        PyErr_SetString(error_of_status[BANYAN_LOST], "another thread of this process has left the team");
        gives_up = true;
    }
    PyGILState_Release(state);
    return gives_up;
}

bool bn_is_there(const struct team *self)
{
    if (self->team && !self->is_leaving)
        return true;
    PyErr_SetString(PyExc_ValueError, "this member has left the team");
    return false;
}

/* ---- Arguments ---- */

bool bn_take_buffer(PyObject *object, Py_buffer *view, bool is_written, const char *call)
{
    int flags = PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | (is_written ? PyBUF_WRITABLE : 0);
    if (PyObject_GetBuffer(object, view, flags) == 0)
        return true;
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_Format(PyObject_CheckBuffer(object) ? PyExc_ValueError : PyExc_TypeError,
                 "%s takes arrays whose elements lie one behind the other in C order%s (numpy.ascontiguousarray makes "
                 "such ones), not this %s: %S",
                 call, is_written ? " and may be written" : "", Py_TYPE(object)->tp_name, value ? value : Py_None);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(trace);
    return false;
}

/* The type of the elements of a buffer, by the format that the struct module describes; -1: none that can be reduced */
static int type_of(const Py_buffer *view)
{
    const char *format = view->format ? view->format : "B";
    if (*format == '@' || *format == '=' || *format == (PY_BIG_ENDIAN ? '>' : '<'))
        format++;
    if (format[0] == 'Z' && format[1] != '\0' && format[2] == '\0')
        return format[1] == 'f' ? BANYAN_COMPLEX64 : format[1] == 'd' ? BANYAN_COMPLEX128 : -1;
    if (format[0] == '\0' || format[1] != '\0')
        return -1;
    switch (format[0]) {
    case '?': return BANYAN_BOOL;
    case 'e': return BANYAN_FLOAT16;
    case 'f': return BANYAN_FLOAT32;
    case 'd': return BANYAN_FLOAT64;
    case 'b':
    case 'h':
    case 'i':
    case 'l':
    case 'q':
    case 'n':
        return view->itemsize == 1   ? BANYAN_INT8
               : view->itemsize == 2 ? BANYAN_INT16
               : view->itemsize == 4 ? BANYAN_INT32
                                     : BANYAN_INT64;
    case 'c':
    case 'B':
    case 'H':
    case 'I':
    case 'L':
    case 'Q':
    case 'N':
        return view->itemsize == 1   ? BANYAN_UINT8
               : view->itemsize == 2 ? BANYAN_UINT16
               : view->itemsize == 4 ? BANYAN_UINT32
                                     : BANYAN_UINT64;
    default: return -1;
    }
}

bool bn_has_count(Py_ssize_t given, Py_ssize_t least, Py_ssize_t most, const char *call)
{
    if (given >= least && given <= most)
        return true;
    PyErr_Format(PyExc_TypeError, "%s takes %zd to %zd arguments, not %zd", call, least, most, given);
    return false;
}

bool bn_take_int(PyObject *object, const char *name, int *number_p)
{
    int overflow;
    long number = PyLong_AsLongAndOverflow(object, &overflow);
    if (number == -1 && PyErr_Occurred())
        return false;
    *number_p = (int)number;
    if (overflow == 0 && *number_p == number)
        return true;
    PyErr_Format(PyExc_ValueError, "%s is a number of 32 bits, not %S", name, object);
    return false;
}

/* What a call sends and what it receives; the second may be all that there is. */
struct buffers {
    Py_buffer send, recv;
    bool has_send, has_recv;
};

static void release(struct buffers *buffers)
{
    if (buffers->has_send)
        PyBuffer_Release(&buffers->send);
    if (buffers->has_recv)
        PyBuffer_Release(&buffers->recv);
}

static bool take_buffers(PyObject *send, PyObject *recv, struct buffers *buffers, const char *call)
{
    buffers->has_send = buffers->has_recv = false;
    if (send != Py_None && !(buffers->has_send = bn_take_buffer(send, &buffers->send, false, call)))
        return false;
    if (recv != Py_None && !(buffers->has_recv = bn_take_buffer(recv, &buffers->recv, true, call))) {
        release(buffers);
        return false;
    }
    return true;
}

static const void *send_of(const struct buffers *buffers)
{
    return buffers->has_send ? buffers->send.buf : NULL;
}

static void *recv_of(const struct buffers *buffers)
{
    return buffers->has_recv ? buffers->recv.buf : NULL;
}

/* Bytes of a block are what a buffer has in all, divided by the blocks in it; -1, and an exception, if that has a rest.
 */
static Py_ssize_t block_of(const Py_buffer *view, int blocks, const char *call)
{
    if (view->len % blocks == 0)
        return view->len / blocks;
    PyErr_Format(PyExc_ValueError, "%s: an array of %zd bytes has no %d parts of equal size", call, view->len, blocks);
    return -1;
}

static bool agree(Py_ssize_t send_bytes, Py_ssize_t recv_bytes, const char *call)
{
    if (send_bytes == recv_bytes)
        return true;
    PyErr_Format(PyExc_ValueError, "%s: what is sent has blocks of %zd bytes, what is received of %zd", call,
                 send_bytes, recv_bytes);
    return false;
}

/* ---- Moving blocks ---- */

static PyObject *call_barrier(PyObject *object, PyObject *ignored)
{
    struct team *self = (struct team *)object;
    banyan_status status;
    (void)ignored;
    if (!bn_is_there(self))
        return NULL;
    WAITING(self, status, banyan_barrier(self->team));
    return bn_none_or_raise(status);
}

static PyObject *call_broadcast(PyObject *object, PyObject *const *args, Py_ssize_t count)
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

/* How many blocks a side has of a call with this root, on this member; 0: it is not looked at */
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
    if (!take_buffers(send_blocks > 0 ? args[0] : Py_None, recv_blocks > 0 ? args[1] : Py_None, &buffers, name))
        return NULL;
    Py_ssize_t send_bytes = buffers.has_send ? block_of(&buffers.send, send_blocks, name) : 0;
    Py_ssize_t recv_bytes = buffers.has_recv ? block_of(&buffers.recv, recv_blocks, name) : send_bytes;
    send_bytes = buffers.has_send ? send_bytes : recv_bytes;
    if (send_bytes >= 0 && recv_bytes >= 0 && agree(send_bytes, recv_bytes, name))
        WAITING(self, status,
                move_blocks(which, self->team, send_of(&buffers), recv_of(&buffers), (size_t)recv_bytes, root));
    release(&buffers);
    return PyErr_Occurred() ? NULL : bn_none_or_raise(status);
}

static PyObject *call_scatter(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    return call_move(self, args, count, SCATTER);
}

static PyObject *call_gather(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    return call_move(self, args, count, GATHER);
}

static PyObject *call_allgather(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    return call_move(self, args, count, ALLGATHER);
}

static PyObject *call_alltoall(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    return call_move(self, args, count, ALLTOALL);
}

/* ---- Reductions ---- */

enum reduced { REDUCE, ALLREDUCE, REDUCE_SCATTER, SCAN, EXSCAN };
static const char *const names_of_reduced[] = {"reduce", "allreduce", "reduce_scatter", "scan", "exscan"};

struct reduction {
    enum reduced which;
    const void *send;
    void *recv;
    size_t count; /* of reduce_scatter: of each part */
    int type, op, root;
};

static banyan_status reduce(banyan_team *team, const struct reduction *this)
{
    banyan_type type = (banyan_type)this->type;
    banyan_op op = (banyan_op)this->op;
    size_t counts[BANYAN_SIZE_MAX];
    switch (this->which) {
    case REDUCE: return banyan_reduce(team, this->send, this->recv, this->count, type, op, this->root);
    case ALLREDUCE: return banyan_allreduce(team, this->send, this->recv, this->count, type, op);
    case SCAN: return banyan_scan(team, this->send, this->recv, this->count, type, op);
    case EXSCAN: return banyan_exscan(team, this->send, this->recv, this->count, type, op);
    default:
        for (int rank = 0; rank < banyan_team_size(team); rank++)
            counts[rank] = this->count;
        return banyan_reduce_scatter(team, this->send, this->recv, counts, type, op);
    }
}

/* What both sides say of the type and the number of elements; false, and an exception, if they do not agree. */
static bool measure(const struct buffers *buffers, struct reduction *reduction, int parts)
{
    const Py_buffer *view = buffers->has_send ? &buffers->send : &buffers->recv;
    const char *name = names_of_reduced[reduction->which];
    Py_ssize_t part = block_of(view, parts, name);
    if (part < 0)
        return false;
    reduction->type = type_of(view);
    reduction->count = (size_t)(part / (view->itemsize > 0 ? view->itemsize : 1));
    if (reduction->type < 0 || view->itemsize != (Py_ssize_t)banyan_type_bytes((banyan_type)reduction->type)) {
        PyErr_Format(PyExc_TypeError,
                     "%s: elements of format '%s' cannot be reduced; bool, integers, float16, float32, "
                     "float64, complex64 and complex128 in the byte order of this machine can",
                     name, view->format ? view->format : "B");
        return false;
    }
    if (part % view->itemsize != 0 ||
        (uintptr_t)view->buf % (uintptr_t)(view->itemsize < 8 ? view->itemsize : 8) != 0) {
        PyErr_Format(PyExc_ValueError,
                     "%s: the elements of the array are not aligned, or no part has a whole number of "
                     "them",
                     name);
        return false;
    }
    if (buffers->has_send && buffers->has_recv) {
        const Py_buffer *recv = &buffers->recv;
        if (type_of(recv) != reduction->type) {
            PyErr_Format(PyExc_TypeError, "%s: what is sent has format '%s', what is received '%s'", name, view->format,
                         recv->format);
            return false;
        }
        if ((uintptr_t)recv->buf % (uintptr_t)(recv->itemsize < 8 ? recv->itemsize : 8) != 0) {
            PyErr_Format(PyExc_ValueError, "%s: the elements of what is received are not aligned", name);
            return false;
        }
        if (!agree(part, recv->len, name))
            return false;
    }
    return true;
}

/* (send or None, recv or None, op[, root]) */
static PyObject *call_reduce(PyObject *object, PyObject *const *args, Py_ssize_t count, enum reduced which)
{
    struct team *self = (struct team *)object;
    const char *name = names_of_reduced[which];
    struct reduction reduction = {.which = which};
    struct buffers buffers;
    banyan_status status = BANYAN_OK;
    if (!bn_is_there(self) || !bn_has_count(count, 3, 4, name) || !bn_take_int(args[2], "op", &reduction.op) ||
        (count > 3 && !bn_take_int(args[3], "root", &reduction.root)))
        return NULL;
    bool has_result = which != REDUCE || reduction.root == banyan_team_rank(self->team);
    if (!take_buffers(args[0], has_result ? args[1] : Py_None, &buffers, name))
        return NULL;
    if (!buffers.has_send && !buffers.has_recv)
        PyErr_Format(PyExc_TypeError, "%s: there is no array", name);
    else if (measure(&buffers, &reduction, which == REDUCE_SCATTER ? banyan_team_size(self->team) : 1)) {
        reduction.send = send_of(&buffers);
        reduction.recv = recv_of(&buffers);
        WAITING(self, status, reduce(self->team, &reduction));
    }
    release(&buffers);
    return PyErr_Occurred() ? NULL : bn_none_or_raise(status);
}

static PyObject *call_reduce_to_root(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    return call_reduce(self, args, count, REDUCE);
}

static PyObject *call_allreduce(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    return call_reduce(self, args, count, ALLREDUCE);
}

static PyObject *call_reduce_scatter(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    return call_reduce(self, args, count, REDUCE_SCATTER);
}

static PyObject *call_scan(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    return call_reduce(self, args, count, SCAN);
}

static PyObject *call_exscan(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    return call_reduce(self, args, count, EXSCAN);
}

/* ---- By address, for tensors, which are no buffers.  The caller has checked them. ---- */

bool bn_take_address(PyObject *object, void **address_p)
{
    *address_p = PyLong_AsVoidPtr(object);
    return *address_p || !PyErr_Occurred();
}

/* (which, send, recv, count, type, op, root) */
static PyObject *call_reduce_at(PyObject *object, PyObject *const *args, Py_ssize_t count)
{
    struct team *self = (struct team *)object;
    struct reduction reduction;
    banyan_status status;
    int which;
    void *send;
    if (!bn_is_there(self) || !bn_has_count(count, 7, 7, "reduce_at") || !bn_take_int(args[0], "which", &which) ||
        !bn_take_address(args[1], &send) || !bn_take_address(args[2], &reduction.recv) ||
        !bn_take_int(args[4], "type", &reduction.type) || !bn_take_int(args[5], "op", &reduction.op) ||
        !bn_take_int(args[6], "root", &reduction.root))
        return NULL;
    reduction.which = (enum reduced)which;
    reduction.send = send;
    reduction.count = PyLong_AsSize_t(args[3]);
    if (PyErr_Occurred())
        return NULL;
    WAITING(self, status, reduce(self->team, &reduction));
    return bn_none_or_raise(status);
}

/* (which, send, recv, bytes, root); which is one behind those of enum moved: broadcast */
static PyObject *call_move_at(PyObject *object, PyObject *const *args, Py_ssize_t count)
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
    else
        WAITING(self, status, move_blocks((enum moved)which, self->team, send, recv, bytes, root));
    return bn_none_or_raise(status);
}

/* Addresses and sizes of blocks, as a call with tables has them: from the lowest address on */
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

/* (addresses, sizes, addresses, sizes) of what is sent and received */
static PyObject *call_alltoall_at(PyObject *object, PyObject *const *args, Py_ssize_t count)
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
static PyObject *call_allgather_at(PyObject *object, PyObject *const *args, Py_ssize_t count)
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

/* ---- Leave ---- */

static void leave(struct team *self)
{
    if (self->team)
        banyan_team_leave(self->team);
    self->team = NULL;
}

/* Calls of other threads give up first, and memory stays where it is as long as it is in use. */
static void leave_if_unused(struct team *self)
{
    if (!self->is_leaving || self->calls > 0 || !self->team)
        return;
    if (self->memories > 0)
        banyan_team_retire(self->team);
    else
        leave(self);
}

void bn_end_call(struct team *self)
{
    self->calls--;
    leave_if_unused(self);
}

static void drop_memory(struct team *self)
{
    self->memories--;
    leave_if_unused(self);
}

/* ---- Memory ---- */

enum { HEADER_BYTES = 64 }; /* before a block that all members have */

static PyObject *memory_of(struct team *self, unsigned char *address, Py_ssize_t bytes, uint64_t *users)
{
    struct memory *memory = PyObject_New(struct memory, &memory_type);
    if (!memory)
        return NULL;
    Py_INCREF(self);
    memory->owner = self;
    memory->address = address;
    memory->bytes = bytes;
    memory->users = users;
    self->memories++;
    return (PyObject *)memory;
}

static PyObject *call_alloc(PyObject *object, PyObject *argument)
{
    struct team *self = (struct team *)object;
    Py_ssize_t bytes = PyLong_AsSsize_t(argument);
    if (PyErr_Occurred() || !bn_is_there(self))
        return NULL;
    unsigned char *address = banyan_alloc(self->team, (size_t)bytes);
    return address ? memory_of(self, address, bytes, NULL) : bn_raise(BANYAN_MEMORY);
}

static PyObject *call_alloc_shared(PyObject *object, PyObject *argument)
{
    struct team *self = (struct team *)object;
    Py_ssize_t bytes = PyLong_AsSsize_t(argument);
    banyan_status status;
    void *block;
    if (PyErr_Occurred() || !bn_is_there(self))
        return NULL;
    self->memories++; /* before another thread may leave */
    WAITING(self, status, banyan_alloc_shared(self->team, HEADER_BYTES + (size_t)bytes, &block));
    PyObject *memory =
        status == BANYAN_OK ? memory_of(self, (unsigned char *)block + HEADER_BYTES, bytes, block) : bn_raise(status);
    drop_memory(self);
    return memory;
}

/* The last member that has a block gives it back. */
static void memory_dealloc(PyObject *object)
{
    struct memory *memory = (struct memory *)object;
    struct team *owner = memory->owner;
    uint64_t *users = memory->users;
    if (!users)
        banyan_free(owner->team, memory->address);
    else if (__atomic_add_fetch(users, 1, __ATOMIC_ACQ_REL) == (uint64_t)banyan_team_size(owner->team))
        banyan_free(owner->team, users);
    drop_memory(owner);
    Py_DECREF(owner);
    Py_TYPE(object)->tp_free(object);
}

static int memory_get(PyObject *object, Py_buffer *view, int flags)
{
    struct memory *memory = (struct memory *)object;
    return PyBuffer_FillInfo(view, object, memory->address, memory->bytes, 0, flags);
}

static PyBufferProcs memory_buffer = {.bf_getbuffer = memory_get};

static PyTypeObject memory_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "banyan._engine.Memory",
    .tp_basicsize = sizeof(struct memory),
    .tp_dealloc = memory_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_doc = "Memory that all members of a team see; an array may lie in it.",
    .tp_as_buffer = &memory_buffer,
};

static PyObject *call_is_shared(PyObject *object, PyObject *argument)
{
    struct team *self = (struct team *)object;
    Py_buffer view;
    if (!bn_is_there(self) || !bn_take_buffer(argument, &view, false, "is_shared"))
        return NULL;
    bool is_shared = banyan_is_shared(self->team, view.buf, (size_t)view.len);
    PyBuffer_Release(&view);
    return PyBool_FromLong(is_shared);
}

/* Whether a library's blocks lie in memory of the team from now on; if another team has them they do not. */
static PyObject *call_adopt(PyObject *object, PyObject *argument)
{
    struct team *self = (struct team *)object;
    const char *library = PyUnicode_AsUTF8(argument);
    if (!library || !bn_is_there(self))
        return NULL;
    return PyBool_FromLong(banyan_adopt(self->team, library) == BANYAN_OK);
}

/* ---- Teams ---- */

static PyObject *team_of(PyTypeObject *type, banyan_team *team)
{
    struct team *self = (struct team *)type->tp_alloc(type, 0);
    if (!self) {
        banyan_team_leave(team);
        return NULL;
    }
    self->team = team;
    banyan_team_on_wait(team, look_around, self);
    return (PyObject *)self;
}

/* (name or None, rank, size, timeout) */
static PyObject *call_join(PyObject *type, PyObject *args)
{
    const char *name;
    PyObject *given_rank, *given_size;
    int rank, size;
    double timeout_s;
    banyan_team *team;
    banyan_status status;
    if (!PyArg_ParseTuple(args, "zOOd:join", &name, &given_rank, &given_size, &timeout_s) ||
        !bn_take_int(given_rank, "rank", &rank) || !bn_take_int(given_size, "size", &size))
        return NULL;
    Py_BEGIN_ALLOW_THREADS;
    status = banyan_team_join(name, rank, size, timeout_s, &team);
    Py_END_ALLOW_THREADS;
    return status == BANYAN_OK ? team_of((PyTypeObject *)type, team) : bn_raise(status);
}

static PyObject *call_split(PyObject *object, PyObject *args)
{
    struct team *self = (struct team *)object;
    PyObject *given_color, *given_key;
    int color, key;
    banyan_team *team;
    banyan_status status;
    if (!PyArg_ParseTuple(args, "OO:split", &given_color, &given_key) || !bn_take_int(given_color, "color", &color) ||
        !bn_take_int(given_key, "key", &key) || !bn_is_there(self))
        return NULL;
    WAITING(self, status, banyan_team_split(self->team, color, key, &team));
    if (status != BANYAN_OK)
        return bn_raise(status);
    if (!team)
        Py_RETURN_NONE;
    return team_of(Py_TYPE(object), team);
}

static PyObject *call_leave(PyObject *object, PyObject *ignored)
{
    struct team *self = (struct team *)object;
    (void)ignored;
    self->is_leaving = true;
    leave_if_unused(self);
    Py_RETURN_NONE;
}

static PyObject *call_set_timeout(PyObject *object, PyObject *argument)
{
    struct team *self = (struct team *)object;
    double timeout_s = PyFloat_AsDouble(argument);
    if (PyErr_Occurred() || !bn_is_there(self))
        return NULL;
    banyan_status status = banyan_team_set_timeout(self->team, timeout_s);
    if (status == BANYAN_OK)
        self->timeout_s = timeout_s;
    return bn_none_or_raise(status);
}

static PyObject *call_timeout(PyObject *object, PyObject *ignored)
{
    (void)ignored;
    return PyFloat_FromDouble(((struct team *)object)->timeout_s);
}

static void team_dealloc(PyObject *object)
{
    leave((struct team *)object); /* memories hold their team, so there are none */
    Py_TYPE(object)->tp_free(object);
}

static PyObject *get_rank(PyObject *object, void *context)
{
    struct team *self = (struct team *)object;
    (void)context;
    return bn_is_there(self) ? PyLong_FromLong(banyan_team_rank(self->team)) : NULL;
}

static PyObject *get_size(PyObject *object, void *context)
{
    struct team *self = (struct team *)object;
    (void)context;
    return bn_is_there(self) ? PyLong_FromLong(banyan_team_size(self->team)) : NULL;
}

static PyObject *get_name(PyObject *object, void *context)
{
    struct team *self = (struct team *)object;
    (void)context;
    return bn_is_there(self) ? PyUnicode_FromString(banyan_team_name(self->team)) : NULL;
}

static PyGetSetDef team_values[] = {
    {"rank", get_rank, NULL, "The number of this member, 0 to size - 1.", NULL},
    {"size", get_size, NULL, "How many members there are.", NULL},
    {"name", get_name, NULL, "The name that the members met by.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

#define FAST(name, function) {name, (PyCFunction)(void (*)(void))function, METH_FASTCALL, NULL}

static PyMethodDef team_methods[] = {
    {"_join", call_join, METH_VARARGS | METH_CLASS, NULL},
    {"_split", call_split, METH_VARARGS, NULL},
    {"_set_timeout", call_set_timeout, METH_O, NULL},
    {"_timeout", call_timeout, METH_NOARGS, NULL},
    {"_alloc", call_alloc, METH_O, NULL},
    {"_alloc_shared", call_alloc_shared, METH_O, NULL},
    {"_adopt", call_adopt, METH_O, NULL},
    {"leave", call_leave, METH_NOARGS,
     "Makes no more calls; the others learn so if they wait for one.  Arrays in shared "
     "memory stay usable."},
    {"is_shared", call_is_shared, METH_O, "Whether an array lies in shared memory of the team."},
    {"barrier", call_barrier, METH_NOARGS, "Returns when all members have called it."},
    FAST("_broadcast", call_broadcast),
    FAST("_scatter", call_scatter),
    FAST("_gather", call_gather),
    FAST("_allgather", call_allgather),
    FAST("_alltoall", call_alltoall),
    FAST("_reduce", call_reduce_to_root),
    FAST("_allreduce", call_allreduce),
    FAST("_reduce_scatter", call_reduce_scatter),
    FAST("_scan", call_scan),
    FAST("_exscan", call_exscan),
    FAST("_reduce_at", call_reduce_at),
    FAST("_move_at", call_move_at),
    FAST("_alltoall_at", call_alltoall_at),
    FAST("_allgather_at", call_allgather_at),
    FAST("_send", bn_call_send),
    FAST("_recv", bn_call_recv),
    FAST("_post", bn_call_post),
    FAST("_post_at", bn_call_post_at),
    {NULL, NULL, 0, NULL},
};

static PyTypeObject team_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "banyan._engine.Team",
    .tp_basicsize = sizeof(struct team),
    .tp_dealloc = team_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_methods = team_methods,
    .tp_getset = team_values,
};

/* ---- The module ---- */

static PyObject *call_new_name(PyObject *module, PyObject *ignored)
{
    char name[BANYAN_NAME_MAX + 1];
    (void)module;
    (void)ignored;
    return PyUnicode_FromString(banyan_team_new_name(name));
}

static PyMethodDef module_methods[] = {
    {"new_name", call_new_name, METH_NOARGS, "A name that no other team has."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module_definition = {PyModuleDef_HEAD_INIT, .m_name = "_engine", .m_size = -1,
                                               .m_methods = module_methods};

static bool add(PyObject *module, const char *name, PyObject *object)
{
    Py_XINCREF(object);
    if (object && PyModule_AddObject(module, name, object) == 0)
        return true;
    Py_XDECREF(object);
    return false;
}

/* The classes of errors, made here since they are raised here */
static bool add_errors(PyObject *module)
{
    PyObject *error =
        PyErr_NewExceptionWithDoc("banyan.Error", "A team cannot do what it was asked for.", PyExc_RuntimeError, NULL);
    PyObject *both = error ? PyTuple_Pack(2, error, PyExc_TimeoutError) : NULL;
    PyObject *lost = error ? PyErr_NewExceptionWithDoc("banyan.LostError",
                                                       "A member has ended, or has left; the team can "
                                                       "only be left.",
                                                       error, NULL)
                           : NULL;
    PyObject *late =
        both ? PyErr_NewExceptionWithDoc("banyan.TimeoutError", "Others have not come in time.", both, NULL) : NULL;
    Py_XDECREF(both);
    for (int status = 0; status <= BANYAN_MISMATCH; status++)
        error_of_status[status] = error;
    error_of_status[BANYAN_ARGUMENT] = PyExc_ValueError;
    error_of_status[BANYAN_MEMORY] = PyExc_MemoryError;
    error_of_status[BANYAN_LOST] = lost;
    error_of_status[BANYAN_TIMEOUT] = late;
    return add(module, "Error", error) && add(module, "LostError", lost) && add(module, "TimeoutError", late);
}

PyMODINIT_FUNC PyInit__engine(void)
{
    if (PyType_Ready(&team_type) < 0 || PyType_Ready(&memory_type) < 0 || !bn_messages_ready())
        return NULL;
    PyObject *module = PyModule_Create(&module_definition);
    if (!module)
        return NULL;
    if (!add_errors(module) || !add(module, "Team", (PyObject *)&team_type) ||
        !add(module, "Message", bn_message_type()) || !add(module, "Received", bn_received_type()) ||
        PyModule_AddIntConstant(module, "SIZE_MAX", BANYAN_SIZE_MAX) < 0 ||
        PyModule_AddIntConstant(module, "BFLOAT16", BANYAN_BFLOAT16) < 0) {
        Py_DECREF(module);
        return NULL;
    }
    return module;
}
