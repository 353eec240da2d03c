/*
 * ranks.h: the processes that an MPI launcher has started, which become the threads of one job.
 *
 * mpirun starts N processes and gives each of them, in its environment, its rank and the way to reach mpirun.  Threads,
 * however, are forked from one process.  So the process of rank 0 collects the environments of the others, and the
 * thread that it forks for rank r takes over that of rank r: to the launcher it looks like a program that the process
 * of that rank has started, as from a script.  The other processes stand by until the job is over.
 *
 *     rank 0                                        rank r
 *     ------                                        ------
 *     listens on an abstract UNIX socket            connects; sends environment, processors, file of the launcher
 *     bn_ranks_gather returns                       waits for a status
 *     forks threads; each: bn_ranks_become
 *     bn_ranks_dismiss(status)                      exits with it; or with 1 if the connection ends without one
 *
 * So a launcher learns the status of the job from whichever process it looks at first.
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

/* What makes a process the one of a rank */
struct bn_rank {
    char **environment;      /* ends with null; the process's own for rank 0 */
    struct bn_pu_set usable; /* where the launcher lets it run */
    int launcher_file;       /* descriptor by which it talks to the launcher (MPICH: PMI_FD); -1 for none */
    int connection;          /* to its process that stands by; -1 for rank 0 */
};

struct bn_ranks {
    int count; /* 0 if no launcher has started this process */
    struct bn_rank *ranks;
};

/*
 * Returns in a process that no launcher has started (count 0), and in that of rank 0, when all others stand by; this
 * process may then run wherever one of them may.  In the others it does not return: they exit as bn_ranks_dismiss says.
 *
 * @pre    Nothing of MPI was called; the process has no other POSIX threads.
 * @errors Reported: the ranks are spread over several machines, or do not all run this program (after 60 s).
 */
bn_status_t bn_ranks_gather(struct bn_ranks *ranks_p);

/* Gives the calling process, thread number `rank` of the job, the environment, processors and files of that rank.  Does
 * nothing if there are no ranks. */
void bn_ranks_become(const struct bn_ranks *ranks, int rank);

/* Ends the processes that stand by with the exit status of the job.  Called once, by the process of rank 0 before it
 * exits. */
void bn_ranks_dismiss(const struct bn_ranks *ranks, int status);

#ifdef __cplusplus
}
#endif

#endif
