/*
 * sched_yield, in front of the C library's.  MPI libraries call it when they have polled for messages and found none:
 * Open MPI with mpi_yield_when_idle, which mpirun sets on oversubscribed machines.
 *
 * A thread that the arbiter has let in would give up its core while it holds the arbiter, and any thread that then gets
 * the core and wants to come in would have to sleep.  So the first yield of a stay inside is put off until the thread
 * has left.  Further yields are carried out: then the call waits in the library, and nobody else could come in anyway.
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
