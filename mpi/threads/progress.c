#include "threads/progress.h"

#include "base/log.h"
#include "platform/atomic_word.h"
#include "platform/signals.h"
#include "threads/gate.h"
#include "threads/start.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>

static pthread_t thread;
static uint32_t is_running, is_over;

/* Any call drives the library; there are never messages for this probe. */
void bn_progress_once(void)
{
    int has_come, rank;
    bn_below.Comm_rank(bn_threads_messages(), &rank);
    bn_below.Iprobe(rank, 0, bn_threads_messages(), &has_come, MPI_STATUS_IGNORE);
}

static bool look(void *nothing)
{
    (void)nothing;
    bn_progress_once();
    return bn_word_see(&is_over) != 0;
}

static void *drive(void *nothing)
{
    bool is_inside = bn_gate_enter(BN_PATH_PROGRESS); /* joins the arbiter */
    if (is_inside)
        bn_gate_leave();
    bn_gate_await(look, nothing);
    return NULL;
}

/* The thread blocks the signals, which are the program's, except those of faults: if blocked, they end the process
 * without its handlers.  It is not a bn_background, whose small stack may not do for what MPI calls in it. */
void bn_progress_thread_begin(void)
{
    sigset_t all, before;
    bn_signals_fill_without_faults(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&thread, NULL, drive, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    is_running = error == 0;
    if (error != 0)
        bn_log_warning("the progress thread cannot be started: %s", strerror(error));
}

void bn_progress_thread_end(void)
{
    if (!is_running)
        return;
    bn_word_show(&is_over, 1);
    pthread_join(thread, NULL);
    is_running = 0;
}
