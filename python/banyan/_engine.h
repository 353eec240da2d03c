/* _engine.h: what the files of the extension share. */
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

/** Raises what belongs to a status.  Null, for the caller to return. */
PyObject *bn_raise(banyan_status status);
PyObject *bn_none_or_raise(banyan_status status);

/* What arguments say; false, and an exception, if they are wrong. */
bool bn_is_there(const struct team *self);
bool bn_has_count(Py_ssize_t given, Py_ssize_t least, Py_ssize_t most, const char *call);
bool bn_take_int(PyObject *object, const char *name, int *number_p);
bool bn_take_address(PyObject *object, void **address_p);
bool bn_take_buffer(PyObject *object, Py_buffer *view, bool is_written, const char *call);

/** The team is left now if another thread has left it meanwhile. */
void bn_end_call(struct team *self);

/* Calls that wait let other threads run. */
#define WAITING(self, status, call)                                                                                    \
    do {                                                                                                               \
        (self)->calls++;                                                                                               \
        Py_BEGIN_ALLOW_THREADS(status) = (call);                                                                       \
        Py_END_ALLOW_THREADS bn_end_call(self);                                                                        \
    } while (0)

/* ---- Messages (_messages.c): methods of a team, and the types of what they return ---- */

bool bn_messages_ready(void);
PyObject *bn_message_type(void);
PyObject *bn_received_type(void);

PyObject *bn_call_send(PyObject *object, PyObject *const *args, Py_ssize_t count);
PyObject *bn_call_recv(PyObject *object, PyObject *const *args, Py_ssize_t count);
PyObject *bn_call_post(PyObject *object, PyObject *const *args, Py_ssize_t count);
PyObject *bn_call_post_at(PyObject *object, PyObject *const *args, Py_ssize_t count);

#pragma GCC visibility pop

#endif
