/*
 * _arguments.c: conversion of the arguments of calls: numbers, addresses and buffers.
 */
#include "_engine.h"

bool bn_is_there(const struct team *self)
{
    if (self->team && !self->is_leaving)
        return true;
    PyErr_SetString(PyExc_ValueError, "this member has left the team");
    return false;
}

/* Whether elements of a format contain Python objects: an O outside of member names; in T{i:O:O:x:} the second one. */
static bool has_objects(const char *format)
{
    bool is_name = false;
    for (const char *at = format; at && (at = strpbrk(at, ":O")); at++) {
        if (*at == ':')
            is_name = !is_name;
        else if (!is_name)
            return true;
    }
    return false;
}

static bool is_movable(Py_buffer *view, const char *call)
{
    if (!has_objects(view->format))
        return true;
    PyErr_Format(PyExc_TypeError,
                 "%s takes no arrays of Python objects (format '%s'), which exist only in this process", call,
                 view->format);
    PyBuffer_Release(view);
    return false;
}

static bool can_take(PyObject *object, int flags)
{
    Py_buffer view;
    if (PyObject_GetBuffer(object, &view, flags) != 0) {
        PyErr_Clear();
        return false;
    }
    PyBuffer_Release(&view);
    return true;
}

/* Why an object that has a buffer does not give one as it is needed, and what to do about it; exporters say only the
 * former. */
static const char *problem_of(PyObject *object, bool is_written)
{
    if (is_written && can_take(object, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT))
        return "may be written (x.copy() may)";
    if (!can_take(object, PyBUF_STRIDED_RO | PyBUF_FORMAT))
        return "have elements that other processes understand (dates and times can be given as x.view(\"i8\"))";
    return "have contiguous elements in C order (numpy.ascontiguousarray makes one)";
}

bool bn_take_buffer(PyObject *object, Py_buffer *view, bool is_written, const char *call)
{
    int flags = PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | (is_written ? PyBUF_WRITABLE : 0);
    if (PyObject_GetBuffer(object, view, flags) == 0)
        return is_movable(view, call);
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    if (PyObject_CheckBuffer(object))
        PyErr_Format(PyExc_ValueError, "%s takes arrays that %s, not this %s: %S", call, problem_of(object, is_written),
                     Py_TYPE(object)->tp_name, value ? value : Py_None);
    else
        PyErr_Format(PyExc_TypeError, "%s takes arrays (numpy.asarray makes one), not this %s", call,
                     Py_TYPE(object)->tp_name);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(trace);
    return false;
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
    PyErr_Format(PyExc_ValueError, "%s must be a 32-bit integer, not %S", name, object);
    return false;
}

bool bn_take_address(PyObject *object, void **address_p)
{
    *address_p = PyLong_AsVoidPtr(object);
    return *address_p || !PyErr_Occurred();
}

void bn_release_buffers(struct buffers *buffers)
{
    if (buffers->has_send)
        PyBuffer_Release(&buffers->send);
    if (buffers->has_recv)
        PyBuffer_Release(&buffers->recv);
}

bool bn_take_buffers(PyObject *send, PyObject *recv, struct buffers *buffers, const char *call)
{
    buffers->has_send = buffers->has_recv = false;
    if (send != Py_None && !(buffers->has_send = bn_take_buffer(send, &buffers->send, false, call)))
        return false;
    if (recv != Py_None && !(buffers->has_recv = bn_take_buffer(recv, &buffers->recv, true, call))) {
        bn_release_buffers(buffers);
        return false;
    }
    return true;
}

Py_ssize_t bn_block_bytes(const Py_buffer *view, int blocks, const char *call)
{
    if (view->len % blocks == 0)
        return view->len / blocks;
    PyErr_Format(PyExc_ValueError, "%s: an array of %zd bytes cannot be cut into %d equal parts", call, view->len,
                 blocks);
    return -1;
}

bool bn_blocks_agree(Py_ssize_t send_bytes, Py_ssize_t recv_bytes, const char *call)
{
    if (send_bytes == recv_bytes)
        return true;
    PyErr_Format(PyExc_ValueError, "%s: sent blocks have %zd bytes, received blocks have %zd", call, send_bytes,
                 recv_bytes);
    return false;
}
