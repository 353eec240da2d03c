/*
 * _engine.h: declarations shared by the files of the extension, which is banyan/team.h for Python: buffers become
 * addresses, and statuses become exceptions.
 *
 * It is an extension because a small collective takes less time than one call through ctypes (docs/tuning/python.md).
 * It does not depend on NumPy: arrays come in, and memory goes out, by the buffer protocol.  The convenient interface
 * is in __init__.py.
 */
#ifndef BN_PYTHON_ENGINE_H
#define BN_PYTHON_ENGINE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <banyan/team.h>

#include <stdbool.h>

#pragma GCC visibility push(hidden)

struct team {
    PyObject_HEAD banyan_team *team; /* null: the team was left */
    Py_ssize_t calls;                /* calls that threads are in */
    Py_ssize_t memories;             /* struct memory objects in use */
    bool is_leaving;                 /* leave the team when both counts are 0 */
    double timeout_s;                /* the last value set */
};

/* ---- Errors (_engine.c) ---- */

/** The exception class for a status. */
PyObject *bn_error_class(banyan_status status);

/** Raises the exception for a status.  Returns null, for the caller to return. */
PyObject *bn_raise(banyan_status status);
PyObject *bn_none_or_raise(banyan_status status);

/* ---- Arguments (_arguments.c): false with an exception set if they are wrong ---- */

bool bn_is_there(const struct team *self);
bool bn_has_count(Py_ssize_t given, Py_ssize_t least, Py_ssize_t most, const char *call);
bool bn_take_int(PyObject *object, const char *name, int *number_p);
bool bn_take_address(PyObject *object, void **address_p);
bool bn_take_buffer(PyObject *object, Py_buffer *view, bool is_written, const char *call);

/* What a call sends and what it receives; there may be only the latter. */
struct buffers {
    Py_buffer send, recv;
    bool has_send, has_recv;
};

bool bn_take_buffers(PyObject *send, PyObject *recv, struct buffers *buffers, const char *call);
void bn_release_buffers(struct buffers *buffers);

static inline const void *bn_send_of(const struct buffers *buffers)
{
    return buffers->has_send ? buffers->send.buf : NULL;
}

static inline void *bn_recv_of(const struct buffers *buffers)
{
    return buffers->has_recv ? buffers->recv.buf : NULL;
}

/** The size of a block, given the number of blocks in a buffer; -1 with an exception set if there is a remainder. */
Py_ssize_t bn_block_bytes(const Py_buffer *view, int blocks, const char *call);
bool bn_blocks_agree(Py_ssize_t send_bytes, Py_ssize_t recv_bytes, const char *call);

/* ---- Elements (_elements.c) ---- */

/** The format of the elements; that of bytes if the object gives none. */
const char *bn_format_of(const Py_buffer *view);
/** The type as which elements can be reduced (banyan_type); -1: there is none */
int bn_type_of(const Py_buffer *view);
/** Whether both sides have elements of one type, whatever their formats are called (int64 is 'l' and 'q'); false with
 * an exception set otherwise.  Of other types, such as structs, only the sizes are compared: NumPy and ctypes give them
 * different formats. */
bool bn_types_agree(const Py_buffer *send, const Py_buffer *recv, const char *call);

/* ---- Teams (_team.c) ---- */

bool bn_team_ready(void);
PyObject *bn_team_type(void);

/** To be called when a call or memory is no longer in use: leaves the team if another thread has left it meanwhile, and
 * this was the last use. */
void bn_leave_if_unused(struct team *self);

static inline void bn_end_call(struct team *self)
{
    self->calls--;
    if (__builtin_expect(self->is_leaving, 0))
        bn_leave_if_unused(self);
}

/* Makes a call that may wait, without the GIL. */
#define WAITING(self, status, call)                                                                                    \
    do {                                                                                                               \
        (self)->calls++;                                                                                               \
        Py_BEGIN_ALLOW_THREADS(status) = (call);                                                                       \
        Py_END_ALLOW_THREADS bn_end_call(self);                                                                        \
    } while (0)

/* ---- Methods of a team that move blocks (_blocks.c) ---- */

PyObject *bn_call_barrier(PyObject *object, PyObject *ignored);
PyObject *bn_call_broadcast(PyObject *object, PyObject *const *args, Py_ssize_t count);
PyObject *bn_call_scatter(PyObject *object, PyObject *const *args, Py_ssize_t count);
PyObject *bn_call_gather(PyObject *object, PyObject *const *args, Py_ssize_t count);
PyObject *bn_call_allgather(PyObject *object, PyObject *const *args, Py_ssize_t count);
PyObject *bn_call_alltoall(PyObject *object, PyObject *const *args, Py_ssize_t count);
PyObject *bn_call_move_at(PyObject *object, PyObject *const *args, Py_ssize_t count);
PyObject *bn_call_alltoall_at(PyObject *object, PyObject *const *args, Py_ssize_t count);
PyObject *bn_call_allgather_at(PyObject *object, PyObject *const *args, Py_ssize_t count);

/* ---- Methods that reduce (_reductions.c) ---- */

PyObject *bn_call_reduce_to_root(PyObject *object, PyObject *const *args, Py_ssize_t count);
PyObject *bn_call_allreduce(PyObject *object, PyObject *const *args, Py_ssize_t count);
PyObject *bn_call_reduce_scatter(PyObject *object, PyObject *const *args, Py_ssize_t count);
PyObject *bn_call_scan(PyObject *object, PyObject *const *args, Py_ssize_t count);
PyObject *bn_call_exscan(PyObject *object, PyObject *const *args, Py_ssize_t count);
PyObject *bn_call_reduce_at(PyObject *object, PyObject *const *args, Py_ssize_t count);

/* ---- Methods for memory (_memory.c) ---- */

bool bn_memory_ready(void);

PyObject *bn_call_alloc(PyObject *object, PyObject *argument);
PyObject *bn_call_alloc_shared(PyObject *object, PyObject *argument);
PyObject *bn_call_is_shared(PyObject *object, PyObject *argument);
PyObject *bn_call_adopt(PyObject *object, PyObject *argument);

/* ---- Methods that send and receive, and the types of their results (_messages.c) ---- */

bool bn_messages_ready(void);
PyObject *bn_message_type(void);
PyObject *bn_received_type(void);

PyObject *bn_call_send(PyObject *object, PyObject *const *args, Py_ssize_t count);
PyObject *bn_call_recv(PyObject *object, PyObject *const *args, Py_ssize_t count);
PyObject *bn_call_post(PyObject *object, PyObject *const *args, Py_ssize_t count);
PyObject *bn_call_post_at(PyObject *object, PyObject *const *args, Py_ssize_t count);

#pragma GCC visibility pop

#endif
