/*
 * forked.c: keeps processes that a thread forks out of its barriers and collectives, where they would count as the
 * thread, or wait forever.
 *
 * A forked process is put into the state between a notify and a wait, where neither may be called; so the check costs
 * the thread nothing.
 */
#include "boot/job.h"
#include "upc/context.h"
#include "upc/fatal.h"

#include <pthread.h>

static void leave(void)
{
    bn_context.user_member.has_notified = true;
}

static void expect(void)
{
    pthread_atfork(NULL, NULL, leave);
}

void bn_context_expect_forks(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, expect);
}

void bn_context_refuse_forked(const char *function)
{
    if (bn_job_is_forked())
        bn_upc_fatal(function, "a process that a thread has forked is not a UPC thread; let it end, or become another "
                               "program (exec)");
}
