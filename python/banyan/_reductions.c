/*
 * _reductions.c: reductions and scans over the members' arrays, for Python.
 */
#include "_engine.h"

#include <stdint.h>

enum reduced { REDUCE, ALLREDUCE, REDUCE_SCATTER, SCAN, EXSCAN };
static const char *const names_of_reduced[] = {"reduce", "allreduce", "reduce_scatter", "scan", "exscan"};

struct reduction {
    enum reduced which;
    const void *send;
    void *recv;
    size_t count; /* for reduce_scatter: of each part */
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

static bool is_aligned(const Py_buffer *view, const char *name)
{
    if ((uintptr_t)view->buf % (uintptr_t)(view->itemsize < 8 ? view->itemsize : 8) == 0)
        return true;
    PyErr_Format(PyExc_ValueError, "%s: the elements of an array are not aligned (those of x.copy() are)", name);
    return false;
}

/* Finds the type and number of elements; false with an exception set if the two sides do not agree. */
static bool measure(const struct buffers *buffers, struct reduction *reduction, int parts)
{
    const Py_buffer *view = buffers->has_send ? &buffers->send : &buffers->recv;
    const char *name = names_of_reduced[reduction->which];
    Py_ssize_t part = bn_block_bytes(view, parts, name);
    if (part < 0)
        return false;
    reduction->type = bn_type_of(view);
    reduction->count = (size_t)(part / (view->itemsize > 0 ? view->itemsize : 1));
    if (reduction->type < 0 || view->itemsize != (Py_ssize_t)banyan_type_bytes((banyan_type)reduction->type)) {
        PyErr_Format(PyExc_TypeError,
                     "%s: elements of format '%s' cannot be reduced, only bool, integers, float16, float32, "
                     "float64, complex64 and complex128 in the byte order of this machine",
                     name, bn_format_of(view));
        return false;
    }
    if (part % view->itemsize != 0) {
        PyErr_Format(PyExc_ValueError, "%s: parts of %zd bytes do not have a whole number of elements of format '%s'",
                     name, part, bn_format_of(view));
        return false;
    }
    if (!is_aligned(view, name))
        return false;
    if (buffers->has_send && buffers->has_recv) {
        const Py_buffer *recv = &buffers->recv;
        if (!bn_types_agree(view, recv, name) || !is_aligned(recv, name) || !bn_blocks_agree(part, recv->len, name))
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
    if (!bn_take_buffers(args[0], has_result ? args[1] : Py_None, &buffers, name))
        return NULL;
    if (!buffers.has_send && !buffers.has_recv)
        PyErr_Format(PyExc_TypeError, "%s: no array is given", name);
    else if (measure(&buffers, &reduction, which == REDUCE_SCATTER ? banyan_team_size(self->team) : 1)) {
        reduction.send = bn_send_of(&buffers);
        reduction.recv = bn_recv_of(&buffers);
        WAITING(self, status, reduce(self->team, &reduction));
    }
    bn_release_buffers(&buffers);
    return PyErr_Occurred() ? NULL : bn_none_or_raise(status);
}

PyObject *bn_call_reduce_to_root(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    return call_reduce(self, args, count, REDUCE);
}

PyObject *bn_call_allreduce(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    return call_reduce(self, args, count, ALLREDUCE);
}

PyObject *bn_call_reduce_scatter(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    return call_reduce(self, args, count, REDUCE_SCATTER);
}

PyObject *bn_call_scan(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    return call_reduce(self, args, count, SCAN);
}

PyObject *bn_call_exscan(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    return call_reduce(self, args, count, EXSCAN);
}

/* ---- By address, for tensors, which do not support the buffer protocol.  The caller has checked them. ---- */

/* (which, send, recv, count, type, op, root) */
PyObject *bn_call_reduce_at(PyObject *object, PyObject *const *args, Py_ssize_t count)
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
