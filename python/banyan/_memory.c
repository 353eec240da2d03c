/*
 * _memory.c: shared memory of a team, for Python.
 */
#include "_engine.h"

#include <stdint.h>

/* A block of a team's memory, for an array */
struct memory {
    PyObject_HEAD struct team *owner;
    unsigned char *address;
    Py_ssize_t bytes;
    uint64_t *users; /* for a block that all members have: counts those that have dropped it; else null */
};

static PyTypeObject memory_type;

enum { HEADER_BYTES = 64 }; /* before a block that all members have: contains `users` */

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

static void drop_memory(struct team *self)
{
    self->memories--;
    bn_leave_if_unused(self);
}

PyObject *bn_call_alloc(PyObject *object, PyObject *argument)
{
    struct team *self = (struct team *)object;
    Py_ssize_t bytes = PyLong_AsSsize_t(argument);
    if (PyErr_Occurred() || !bn_is_there(self))
        return NULL;
    unsigned char *address = banyan_alloc(self->team, (size_t)bytes);
    return address ? memory_of(self, address, bytes, NULL) : bn_raise(BANYAN_MEMORY);
}

PyObject *bn_call_alloc_shared(PyObject *object, PyObject *argument)
{
    struct team *self = (struct team *)object;
    Py_ssize_t bytes = PyLong_AsSsize_t(argument);
    banyan_status status;
    void *block;
    if (PyErr_Occurred() || !bn_is_there(self))
        return NULL;
    self->memories++; /* keeps the team while another thread leaves */
    WAITING(self, status, banyan_alloc_shared(self->team, HEADER_BYTES + (size_t)bytes, &block));
    PyObject *memory =
        status == BANYAN_OK ? memory_of(self, (unsigned char *)block + HEADER_BYTES, bytes, block) : bn_raise(status);
    drop_memory(self);
    return memory;
}

/* The last member that drops a common block frees it. */
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
    .tp_doc = "Memory that all members of a team map, for arrays.",
    .tp_as_buffer = &memory_buffer,
};

PyObject *bn_call_is_shared(PyObject *object, PyObject *argument)
{
    struct team *self = (struct team *)object;
    Py_buffer view;
    if (!bn_is_there(self) || !bn_take_buffer(argument, &view, false, "is_shared"))
        return NULL;
    bool is_shared = banyan_is_shared(self->team, view.buf, (size_t)view.len);
    PyBuffer_Release(&view);
    return PyBool_FromLong(is_shared);
}

/* Lets a library's blocks be allocated in memory of the team from now on; false if another team has them already. */
PyObject *bn_call_adopt(PyObject *object, PyObject *argument)
{
    struct team *self = (struct team *)object;
    const char *library = PyUnicode_AsUTF8(argument);
    if (!library || !bn_is_there(self))
        return NULL;
    return PyBool_FromLong(banyan_adopt(self->team, library) == BANYAN_OK);
}

bool bn_memory_ready(void)
{
    return PyType_Ready(&memory_type) == 0;
}
