#include "platform/futex.h"

#include <errno.h>
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { NS_PER_S = 1000000000 };

/* The words lie in memory that processes share, so the private variants of the calls would not find the sleepers. */

void bn_futex_wait(uint32_t *word, uint32_t expected, int64_t timeout_ns)
{
    int saved_errno = errno;
    struct timespec timeout = {.tv_sec = timeout_ns / NS_PER_S, .tv_nsec = timeout_ns % NS_PER_S};
    syscall(SYS_futex, word, FUTEX_WAIT, expected, timeout_ns < 0 ? NULL : &timeout, NULL, 0);
    errno = saved_errno;
}

void bn_futex_wake(uint32_t *word, int count)
{
    int saved_errno = errno;
    syscall(SYS_futex, word, FUTEX_WAKE, count, NULL, NULL, 0);
    errno = saved_errno;
}
