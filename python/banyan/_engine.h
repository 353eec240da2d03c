/*
 * _engine.h: banyan/team.h for Python, in what the files of the extension share: buffers become addresses, statuses
 * become exceptions.
 *
 * An extension, since a small collective takes less time than one call through ctypes (docs/tuning/python.md).  It
 * knows no NumPy: arrays come by the buffer protocol, and memory goes out by it.  What is convenient is in __init__.py.
 */
#ifndef BN_PYTHON_ENGINE_H
#define BN_PYTHON_ENGINE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <banyan/team.h>

#include <stdbool.h>

#pragma GCC visibility push(hidden)

struct team {
    PyObject_HEAD banyan_team *team; /* null: left */
    Py_ssize_t calls;                /* that threads are in */
    Py_ssize_t memories;             /* that are in use */
    bool is_leaving;                 /* when there is none of both any more */
    double timeout_s;                /* as it was set last */
};

/* ---- Errors (_engine.c) ---- */

/** The class of the exceptions that a status becomes. */
PyObject *bn_error_class(banyan_status status);

/** Raises what belongs to a status.  Null, for the caller to return. */
PyObject *bn_raise(banyan_status status);
PyObject *bn_none_or_raise(banyan_status status);

/* ---- Arguments (_arguments.c): false, and an exception, if they are wrong ---- */

bool bn_is_there(const struct team *self);
bool bn_has_count(Py_ssize_t given, Py_ssize_t least, Py_ssize_t most, const char *call);
bool bn_take_int(PyObject *object, const char *name, int *number_p);
bool bn_take_address(PyObject *object, void **address_p);
bool bn_take_buffer(PyObject *object, Py_buffer *view, bool is_written, const char *call);

/* What a call sends and what it receives; the second may be all that there is. */
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

/** What a buffer has in all, divided by the blocks in it; -1, and an exception, if that has a rest. */
Py_ssize_t bn_block_bytes(const Py_buffer *view, int blocks, const char *call);
bool bn_blocks_agree(Py_ssize_t send_bytes, Py_ssize_t recv_bytes, const char *call);

/* ---- Teams (_team.c) ---- */

bool bn_team_ready(void);
PyObject *bn_team_type(void);

/** A call or memory is no longer in use: the team is left now if another thread has left it meanwhile, and this was the
 * last one. */
void bn_leave_if_unused(struct team *self);

static inline void bn_end_call(struct team *self)
{
    self->calls--;
    if (__builtin_expect(self->is_leaving, 0))
        bn_leave_if_unused(self);
}

/* Calls that wait let other threads run. */
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

/* ---- Methods that give memory (_memory.c) ---- */

bool bn_memory_ready(void);

PyObject *bn_call_alloc(PyObject *object, PyObject *argument);
PyObject *bn_call_alloc_shared(PyObject *object, PyObject *argument);
PyObject *bn_call_is_shared(PyObject *object, PyObject *argument);
PyObject *bn_call_adopt(PyObject *object, PyObject *argument);

/* ---- Methods that send and receive, and the types of what they return (_messages.c) ---- */

bool bn_messages_ready(void);
PyObject *bn_message_type(void);
PyObject *bn_received_type(void);

PyObject *bn_call_send(PyObject *object, PyObject *const *args, Py_ssize_t count);
PyObject *bn_call_recv(PyObject *object, PyObject *const *args, Py_ssize_t count);
PyObject *bn_call_post(PyObject *object, PyObject *const *args, Py_ssize_t count);
PyObject *bn_call_post_at(PyObject *object, PyObject *const *args, Py_ssize_t count);

#pragma GCC visibility pop

#endif
