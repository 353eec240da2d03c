#include "boot/job.h"

#include "base/log.h"
#include "banyan/per_thread.h"
#include "platform/atomic_word.h"
#include "platform/process.h"

#include <sys/mman.h>
#include <unistd.h>

/* Necessarily process-wide: the job and the thread of this process. */
static struct bn_job *job;
static BN_PER_THREAD int own_thread = -1;
static uint32_t own_process;        /* several threads store the same value */
static void (*claim_end)(void);     /* null if there is a monitor */
static void (*end_job)(int status); /* null if the monitor ends the job */

bn_status_t bn_job_create(int thread_count)
{
    size_t bytes = sizeof *job + (size_t)thread_count * sizeof job->threads[0];
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        bn_log_error("no memory for the control block of %d threads; free memory or raise the limits of this shell "
                     "(ulimit -v)",
                     thread_count);
        return BN_ERR_MEMORY;
    }
    job = memory;
    job->thread_count = thread_count;
    job->monitor = getpid();
    return BN_OK;
}

struct bn_job *bn_job(void)
{
    return job;
}

void bn_job_attach(int thread)
{
    own_thread = thread;
    bn_word_set(&own_process, (uint32_t)getpid());
}

int bn_job_thread(void)
{
    return own_thread >= 0 && !bn_job_is_forked() ? own_thread : -1;
}

void bn_job_note_lines(bool has_buffer)
{
    int thread = bn_job_thread();
    if (thread >= 0)
        bn_word_show(&bn_job()->threads[thread].prints_lines, has_buffer);
}

bool bn_job_is_forked(void)
{
    uint32_t process = bn_word_get(&own_process);
    return process != 0 && process != (uint32_t)getpid();
}

void bn_job_finish(void)
{
    bn_word_show(&job->threads[own_thread].has_finished, 1);
}

bool bn_job_claim_end(int status)
{
    if (claim_end) {
        claim_end();
        return true;
    }
    uint32_t none = 0;
    uint32_t claim = 256U + ((uint32_t)status & 0xffU);
    return bn_word_change(&job->end_status, &none, claim);
}

bool bn_job_is_ended(int *status_p)
{
    uint32_t claim = bn_word_see(&job->end_status);
    if (claim == 0)
        return false;
    *status_p = (int)(claim & 0xffU);
    return true;
}

void bn_job_end_by(void (*claim)(void), void (*end)(int status))
{
    claim_end = claim;
    end_job = end;
}

void bn_job_leave(int status, bool is_first)
{
    if (end_job)
        end_job(status & 0xff);
    while (!is_first && job->thread_count > 1)
        pause();
    bn_process_end_at_once(status & 0xff);
}
