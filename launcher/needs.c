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

/* What Open MPI 4.1 needs.  With fewer, it misses a network, fails without a word that is of use, or says what it lacks
 * (notices.c), but may hang. */
enum { FILES_OF_LAUNCHER = 28, FILES_OF_PROCESS = 4 };

static bn_status_t check_folder(void)
{
    char *folder = getcwd(NULL, 0);
    bool is_deleted = !folder && errno == ENOENT;
    free(folder);
    if (is_deleted)
        bn_log_error("the working folder has been deleted; cd to another one");
    return is_deleted ? BN_ERR_SYSTEM : BN_OK;
}

/* Raises the limit as far as needed. */
static bn_status_t check_files(const struct launcher_command *command, const struct launcher_program *program)
{
    int processes = launcher_places_are_here(command) ? launcher_process_count(command, program) : 0;
    rlim_t needed = (rlim_t)FILES_OF_LAUNCHER + (rlim_t)FILES_OF_PROCESS * (rlim_t)processes;
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= needed)
        return BN_OK;
    if (limit.rlim_max >= needed) {
        limit.rlim_cur = needed;
        if (setrlimit(RLIMIT_NOFILE, &limit) == 0)
            return BN_OK;
    }
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
        status = check_files(command, program);
    return status == BN_OK ? check_address_space(command, program) : status;
}
