#include "front/progress.h"

#include "platform/clock.h"
#include "sync/wait.h"
#include "transport/kernel.h"

/* Polling the library below takes 0.1 to 1 us, and may give up the core to another process as a yield does.  Most waits
 * are over before the first poll is due. */
enum { LOOK_BELOW_NS = 50000 };

/* A barrier in a loop takes 0.1 us, a poll as long, and a loop of barriers only has no messages that need one. */
enum { LOOK_BEHIND_BARRIER_NS = 1000 };

static MPI_Comm quiet; /* never has messages */

static void look_below(void)
{
    int has_come;
    bn_below.Iprobe(MPI_ANY_SOURCE, 0, quiet, &has_come, MPI_STATUS_IGNORE);
}

static void progress(void)
{
    static _Thread_local uint64_t last_look_ns;
    bn_kernel_progress();
    if (bn_clock_ns() - last_look_ns < LOOK_BELOW_NS)
        return;
    look_below();
    last_look_ns = bn_clock_ns();
}

void bn_progress_behind_barrier(void)
{
    static _Thread_local uint64_t last_look;
    uint64_t now = bn_clock_ticks();
    if (bn_clock_ticks_to_known_ns(now - last_look) < LOOK_BEHIND_BARRIER_NS)
        return;
    last_look = now;
    look_below();
}

void bn_progress_begin(MPI_Comm comm)
{
    bn_clock_start(); /* so that clocks are comparable when that is needed */
    quiet = comm;
    bn_wait_bed = bn_kernel_bed();
    bn_wait_progress = progress;
}

void bn_progress_end(void)
{
    bn_wait_progress = NULL;
}
