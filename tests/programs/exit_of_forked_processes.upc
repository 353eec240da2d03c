// A process that a thread forks is no thread: however it ends, it ends alone, with a status of its own
// races: no, ThreadSanitizer wants no fork beside other threads
// expect-stderr: static shared data; free only what
// expect-stderr: upc_barrier: a process that a thread has forked is not a UPC thread
// expect-stderr: upc_all_alloc: a process that a thread has forked is not a UPC thread
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <upc.h>
#include "check.h"

static shared int a_static;

static pid_t fork_one(void)
{
    fflush(NULL);
    return fork();
}

static int status_of(pid_t child)
{
    int status = -1;
    EQ(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(void)
{
    pid_t child = fork_one();
    if (child == 0) {
        execlp("no-such-solver", "no-such-solver", (char *)NULL);
        upc_global_exit(127);
    }
    EQ(status_of(child), 127);
    upc_barrier;

    child = fork_one();
    if (child == 0)
        exit(3);
    EQ(status_of(child), 3);
    upc_barrier;

    child = fork_one();
    if (child == 0)
        return 4;
    EQ(status_of(child), 4);
    upc_barrier;

    child = fork_one();
    if (child == 0)
        upc_free((shared void *)&a_static);
    EQ(status_of(child), 1);
    upc_barrier;

    child = fork_one();
    if (child == 0)
        upc_barrier;
    EQ(status_of(child), 1);
    upc_barrier;

    child = fork_one();
    if (child == 0)
        upc_all_alloc(THREADS, 4);
    EQ(status_of(child), 1);
    upc_barrier;
    return finish();
}
