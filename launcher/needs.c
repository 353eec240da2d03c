#include "needs.h"

#include "banyan/access.h"
#include "base/log.h"
#include "notices.h"
#include "places.h"
#include "platform/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

/* With fewer, Open MPI 4.1 misses a network or fails without a word that is of use; with more, it says itself what it
 * lacks (notices.c).  It needs some 28, and 4 more for each process. */
enum { FILES_LEAST = 24 };

static bn_status_t check_folder(void)
{
    char *folder = getcwd(NULL, 0);
    bool is_deleted = !folder && errno == ENOENT;
    free(folder);
    if (is_deleted)
        bn_log_error("the working folder has been deleted; cd to another one");
    return is_deleted ? BN_ERR_SYSTEM : BN_OK;
}

static bn_status_t check_files(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= FILES_LEAST)
        return BN_OK;
    bn_log_error("%s", launcher_files_remedy);
    return BN_ERR_LIMIT;
}

/* The library crashes where a limit of a process is too low for it, and a thread reserves the space for all only after
 * it has started the library. */
static bn_status_t check_address_space(const struct launcher_command *command, const struct launcher_program *program)
{
    if (!launcher_places_are_here(command))
        return BN_OK;
    return bn_memory_check_limit(bn_stride((uint64_t)launcher_thread_count(command, program)));
}

bn_status_t launcher_check_needs(const struct launcher_command *command, const struct launcher_program *program)
{
    bn_status_t status = check_folder();
    if (status == BN_OK)
        status = check_files();
    return status == BN_OK ? check_address_space(command, program) : status;
}
