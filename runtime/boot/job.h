/*
 * job.h: the control block through which the monitor and the threads of a job communicate while it runs.
 *
 * The control block lies in memory that they share: it is created before the threads are forked, has no name and
 * vanishes with the last process.  A thread writes only its own entry; the monitor reads the entry after the thread has
 * died, or when a flag says that it is complete.
 *
 * A job of one thread without a monitor also has a control block.
 */
#ifndef BN_BOOT_JOB_H
#define BN_BOOT_JOB_H

#include "base/status.h"
#include "platform/context.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { BN_CRASH_FRAME_MAX = 32 };

/* How a thread died of a signal, as its own handler saw it */
struct bn_crash {
    /* 1 for the first thread of the job that crashed, and so on; 0: none.  Written after all others except the frames
     * beyond the first: searching for those may fault, and the process may be killed meanwhile. */
    uint32_t order;
    int signal;
    bool has_address; /* the signal is about a memory access */
    bool is_stack_overflow;
    uintptr_t address;
    enum bn_access access;
    int frame_count;
    uintptr_t frames[BN_CRASH_FRAME_MAX]; /* innermost first */
};

struct bn_job_thread {
    uint32_t has_finished; /* passed the final barrier, and so may exit with any status */
    uint32_t prints_lines; /* its standard output is line-buffered (bn_job_note_lines) */
    struct bn_crash crash;
};

struct bn_job {
    int thread_count;
    pid_t monitor;       /* process id of the monitor; of the only thread if there is no monitor */
    uint32_t end_status; /* 0, or 256 + the status with which some thread ended the whole job */
    uint32_t crash_count;
    struct bn_job_thread threads[];
};

/* Makes the control block of this job.  Called once, before threads are forked. @errors BN_ERR_MEMORY, reported. */
bn_status_t bn_job_create(int thread_count);

/* The control block of this process's job; null before bn_job_create. */
struct bn_job *bn_job(void);

/* Makes the calling process this thread; called once, after fork. */
void bn_job_attach(int thread);

/* The number of the calling process's thread; -1 in the monitor and in processes that a thread has forked. */
int bn_job_thread(void);

/* Records whether the calling thread's standard output is line-buffered, so that output that ends within a line must
 * have been flushed on purpose.  Initially no thread's is assumed to be.  Does nothing in a process that is not a
 * thread. */
void bn_job_note_lines(bool has_buffer);

/* Whether the calling process was forked by a thread and so is not part of the job. */
bool bn_job_is_forked(void);

/* Records that the calling thread has passed the final barrier. */
void bn_job_finish(void);

/*
 * Records that the calling thread ends the whole job, with the lower 8 bits of status.  Returns true for the first
 * thread that does so; only that one may report why.
 */
bool bn_job_claim_end(int status);

/* Whether some thread has ended the whole job, and then its status */
bool bn_job_is_ended(int *status_p);

/*
 * From now on bn_job_claim_end calls claim, which returns in only one thread, and bn_job_leave ends the job by calling
 * end with the status instead of ending the process: for jobs whose processes have a launcher instead of a monitor.
 */
void bn_job_end_by(void (*claim)(void), void (*end)(int status));

/*
 * Ends the calling process after bn_job_claim_end: with the status if it was the first, otherwise by waiting for the
 * monitor to kill it.  Nothing is flushed.
 */
__attribute__((noreturn)) void bn_job_leave(int status, bool is_first);

#endif
