/*
 * exit.c: the ends of a job that one thread brings about.
 */
#include "upc/fatal.h"

#include "base/log.h"
#include "boot/job.h"
#include "upc/runtime.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((visibility("default"), noreturn)) void upc_global_exit(int status);

void bn_upc_end_job(int status)
{
    if (!bn_job())
        _Exit(status & 0xff);
    fflush(NULL);
    bn_job_leave(status, bn_job_claim_end(status));
}

void bn_upc_fatal(const char *function, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fflush(NULL);
    bool is_first = !bn_job() || bn_job_claim_end(EXIT_FAILURE);
    if (is_first)
        bn_log_error("%s: %s", function, text);
    if (!bn_job())
        _Exit(EXIT_FAILURE);
    bn_job_leave(EXIT_FAILURE, is_first);
}

void upc_global_exit(int status)
{
    bn_runtime_close();
    bn_upc_end_job(status);
}
