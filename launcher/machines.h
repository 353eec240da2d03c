/* machines.h: the machines of the batch job in which upcrun runs, for batch systems that Open MPI's launcher does not
 * query itself. */
#ifndef BN_LAUNCHER_MACHINES_H
#define BN_LAUNCHER_MACHINES_H

#include "base/status.h"

struct launcher_machines {
    char *names;         /* each once, in order, separated by commas; null: not in such a job, or on one machine */
    const char *said_by; /* where the names come from, for messages */
};

/*
 * PBS writes them into the file named by PBS_NODEFILE, LSF into the file named by LSB_DJOB_HOSTFILE, or with process
 * counts into LSB_MCPU_HOSTS; Flux lists them by the command `flux hostlist`.  Slurm is not handled, because Open MPI's
 * launcher queries it itself.
 *
 * @errors BN_ERR_INVALID, reported: the file cannot be read, or Flux gives no answer.  BN_ERR_MEMORY, reported.
 */
bn_status_t launcher_machines_find(struct launcher_machines *machines);

#endif
