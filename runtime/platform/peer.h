/* peer.h: private memory of other processes, copied by the kernel (process_vm_readv, process_vm_writev). */
#ifndef BN_PLATFORM_PEER_H
#define BN_PLATFORM_PEER_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Lets all processes of the same user access the memory of this one, on systems that require this (Yama's ptrace_scope
 * 1).
 */
void bn_peer_allow(void);

/**
 * Copies size_bytes from an address in another process to dst.
 *
 * @return 0, or the errno with which the system refused: EPERM, ENOSYS, ESRCH, EFAULT.  Some of the bytes may then have
 * been copied.
 * @cost A system call for each 2 GiB, and 0.1 us for each page
 */
int bn_peer_read(pid_t process, void *dst, uint64_t address, size_t size_bytes);

/** The same from src to an address in another process. */
int bn_peer_write(pid_t process, uint64_t address, const void *src, size_t size_bytes);

#ifdef __cplusplus
}
#endif

#endif
