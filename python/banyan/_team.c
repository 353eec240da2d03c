/*
 * _team.c: a member of a team, for Python: how it joins and leaves, and its methods.
 */
#include "_engine.h"

/* ---- Leave ---- */

static void leave(struct team *self)
{
    if (self->team)
        banyan_team_leave(self->team);
    self->team = NULL;
}

/* Calls of other threads are given up first, and memory in use must stay where it is. */
void bn_leave_if_unused(struct team *self)
{
    if (!self->is_leaving || self->calls > 0 || !self->team)
        return;
    if (self->memories > 0)
        banyan_team_retire(self->team);
    else
        leave(self);
}

/* ---- Join, and properties of a member ---- */

/* Called while a thread waits: raises an exception for Ctrl-C, and if another thread has left the team. */
static bool look_around(void *context)
{
    const struct team *self = context;
    PyGILState_STATE state = PyGILState_Ensure();
    bool gives_up = PyErr_CheckSignals() != 0;
    if (!gives_up && self->is_leaving) {
        PyErr_SetString(bn_error_class(BANYAN_LOST), "another thread of this process has left the team");
        gives_up = true;
    }
    PyGILState_Release(state);
    return gives_up;
}

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
    bn_leave_if_unused(self);
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
    leave((struct team *)object); /* memory objects keep their team alive, so none are left */
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
    {"_alloc", bn_call_alloc, METH_O, NULL},
    {"_alloc_shared", bn_call_alloc_shared, METH_O, NULL},
    {"_adopt", bn_call_adopt, METH_O, NULL},
    {"leave", call_leave, METH_NOARGS,
     "Makes no more calls; the others learn so if they wait for one.  Arrays in shared "
     "memory stay usable."},
    {"is_shared", bn_call_is_shared, METH_O, "Whether an array lies in shared memory of the team."},
    {"barrier", bn_call_barrier, METH_NOARGS, "Returns when all members have called it."},
    FAST("_broadcast", bn_call_broadcast),
    FAST("_scatter", bn_call_scatter),
    FAST("_gather", bn_call_gather),
    FAST("_allgather", bn_call_allgather),
    FAST("_alltoall", bn_call_alltoall),
    FAST("_reduce", bn_call_reduce_to_root),
    FAST("_allreduce", bn_call_allreduce),
    FAST("_reduce_scatter", bn_call_reduce_scatter),
    FAST("_scan", bn_call_scan),
    FAST("_exscan", bn_call_exscan),
    FAST("_reduce_at", bn_call_reduce_at),
    FAST("_move_at", bn_call_move_at),
    FAST("_alltoall_at", bn_call_alltoall_at),
    FAST("_allgather_at", bn_call_allgather_at),
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

bool bn_team_ready(void)
{
    return PyType_Ready(&team_type) == 0;
}

PyObject *bn_team_type(void)
{
    return (PyObject *)&team_type;
}
