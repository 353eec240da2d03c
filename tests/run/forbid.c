// forbid CALLS PROGRAM ARGUMENTS: runs a program to which the system refuses some calls, as in many containers.
#include "../unit/runtime/transport/forbid.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *name;
    unsigned first, second;
} calls[] = {
    {"copies", SYS_process_vm_readv, SYS_process_vm_writev}, // to and from the memory of other processes
    {"ftruncate", SYS_ftruncate, SYS_ftruncate},
    {"madvise", SYS_madvise, SYS_madvise},
    {"memfd_create", SYS_memfd_create, SYS_memfd_create},
    {"prctl", SYS_prctl, SYS_prctl},
    {"prlimit64", SYS_prlimit64, SYS_prlimit64},
    {"recvmsg", SYS_recvmsg, SYS_recvmsg},
    {"sched_setaffinity", SYS_sched_setaffinity, SYS_sched_setaffinity},
    {"setsockopt", SYS_setsockopt, SYS_setsockopt},
    {"signalfd4", SYS_signalfd4, SYS_signalfd4},
    {"socketpair", SYS_socketpair, SYS_socketpair},
};
enum { COUNT = sizeof calls / sizeof calls[0], NO_FILTER = 77 };

int main(int argc, char **argv)
{
    int i = 0;
    while (i < COUNT && argc > 2 && strcmp(argv[1], calls[i].name) != 0)
        i++;
    if (argc < 3 || i == COUNT) {
        fprintf(stderr, "forbid CALLS PROGRAM ARGUMENTS; CALLS is one of");
        for (i = 0; i < COUNT; i++)
            fprintf(stderr, " %s", calls[i].name);
        fprintf(stderr, "\n");
        return 2;
    }
    if (!forbid_calls(calls[i].first, calls[i].second, EPERM)) {
        fprintf(stderr, "forbid: no filter of system calls: %s\n", strerror(errno));
        return NO_FILTER;
    }
    execvp(argv[2], argv + 2);
    fprintf(stderr, "forbid: %s: %s\n", argv[2], strerror(errno));
    return 127;
}
