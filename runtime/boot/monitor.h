/*
 * monitor.h: the process that starts the threads of a job and monitors them until the last one has ended.
 *
 * It forwards output and signals, notices when a thread dies, ends the others, reports why, and delivers the exit
 * status:
 *
 *   - all threads passed the final barrier: the status of the lowest thread whose status is not 0, else 0;
 *   - a thread ended the job (upc_global_exit, an error of the runtime): the status it gave, all 8 bits;
 *   - a thread was killed by a signal: 128 + signal;  if the monitor itself received that signal, it dies of it too;
 *   - a thread exited without passing the final barrier: its status, or 1 if that is 0;
 *   - the time limit is reached: 124;  the reader of the output is gone: 141 (SIGPIPE).
 *
 * Threads die with the monitor, however it dies (PR_SET_PDEATHSIG); while a large job is starting, within 0.2 s
 * (forks.h). Processes that threads have started are left to the threads, unless the job ends abnormally (orphans.h).
 */
#ifndef BN_BOOT_MONITOR_H
#define BN_BOOT_MONITOR_H

#include "boot/ranks.h"
#include "boot/report.h"

#include <stdbool.h>

struct bn_monitor_plan {
    int thread_count;
    int threads_each;  /* threads per process; the last process may have fewer */
    int cores;         /* how many processes can run at the same time */
    bool are_programs; /* foreign programs, which need not reach the final barrier; status 0 means success */
    bool has_labels;
    int64_t timeout_ns;           /* 0 for none */
    bn_describe_fn describe;      /* for reports of crashes; may be null */
    const struct bn_ranks *ranks; /* processes that must learn the status of the job; may be null */
};

/*
 * Makes the calling process the monitor of thread_count threads.  Returns in each process, with the number of its first
 * thread, after setting up its standard input and output; returns -1 if the threads cannot be started (reported, and
 * nothing is left running).  Does not return in the monitor, which exits with the status of the job.
 *
 * @pre  bn_job_create; standard I/O is flushed; the process has no other POSIX threads.
 * @cost About 0.2 ms per process; with many processes, less for each further core (forks.h).
 */
int bn_monitor_run(const struct bn_monitor_plan *plan);

#endif
