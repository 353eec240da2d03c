/*
 * exit.c: ends of a job that a single thread causes.
 */
#include "upc/fatal.h"

#include "banyan/check.h"
#include "base/log.h"
#include "boot/job.h"
#include "upc/profile/profile.h"
#include "upc/start/runtime.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((visibility("default"), noreturn)) void upc_global_exit(int status);

/* Whether there is a job and the calling process belongs to it.  In a process that a thread has forked, these functions
 * end only that process, as exit does. */
static bool is_of_a_job(void)
{
    return bn_job() && !bn_job_is_forked();
}

void bn_upc_end_job(int status)
{
    fflush(NULL);
    if (!is_of_a_job())
        _Exit(status & 0xff);
    bn_job_leave(status, bn_job_claim_end(status));
}

__attribute__((noreturn, format(printf, 3, 0))) static void end_with(void (*explain)(void), const char *function,
                                                                     const char *format, va_list args)
{
    char text[1024], place[512] = "";
    vsnprintf(text, sizeof text, format, args);
    if (bn_check_here.file)
        snprintf(place, sizeof place, "%s:%d: ", bn_check_here.file, bn_check_here.line);
    fflush(NULL);
    bool is_first = !is_of_a_job() || bn_job_claim_end(EXIT_FAILURE);
    if (is_first)
        bn_log_error("%s%s%s%s", place, function ? function : "", function ? ": " : "", text);
    if (is_first && explain)
        explain();
    if (!is_of_a_job())
        _Exit(EXIT_FAILURE);
    bn_job_leave(EXIT_FAILURE, is_first);
}

void bn_upc_fatal(const char *function, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    end_with(NULL, function, format, args);
}

void bn_upc_fatal_explained(void (*explain)(void), const char *function, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    end_with(explain, function, format, args);
}

void upc_global_exit(int status)
{
    if (is_of_a_job()) {
        bool is_reported = bn_profile_report_early();
        bn_runtime_close();
        status = (status & 0xff) == 0 && !is_reported ? EXIT_FAILURE : status;
    }
    bn_upc_end_job(status);
}
