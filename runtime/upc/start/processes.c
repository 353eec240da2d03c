/* processes.c: each thread is a process. */
#include "upc/start/launch.h"

#include "base/log.h"
#include "base/options.h"
#include "boot/job.h"
#include "upc/start/start.h"
#include "upc/start/start_options.h"
#include "upc/start/units.h"

#include <stdlib.h>

const bool bn_launch_forks_each = true;

/* Starts MPI in programs linked with upcc -uses-mpi in which nothing else does; there upcc defines it
 * (compiler/driver/mpi.cc). */
__attribute__((weak)) void (*bn_option_begin_mpi)(int *argc, char ***argv);

/* In a function of on_exit, exit() calls what remains to be called, with the new status. */
static void leave(int status, void *nothing)
{
    (void)nothing;
    int end_status = bn_launch_leave(status);
    if (end_status != status)
        exit(end_status);
}

void bn_upc_start(int *argc, char **argv)
{
    bn_launch_prepare(argc, argv);
    bn_launch_become(bn_launch_processes(1).first);
    on_exit(leave, NULL); /* registered before main, so it runs after all functions that the program registers */
    if (bn_job_thread() == 0 && bn_option_number(BN_OPTION_PTHREADS) > 0)
        bn_log_warning("-pthreads has no effect: this program was compiled without it; each thread is a process");
    bn_units_initialise(bn_units());
    bn_launch_meet();
    if (bn_option_begin_mpi)
        bn_option_begin_mpi(argc, &argv);
}
