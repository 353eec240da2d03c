#include "host/files.h"

#include <stdio.h>

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
