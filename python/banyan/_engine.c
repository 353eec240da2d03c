/*
 * _engine.c: the module, and the exceptions for statuses.
 */
#include "_engine.h"

static PyObject *error_of_status[BANYAN_MISMATCH + 1];

/* ---- Errors ---- */

PyObject *bn_error_class(banyan_status status)
{
    return error_of_status[status];
}

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

/* Makes the exception classes, which are raised here. */
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
    if (!bn_team_ready() || !bn_memory_ready() || !bn_messages_ready())
        return NULL;
    PyObject *module = PyModule_Create(&module_definition);
    if (!module)
        return NULL;
    if (!add_errors(module) || !add(module, "Team", bn_team_type()) || !add(module, "Message", bn_message_type()) ||
        !add(module, "Received", bn_received_type()) ||
        PyModule_AddIntConstant(module, "SIZE_MAX", BANYAN_SIZE_MAX) < 0 ||
        PyModule_AddIntConstant(module, "BFLOAT16", BANYAN_BFLOAT16) < 0 ||
        PyModule_AddStringConstant(module, "VERSION", BN_VERSION) < 0) {
        Py_DECREF(module);
        return NULL;
    }
    return module;
}
