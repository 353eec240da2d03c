/* machines.h: the machines of the job of a batch system that upcrun runs in, where its own launcher does not ask. */
#ifndef BN_LAUNCHER_MACHINES_H
#define BN_LAUNCHER_MACHINES_H

#include "base/status.h"

struct launcher_machines {
    char *names;         /* each once, in order, with commas between them; null: in no such job, or on one machine */
    const char *said_by; /* for messages */
};

/*
 * PBS writes them into a file, whose name is in PBS_NODEFILE, LSF into that of LSB_DJOB_HOSTFILE, or with the numbers
 * of processes into LSB_MCPU_HOSTS; Flux tells them by the command `flux hostlist`.  Slurm's are not looked for: Open
 * MPI's launcher asks for them itself.
 *
 * @errors BN_ERR_INVALID, reported: the file cannot be read, or Flux does not tell.
 */
bn_status_t launcher_machines_find(struct launcher_machines *machines);

#endif
