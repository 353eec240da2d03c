#include "upc/check/check.h"

#include "base/log.h"
#include "boot/job.h"
#include "upc/check/thread.h"
#include "upc/context.h"
#include "upc/fatal.h"
#include "upc/watched.h"

#include <stdlib.h>

bool bn_check_is_on;

bool bn_upc_is_watched;

BN_PER_THREAD struct bn_check_place bn_check_here;

void bn_check_register(void)
{
    if (!bn_check_is_on && bn_job())
        bn_upc_fatal("dlopen", "a library compiled with -fcheck was loaded after the start of a program that was "
                               "compiled without; compile both alike");
    bn_check_is_on = true;
    bn_upc_is_watched = true;
}

bn_status_t bn_check_thread_create(void)
{
    bn_context.check = calloc(1, sizeof *bn_context.check);
    if (bn_context.check)
        return BN_OK;
    bn_log_error("out of memory at start; run fewer threads");
    return BN_ERR_MEMORY;
}

bn_status_t bn_check_create(void)
{
    bn_status_t status = bn_check_thread_create();
    if (status == BN_OK)
        status = bn_check_memory_create();
    if (status == BN_OK)
        status = bn_check_heap_create();
    return status == BN_OK ? bn_check_board_create() : status;
}

void bn_check_forall_done(void)
{
    if (bn_check_is_on && bn_forall_depth != 0)
        bn_upc_fatal(NULL,
                     "a upc_forall was left by a computed goto, by a goto out of a nested function, or by longjmp "
                     "to C code, so that later ones did not divide their iterations among the threads; let the "
                     "loop end on all threads");
}

void bn_check_finish(void)
{
    bn_check_handles_done();
    bn_check_end();
}
