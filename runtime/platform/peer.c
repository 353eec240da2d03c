#include "platform/peer.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/uio.h>

void bn_peer_allow(void)
{
#ifdef PR_SET_PTRACER
    int saved_errno = errno;
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0); /* fails without Yama, where it is not needed */
    errno = saved_errno;
#endif
}

/* A call may stop early: at 2 GiB, at a signal, and before a page that does not exist. */
static int move(pid_t process, unsigned char *here, uint64_t there, size_t size_bytes, bool is_write)
{
    int saved_errno = errno;
    int error = 0;
    while (size_bytes > 0 && error == 0) {
        const struct iovec local = {here, size_bytes};
        const struct iovec remote = {(void *)there, size_bytes};
        ssize_t moved = is_write ? process_vm_writev(process, &local, 1, &remote, 1, 0)
                                 : process_vm_readv(process, &local, 1, &remote, 1, 0);
        if (moved > 0) {
            here += moved;
            there += (uint64_t)moved;
            size_bytes -= (size_t)moved;
        } else {
            error = moved == 0 ? EFAULT : errno;
        }
    }
    errno = saved_errno;
    return error;
}

int bn_peer_read(pid_t process, void *dst, uint64_t address, size_t size_bytes)
{
    return move(process, dst, address, size_bytes, false);
}

int bn_peer_write(pid_t process, uint64_t address, const void *src, size_t size_bytes)
{
    return move(process, (unsigned char *)(uintptr_t)src, address, size_bytes, true);
}
