#include "platform/pause.h"

#include <errno.h>
#include <sched.h>

void bn_cpu_yield(void)
{
    int saved_errno = errno;
    sched_yield();
    errno = saved_errno;
}
