/*
 * forked.c: processes that a thread forks take no part in its barriers and collectives, where they would count as the
 * thread, or wait for ever.
 *
 * They find themselves between a notify and a wait, where neither may be called; so the thread pays nothing.
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
        bn_upc_fatal(function, "a process that a thread has forked is no thread; let it end, or become another program "
                               "(exec)");
}
