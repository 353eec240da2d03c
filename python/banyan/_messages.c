/*
 * _messages.c: messages from one member of a team to another, for Python.
 *
 * A message keeps a reference to its memory until it has ended.
 */
#include "_engine.h"

/* A message in progress, with its memory */
struct message {
    PyObject_HEAD struct team *owner;
    banyan_message *message; /* null: ended */
    Py_buffer view;
    bool has_view;
    PyObject *kept;     /* the owner of the memory, if that was given by address; or null */
    PyObject *received; /* the result, once it has succeeded */
};

static PyTypeObject message_type;
static PyTypeObject *received_type;

static PyObject *received_of(const banyan_received *received)
{
    PyObject *result = PyStructSequence_New(received_type);
    if (!result)
        return NULL;
    PyStructSequence_SetItem(result, 0, PyLong_FromLong(received->rank));
    PyStructSequence_SetItem(result, 1, PyLong_FromLong(received->tag));
    PyStructSequence_SetItem(result, 2, PyLong_FromSize_t(received->bytes));
    return result;
}

/* (array, rank, tag) */
PyObject *bn_call_send(PyObject *object, PyObject *const *args, Py_ssize_t count)
{
    struct team *self = (struct team *)object;
    Py_buffer view;
    banyan_status status;
    int rank, tag;
    if (!bn_is_there(self) || !bn_has_count(count, 3, 3, "send") || !bn_take_int(args[1], "to", &rank) ||
        !bn_take_int(args[2], "tag", &tag) || !bn_take_buffer(args[0], &view, false, "send"))
        return NULL;
    WAITING(self, status, banyan_send(self->team, view.buf, (size_t)view.len, rank, tag));
    PyBuffer_Release(&view);
    return bn_none_or_raise(status);
}

PyObject *bn_call_recv(PyObject *object, PyObject *const *args, Py_ssize_t count)
{
    struct team *self = (struct team *)object;
    banyan_received received;
    Py_buffer view;
    banyan_status status;
    int rank, tag;
    if (!bn_is_there(self) || !bn_has_count(count, 3, 3, "recv") || !bn_take_int(args[1], "source", &rank) ||
        !bn_take_int(args[2], "tag", &tag) || !bn_take_buffer(args[0], &view, true, "recv"))
        return NULL;
    WAITING(self, status, banyan_recv(self->team, view.buf, (size_t)view.len, rank, tag, &received));
    PyBuffer_Release(&view);
    return status == BANYAN_OK ? received_of(&received) : bn_raise(status);
}

/* Begins a message, which takes over its view or the owner of its memory. */
static PyObject *begin_message(struct team *self, struct message *message, bool is_send, void *data, size_t bytes,
                               int rank, int tag)
{
    banyan_status status;
    Py_INCREF(self);
    message->owner = self;
    if (is_send)
        WAITING(self, status, banyan_post_send(self->team, data, bytes, rank, tag, &message->message));
    else
        WAITING(self, status, banyan_post_recv(self->team, data, bytes, rank, tag, &message->message));
    if (status == BANYAN_OK)
        return (PyObject *)message;
    bn_raise(status);
    Py_DECREF(message);
    return NULL;
}

/* (is_send, array, rank, tag) */
PyObject *bn_call_post(PyObject *object, PyObject *const *args, Py_ssize_t count)
{
    struct team *self = (struct team *)object;
    int is_send, rank, tag;
    if (!bn_is_there(self) || !bn_has_count(count, 4, 4, "post") || !bn_take_int(args[0], "is_send", &is_send) ||
        !bn_take_int(args[2], is_send ? "to" : "source", &rank) || !bn_take_int(args[3], "tag", &tag))
        return NULL;
    struct message *message = (struct message *)message_type.tp_alloc(&message_type, 0);
    if (!message)
        return NULL;
    message->has_view = bn_take_buffer(args[1], &message->view, !is_send, is_send ? "isend" : "irecv");
    if (!message->has_view) {
        Py_DECREF(message);
        return NULL;
    }
    return begin_message(self, message, is_send, message->view.buf, (size_t)message->view.len, rank, tag);
}

/* (is_send, address, bytes, rank, tag, owner of the memory) */
PyObject *bn_call_post_at(PyObject *object, PyObject *const *args, Py_ssize_t count)
{
    struct team *self = (struct team *)object;
    int is_send, rank, tag;
    void *address;
    if (!bn_is_there(self) || !bn_has_count(count, 6, 6, "post_at") || !bn_take_int(args[0], "is_send", &is_send) ||
        !bn_take_address(args[1], &address) || !bn_take_int(args[3], "rank", &rank) ||
        !bn_take_int(args[4], "tag", &tag))
        return NULL;
    size_t bytes = PyLong_AsSize_t(args[2]);
    struct message *message = PyErr_Occurred() ? NULL : (struct message *)message_type.tp_alloc(&message_type, 0);
    if (!message)
        return NULL;
    Py_INCREF(args[5]);
    message->kept = args[5];
    return begin_message(self, message, is_send, address, bytes, rank, tag);
}

