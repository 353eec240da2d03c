/*
 * forks.h: makes the processes of a job, several at once where there are many.
 *
 * A fork copies the mappings of the window, two for each thread, so n threads cost n^2 copies, on one core if one
 * process forks them all.  From BN_FORKS_EACH_MIN processes on it has helpers, each of which forks a part:
 *
 *     monitor                        helper                         its processes
 *     -------                        ------                         -------------
 *     adopts orphans (orphans.h)
 *     forks the helpers              forks its part, exits          sleep
 *     forks its own part
 *     waits for each helper          (its processes are now the monitor's children)
 *     wakes them                                                    go on as children of the monitor
 *
 * So everybody is a child of the monitor, which learns how each ends, also of those that end before it has adopted
 * them. A process must not be bound to the life of its parent (PR_SET_PDEATHSIG) before, since the helper leaves; until
 * then it looks now and then whether its helper, or else the monitor, is still its parent.
 */
#ifndef BN_BOOT_FORKS_H
#define BN_BOOT_FORKS_H

#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where one more process that forks begins to pay: docs/tuning/memory.md */
enum { BN_FORKS_EACH_MIN = 96, BN_FORKS_MAKERS_MAX = 8 };

enum { BN_FORKS_PARENT = -1 };

/*
 * Forks count processes.  Returns in each of them, with its number from 0, and in the caller with BN_FORKS_PARENT;
 * names has then their process ids, 0 where none could be made, in which case *error_p is the reason: an errno, or
 * ECHILD if a helper was killed; else it is 0.
 *
 * @param cores  how many processes may fork at the same time, this one included
 * @pre   The process has no other POSIX threads, and SIGCHLD is blocked.
 */
int bn_forks_make(pid_t *names, int count, int cores, int *error_p);

#ifdef __cplusplus
}
#endif

#endif
