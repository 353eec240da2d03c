// forbid copies|memfd PROGRAM ARGUMENTS: runs a program that may not access the memory of other processes, as in many
// containers (copies), or may not create anonymous files (memfd).
#include "../../tests/unit/runtime/transport/forbid.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    const bool is_memfd = argc > 2 && strcmp(argv[1], "memfd") == 0;
    if (argc < 3 || (!is_memfd && strcmp(argv[1], "copies") != 0)) {
        fprintf(stderr, "forbid copies|memfd PROGRAM ARGUMENTS\n");
        return 2;
    }
    if (!(is_memfd ? forbid_calls(SYS_memfd_create, SYS_memfd_create, EPERM) : forbid_peer_memory(EPERM))) {
        fprintf(stderr, "forbid: no filter of system calls: %s\n", strerror(errno));
        return 2;
    }
    execvp(argv[2], argv + 2);
    fprintf(stderr, "forbid: %s: %s\n", argv[2], strerror(errno));
    return 127;
}
