/*
 * sched_yield, in front of the C library's: what an MPI library calls in it that has looked for messages and found none
 * (Open MPI with mpi_yield_when_idle, as mpirun sets it where there are more processes than cores).
 *
 * A thread that the arbiter has let in would give its core away with the arbiter in its hands, and whoever gets the
 * core and wants to come in sleeps.  So the first yield of a stay inside is put off until the thread has left.  Those
 * that follow are made: then the call waits in the library, where nobody else comes in anyway.
 */
#include "threads/gate.h"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

__attribute__((visibility("default"))) int sched_yield(void)
{
    if (bn_gate_self.yields != BN_YIELDS_LATER)
        return (int)syscall(SYS_sched_yield);
    bn_gate_self.yields = BN_YIELDS_IS_DUE;
    return 0;
}
