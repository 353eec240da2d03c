#include "team/error.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char text[512] = "no call has failed on this thread";

banyan_status bn_error(banyan_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return status;
}

const char *banyan_error(void)
{
    return text;
}

const char *banyan_status_name(banyan_status status)
{
    static const char *const names[] = {
        "BANYAN_OK",   "BANYAN_ARGUMENT",    "BANYAN_MEMORY", "BANYAN_SYSTEM", "BANYAN_TIMEOUT",  "BANYAN_REFUSED",
        "BANYAN_LOST", "BANYAN_INTERRUPTED", "BANYAN_BUSY",   "BANYAN_FORKED", "BANYAN_MISMATCH",
    };
    return (unsigned)status < sizeof names / sizeof names[0] ? names[status] : "no status of Banyan";
}
