// forbid PROGRAM ARGUMENTS: runs a program that may not reach memory of other processes, as in many containers.
#include "../../tests/unit/runtime/transport/forbid.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "forbid: no program is given\n");
        return 2;
    }
    if (!forbid_peer_memory(EPERM)) {
        fprintf(stderr, "forbid: no filter of system calls: %s\n", strerror(errno));
        return 2;
    }
    execvp(argv[1], argv + 1);
    fprintf(stderr, "forbid: %s: %s\n", argv[1], strerror(errno));
    return 127;
}
