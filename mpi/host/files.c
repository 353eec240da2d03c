#include "host/files.h"

#include "base/draft.h"

static int spawned; /* the id of the job's first process; 0: not spawned */

void bn_files_of_spawned(int first_process)
{
    spawned = first_process;
}

void bn_files_name(char name[PATH_MAX], const char *wished)
{
    if (spawned)
        snprintf(name, PATH_MAX, "%s.%d", wished, spawned);
    else
        snprintf(name, PATH_MAX, "%s", wished);
}

bool bn_files_write(const char *name, void (*write)(FILE *file, const void *context), const void *context)
{
    struct bn_draft draft;
    if (!bn_draft_begin(&draft, name))
        return false;
    write(draft.file, context);
    return bn_draft_end(&draft);
}
