/*
 * forks.h: forks the processes of a job, several at once if there are many.
 *
 * A fork copies the mappings of the window, two for each thread, so n threads cost n^2 copies, all on one core if one
 * process forks them all.  With BN_FORKS_EACH_MIN or more processes the monitor has helpers, each of which forks a
 * part:
 *
 *     monitor                        helper                         its processes
 *     -------                        ------                         -------------
 *     adopts orphans (orphans.h)
 *     forks the helpers              forks its part, exits          sleep
 *     forks its own part
 *     waits for each helper          (its processes are now the monitor's children)
 *     wakes them                                                    continue as children of the monitor
 *
 * So every process is a child of the monitor, which learns how each one ends, even those that end before it has adopted
 * them.  Before the adoption a process must not be bound to the life of its parent (PR_SET_PDEATHSIG), since the helper
 * exits; until then it checks periodically whether its parent is still the helper or the monitor.
 */
#ifndef BN_BOOT_FORKS_H
#define BN_BOOT_FORKS_H

#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The number of processes from which an additional forking process pays off: docs/tuning/memory.md */
enum { BN_FORKS_EACH_MIN = 96, BN_FORKS_MAKERS_MAX = 8 };

enum { BN_FORKS_PARENT = -1 };

/*
 * Forks count processes.  Returns in each of them, with its number from 0, and in the caller with BN_FORKS_PARENT;
 * names then holds their process ids.  If some could not be made, their ids are 0 and *error_p is the reason: an errno,
 * or ECHILD if a helper was killed; otherwise it is 0.
 *
 * @param cores  how many processes may fork at the same time, this one included
 * @pre   The process has no other POSIX threads, and SIGCHLD is blocked.
 */
int bn_forks_make(pid_t *names, int count, int cores, int *error_p);

#ifdef __cplusplus
}
#endif

#endif
