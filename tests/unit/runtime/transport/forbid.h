// forbid.h: a process that may not use some system calls from now on, as in many containers.  For C and C++:
// tests/run/forbid.c uses it, too.
#pragma once

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

// Two system calls, which may be the same, fail with `error`; false if the system has no seccomp.
static inline bool forbid_calls(unsigned first, unsigned second, int error)
{
    const unsigned refusal = SECCOMP_RET_ERRNO | ((unsigned)error & SECCOMP_RET_DATA);
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, first, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, second, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, refusal),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

// Makes memory of other processes inaccessible.
static inline bool forbid_peer_memory(int error)
{
    return forbid_calls(SYS_process_vm_readv, SYS_process_vm_writev, error);
}
