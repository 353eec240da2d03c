#include "team/launch.h"

#include "base/options.h"
#include "base/parse.h"
#include "team/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The variables in which launchers tell a process its rank; `launch` names the launch if there is such a variable,
 * otherwise the parent process does.  Flux is listed before PMI, which it also supports but which does not tell the
 * number of machines. */
static const struct launcher {
    const char *rank, *size, *local_size, *machines, *launch;
} launchers[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE", NULL, "PMIX_NAMESPACE"},
    {"FLUX_TASK_RANK", "FLUX_JOB_SIZE", NULL, "FLUX_JOB_NNODES", "FLUX_JOB_ID"},
    {"PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS", NULL, NULL},
    {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", NULL, "SLURM_STEP_NUM_NODES", NULL},
};

static int number_of(const char *name, int fallback)
{
    const char *text = name ? getenv(name) : NULL;
    int64_t number;
    return text && bn_parse_int(text, &number) && number >= 0 && number <= INT32_MAX ? (int)number : fallback;
}

/* upcrun's variable: NAME:RANK:SIZE */
static banyan_status take_from_upcrun(const char *text, struct bn_launch *launch)
{
    char after;
    if (sscanf(text, "%63[^:]:%d:%d%c", launch->name, &launch->rank, &launch->size, &after) == 3)
        return BANYAN_OK;
    return bn_error(BANYAN_ARGUMENT, "BANYAN_TEAM=%s: the form is NAME:RANK:SIZE; upcrun sets this variable", text);
}

banyan_status bn_launch_find(struct bn_launch *launch)
{
    const char *text = bn_option(BN_OPTION_TEAM)->text;
    *launch = (struct bn_launch){"alone", 0, 1};
    if (text)
        return take_from_upcrun(text, launch);
    for (size_t i = 0; i < sizeof launchers / sizeof launchers[0]; i++) {
        const struct launcher *from = &launchers[i];
        int rank = number_of(from->rank, -1), size = number_of(from->size, 0);
        const char *name = from->launch ? getenv(from->launch) : NULL;
        if (rank < 0 || size <= rank)
            continue;
        if (number_of(from->local_size, size) != size || number_of(from->machines, 1) > 1)
            return bn_error(BANYAN_SYSTEM,
                            "the %d processes of this launch are on several machines; a team must be on one", size);
        launch->rank = rank;
        launch->size = size;
        if (name && strlen(name) < sizeof launch->name - 8)
            snprintf(launch->name, sizeof launch->name, "launch-%s", name);
        else
            snprintf(launch->name, sizeof launch->name, "launch-%d", (int)getppid());
        return BANYAN_OK;
    }
    return BANYAN_OK;
}