/* Drops the reference to the memory, which is no longer used. */
static void let_go(struct message *message)
{
    if (message->has_view)
        PyBuffer_Release(&message->view);
    message->has_view = false;
    Py_CLEAR(message->kept);
}

static PyObject *end_message(struct message *message, banyan_status status, const banyan_received *received)
{
    if (!message->message)
        let_go(message);
    if (status != BANYAN_OK)
        return bn_raise(status);
    message->received = received_of(received);
    Py_XINCREF(message->received);
    return message->received;
}

static bool is_still_there(const struct message *message)
{
    if (message->message || message->received)
        return bn_is_there(message->owner);
    PyErr_SetString(PyExc_ValueError, "this message was cancelled, or has failed");
    return false;
}

static PyObject *message_wait(PyObject *object, PyObject *ignored)
{
    struct message *self = (struct message *)object;
    banyan_received received;
    banyan_status status;
    (void)ignored;
    if (self->received) {
        Py_INCREF(self->received);
        return self->received;
    }
    if (!is_still_there(self))
        return NULL;
    WAITING(self->owner, status, banyan_wait(self->owner->team, &self->message, &received));
    return end_message(self, status, &received);
}

static PyObject *message_test(PyObject *object, PyObject *ignored)
{
    struct message *self = (struct message *)object;
    banyan_received received;
    banyan_status status;
    bool has_ended = true;
    (void)ignored;
    if (self->received)
        Py_RETURN_TRUE;
    if (!is_still_there(self))
        return NULL;
    WAITING(self->owner, status, banyan_test(self->owner->team, &self->message, &has_ended, &received));
    if (status == BANYAN_OK && !has_ended)
        Py_RETURN_FALSE;
    PyObject *result = end_message(self, status, &received);
    Py_XDECREF(result);
    if (!result)
        return NULL;
    Py_RETURN_TRUE;
}

static PyObject *message_cancel(PyObject *object, PyObject *ignored)
{
    struct message *self = (struct message *)object;
    banyan_status status;
    bool is_cancelled;
    (void)ignored;
    if (!self->message)
        Py_RETURN_FALSE;
    if (!bn_is_there(self->owner))
        return NULL;
    WAITING(self->owner, status, banyan_cancel(self->owner->team, &self->message, &is_cancelled));
    if (!self->message)
        let_go(self);
    return status == BANYAN_OK ? PyBool_FromLong(is_cancelled) : bn_raise(status);
}

/* A message that is no longer referenced is cancelled.  That is not possible while another thread is in a call of the
 * team; then the memory may still be read or written, so it is never released. */
static void message_dealloc(PyObject *object)
{
    struct message *self = (struct message *)object;
    banyan_status status = BANYAN_OK;
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    if (self->message && self->owner->team)
        WAITING(self->owner, status, banyan_cancel(self->owner->team, &self->message, NULL));
    if (status != BANYAN_BUSY)
        let_go(self);
    Py_XDECREF(self->received);
    Py_XDECREF(self->owner);
    PyErr_Restore(type, value, trace);
    Py_TYPE(object)->tp_free(object);
}

static PyMethodDef message_methods[] = {
    {"wait", message_wait, METH_NOARGS, "Waits until the message has ended.  Returns its rank, tag and bytes."},
    {"test", message_test, METH_NOARGS, "Whether the message has ended."},
    {"cancel", message_cancel, METH_NOARGS,
     "Cancels the message if it has not ended.  Returns whether it was cancelled."},
    {NULL, NULL, 0, NULL},
};

static PyTypeObject message_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "banyan.Message",
    .tp_basicsize = sizeof(struct message),
    .tp_dealloc = message_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_doc = "A message in progress; one that is no longer referenced is cancelled.",
    .tp_methods = message_methods,
};

static PyStructSequence_Field received_fields[] = {
    {"rank", "the sender"}, {"tag", NULL}, {"bytes", "its size"}, {NULL, NULL}};
static PyStructSequence_Desc received_description = {"banyan.Received", "A received message", received_fields, 3};

bool bn_messages_ready(void)
{
    if (PyType_Ready(&message_type) < 0)
        return false;
    received_type = PyStructSequence_NewType(&received_description);
    return received_type != NULL;
}

PyObject *bn_message_type(void)
{
    return (PyObject *)&message_type;
}

PyObject *bn_received_type(void)
{
    return (PyObject *)received_type;
}
