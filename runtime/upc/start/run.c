/* run.c: runs main, if each thread is a process. */
#include "boot/job.h"
#include "upc/check/check.h"
#include "upc/start/extern.h"
#include "upc/start/launch.h"
#include "upc/start/start.h"

extern char **environ;

int bn_upc_run(int argc, char **argv, int (*program)(int argc, char **argv, char **environment))
{
    BN_OWN(bupc_init)(&argc, &argv);
    bn_job_note_lines(bn_launch_gives_lines());
    int status = program(argc, argv, environ);
    bn_check_forall_done();
    return status;
}
