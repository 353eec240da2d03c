#include "front/progress.h"

#include "sync/wait.h"
#include "transport/kernel.h"

/* Looks at the library below take 0.1 to 1 us, as does a yield, so they come less often. */
enum { CALLS_PER_LOOK_BELOW = 8 };

static MPI_Comm quiet; /* on which there are no messages */

static void progress(void)
{
    static _Thread_local unsigned calls;
    int has_come;
    bn_kernel_progress();
    if (calls++ % CALLS_PER_LOOK_BELOW == 0)
        below.Iprobe(MPI_ANY_SOURCE, 0, quiet, &has_come, MPI_STATUS_IGNORE);
}

void bn_progress_begin(MPI_Comm comm)
{
    quiet = comm;
    bn_wait_bed = bn_kernel_bed();
    bn_wait_progress = progress;
}

void bn_progress_end(void)
{
    bn_wait_progress = NULL;
}
