/*
 * _elements.c: the types of the elements of buffers, from their formats in the notation of the struct module.
 */
#include "_engine.h"

const char *bn_format_of(const Py_buffer *view)
{
    return view->format ? view->format : "B";
}

int bn_type_of(const Py_buffer *view)
{
    const char *format = bn_format_of(view);
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

bool bn_types_agree(const Py_buffer *send, const Py_buffer *recv, const char *call)
{
    if (bn_type_of(send) == bn_type_of(recv) && send->itemsize == recv->itemsize)
        return true;
    PyErr_Format(PyExc_TypeError, "%s: sent elements have format '%s', received ones '%s'", call, bn_format_of(send),
                 bn_format_of(recv));
    return false;
}
