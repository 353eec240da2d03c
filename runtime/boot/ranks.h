/*
 * ranks.h: turns the processes that an MPI launcher has started into the threads of one job.
 *
 * mpirun starts N processes and tells each of them, in its environment, its rank and how to reach mpirun.  Threads,
 * however, are forked from one process.  So the process of rank 0 collects the environments of the others, and the
 * thread that it forks for rank r takes over the environment of rank r: to the launcher it looks like a program that
 * the process of that rank has started, as a script would.  The other processes stand by until the job is over.
 *
 *     rank 0                                        rank r
 *     ------                                        ------
 *     listens on an abstract UNIX socket            connects; sends environment, processors, file of the launcher
 *     bn_ranks_gather returns                       waits for a status
 *     forks threads; each: bn_ranks_become
 *     bn_ranks_dismiss(status)                      exits with it, or with 1 if the connection ends first
 *
 * So a launcher learns the status of the job from whichever process it checks first.
 *
 * Known launchers: mpirun and mpiexec of Open MPI, MPICH and Intel MPI, on one machine.
 */
#ifndef BN_BOOT_RANKS_H
#define BN_BOOT_RANKS_H

#include "base/status.h"
#include "platform/cpus.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The properties that make a process that of a rank */
struct bn_rank {
    char **environment;      /* ends with null; the process's own for rank 0 */
    struct bn_pu_set usable; /* where the launcher lets it run */
    int launcher_file;       /* descriptor for talking to the launcher (MPICH: PMI_FD); -1 for none */
    int connection;          /* connection to the rank's process, which stands by; -1 for rank 0 */
};

struct bn_ranks {
    int count; /* 0 if this process was not started by a launcher */
    struct bn_rank *ranks;
};

/*
 * Returns in a process that was not started by a launcher (count 0), and in that of rank 0 once all others stand by;
 * this process may then run on any processor of any of them.  Does not return in the others, which exit as
 * bn_ranks_dismiss tells them.
 *
 * @pre    No MPI function has been called; the process has no other POSIX threads.
 * @errors Reported: the ranks are spread over several machines, or do not all run this program (after 60 s).
 */
bn_status_t bn_ranks_gather(struct bn_ranks *ranks_p);

/* Gives the calling process, thread number `rank` of the job, the environment, processors and files of that rank.  Does
 * nothing if there are no ranks. */
void bn_ranks_become(const struct bn_ranks *ranks, int rank);

/* Makes the processes that stand by exit with the status of the job.  Called once, by the process of rank 0 before it
 * exits. */
void bn_ranks_dismiss(const struct bn_ranks *ranks, int status);

#ifdef __cplusplus
}
#endif

#endif
