#include "machines.h"

#include "base/log.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static bool has_name(const char *names, const char *name)
{
    size_t bytes = strlen(name);
    for (const char *at = names; *at != '\0'; at += strcspn(at, ",") + (at[strcspn(at, ",")] == ','))
        if (strcspn(at, ",") == bytes && strncmp(at, name, bytes) == 0)
            return true;
    return false;
}

/* Appends a name that is not there yet.  False: no memory. */
static bool add_name(char **names, const char *name)
{
    size_t used = strlen(*names);
    if (*name == '\0' || has_name(*names, name))
        return true;
    char *more = realloc(*names, used + strlen(name) + 2);
    if (!more)
        return false;
    snprintf(more + used, strlen(name) + 2, "%s%s", used > 0 ? "," : "", name);
    *names = more;
    return true;
}

/* Names in lines, or with blanks or commas between them; null: no memory */
static char *read_names(FILE *file)
{
    char *names = calloc(1, 1), *line = NULL;
    size_t bytes = 0;
    bool is_read = names != NULL;
    while (is_read && getline(&line, &bytes, file) >= 0) {
        char *rest = NULL;
        for (char *name = strtok_r(line, " ,\t\n", &rest); name && is_read; name = strtok_r(NULL, " ,\t\n", &rest))
            is_read = add_name(&names, name);
    }
    free(line);
    if (!is_read) {
        free(names);
        return NULL;
    }
    return names;
}

static bn_status_t ask_pbs(const char *path, char **names_p)
{
    FILE *file = fopen(path, "re");
    if (!file) {
        bn_log_error("PBS_NODEFILE: %s cannot be read: %s; name the machines with -hosts", path, strerror(errno));
        return BN_ERR_INVALID;
    }
    *names_p = read_names(file);
    fclose(file);
    return BN_OK;
}

static bn_status_t ask_flux(char **names_p)
{
    FILE *answer = popen("exec flux hostlist --expand --delimiter=, local", "re");
    *names_p = answer ? read_names(answer) : NULL;
    int status = answer ? pclose(answer) : -1;
    if (status == 0 && *names_p && **names_p != '\0')
        return BN_OK;
    bn_log_error("this job is one of Flux (FLUX_URI), but `flux hostlist local` does not tell its machines; name them "
                 "with -hosts");
    return BN_ERR_INVALID;
}

bn_status_t launcher_machines_find(struct launcher_machines *machines)
{
    const char *nodes = getenv("PBS_NODEFILE");
    bn_status_t status = BN_OK;
    *machines = (struct launcher_machines){NULL, NULL};
    if (nodes) {
        machines->said_by = "PBS_NODEFILE";
        status = ask_pbs(nodes, &machines->names);
    } else if (getenv("FLUX_URI")) {
        machines->said_by = "Flux";
        status = ask_flux(&machines->names);
    }
    if (machines->names && !strchr(machines->names, ',')) {
        free(machines->names);
        machines->names = NULL;
    }
    return status;
}
