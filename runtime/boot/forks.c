#include "boot/forks.h"

#include "boot/orphans.h"
#include "platform/atomic_word.h"
#include "platform/futex.h"
#include "platform/process.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* How often a process that is not yet adopted checks whether it still will be */
static const int64_t LOOK_NS = INT64_C(200000000);

/* Shared memory in which the forking processes report to the monitor */
struct plan {
    pid_t monitor;
    uint32_t is_adopted; /* set when the processes of all helpers are adopted */
    int error;           /* why a fork failed; if several did, that of any */
    pid_t names[];
};

/* Forks the processes begin .. end - 1.  Returns in each of them, and BN_FORKS_PARENT in the caller. */
static int make_part(struct plan *plan, int begin, int end)
{
    for (int process = begin; process < end; ++process) {
        pid_t name = fork();
        if (name == 0) {
            plan->names[process] = getpid(); /* in the child, because its parent may die before storing it */
            return process;
        }
        if (name < 0) {
            plan->error = errno;
            break;
        }
        plan->names[process] = name;
    }
    return BN_FORKS_PARENT;
}

/* Returns when the calling process is a child of the monitor; exits if it never will be. */
static void wait_for_adoption(struct plan *plan, pid_t helper)
{
    while (!bn_word_see(&plan->is_adopted)) {
        pid_t parent = getppid();
        if (parent != helper && parent != plan->monitor)
            _exit(128 + SIGKILL);
        bn_futex_wait(&plan->is_adopted, 0, LOOK_NS);
    }
}

/* A helper: forks a part and exits.  Returns in the processes that it has made. */
static int help(struct plan *plan, int begin, int end)
{
    pid_t helper = getpid();
    bn_process_die_with(plan->monitor);
    int process = make_part(plan, begin, end);
    if (process == BN_FORKS_PARENT)
        _exit(EXIT_SUCCESS);
    wait_for_adoption(plan, helper);
    return process;
}

/* Waits until a helper has exited.  A helper that was killed may have left unknown processes. */
static void see_off(struct plan *plan, pid_t helper)
{
    int status = 0;
    while (waitpid(helper, &status, 0) < 0 && errno == EINTR)
        continue;
    if (status != 0)
        plan->error = ECHILD;
}

/* Forks with `makers` processes, including the caller; with the caller alone if it may not adopt. */
static int make_by_several(struct plan *plan, int count, int makers)
{
    pid_t helpers[BN_FORKS_MAKERS_MAX] = {0};
    int own_end = count / makers;
    if (!bn_orphans_adopt())
        return make_part(plan, 0, count);
    for (int i = 1; i < makers && plan->error == 0; ++i) {
        helpers[i] = fork();
        if (helpers[i] == 0)
            return help(plan, (int)((long)count * i / makers), (int)((long)count * (i + 1) / makers));
        if (helpers[i] < 0)
            plan->error = errno;
    }
    int process = plan->error == 0 ? make_part(plan, 0, own_end) : BN_FORKS_PARENT;
    if (process != BN_FORKS_PARENT)
        return process;
    for (int i = 1; i < makers; ++i) {
        if (helpers[i] > 0)
            see_off(plan, helpers[i]);
    }
    bn_word_show(&plan->is_adopted, 1);
    bn_futex_wake(&plan->is_adopted, INT_MAX);
    return BN_FORKS_PARENT;
}

int bn_forks_make(pid_t *names, int count, int cores, int *error_p)
{
    size_t bytes = sizeof(struct plan) + (size_t)count * sizeof names[0];
    struct plan *plan = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (plan == MAP_FAILED) {
        *error_p = errno;
        return BN_FORKS_PARENT;
    }
    plan->monitor = getpid();
    int makers = count / BN_FORKS_EACH_MIN;
    makers = makers < cores ? makers : cores;
    makers = makers < BN_FORKS_MAKERS_MAX ? makers : BN_FORKS_MAKERS_MAX;
    int process = makers > 1 ? make_by_several(plan, count, makers) : make_part(plan, 0, count);
    if (process == BN_FORKS_PARENT) {
        memcpy(names, plan->names, (size_t)count * sizeof names[0]);
        *error_p = plan->error;
    }
    munmap(plan, bytes);
    return process;
}
