#include "machines.h"

#include "base/log.h"
#include "platform/signals.h"

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

/* Appends a name unless it is in the list.  Returns false if there is no memory. */
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

/* Appends the names in a text, separated by blanks or commas; numbers after a name are skipped.  Returns false if there
 * is no memory. */
static bool add_names(char **names, char *text)
{
    char *rest = NULL;
    bool is_added = true;
    for (char *name = strtok_r(text, " ,\t\n", &rest); name && is_added; name = strtok_r(NULL, " ,\t\n", &rest))
        is_added = name[strspn(name, "0123456789")] == '\0' || add_name(names, name);
    return is_added;
}

/* Null, with errno set: no memory, or an error of reading */
static char *read_names(FILE *file)
{
    char *names = calloc(1, 1), *line = NULL;
    size_t bytes = 0;
    bool is_read = names != NULL;
    while (is_read && getline(&line, &bytes, file) >= 0)
        is_read = add_names(&names, line);
    free(line);
    if (!is_read || !feof(file)) {
        free(names);
        return NULL;
    }
    return names;
}

/* variable: the variable that named the file */
static bn_status_t ask_file(const char *variable, const char *path, char **names_p)
{
    FILE *file = fopen(path, "re");
    *names_p = file ? read_names(file) : NULL;
    if (!*names_p)
        bn_log_error("%s: %s cannot be read: %s; name the machines with -hosts", variable, path, strerror(errno));
    if (file)
        fclose(file);
    return *names_p ? BN_OK : BN_ERR_INVALID;
}

/* variable: the variable that holds the text */
static bn_status_t split_names(const char *variable, const char *text, char **names_p)
{
    char *names = calloc(1, 1), *copy = strdup(text);
    bool is_split = names && copy && add_names(&names, copy);
    free(copy);
    if (is_split) {
        *names_p = names;
        return BN_OK;
    }
    free(names);
    bn_log_error("there is no memory for the names of machines in %s", variable);
    return BN_ERR_MEMORY;
}

static bn_status_t ask_flux(char **names_p)
{
    bn_signals_expect_children();
    FILE *answer = popen("exec flux hostlist --expand --delimiter=, local", "re");
    *names_p = answer ? read_names(answer) : NULL;
    int status = answer ? pclose(answer) : -1;
    if (status == 0 && *names_p && **names_p != '\0')
        return BN_OK;
    bn_log_error("this is a job of Flux (FLUX_URI), but `flux hostlist local` does not list its machines; name them "
                 "with -hosts");
    return BN_ERR_INVALID;
}

/* The first of the variables that is set; null if none is */
static const char *find_set(const char *const *variables, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (getenv(variables[i]))
            return variables[i];
    }
    return NULL;
}

bn_status_t launcher_machines_find(struct launcher_machines *machines)
{
    static const char *const files[] = {"PBS_NODEFILE", "LSB_DJOB_HOSTFILE"};
    static const char *const lists[] = {"LSB_MCPU_HOSTS", "LSB_HOSTS"};
    const char *file = find_set(files, sizeof files / sizeof files[0]);
    const char *list = find_set(lists, sizeof lists / sizeof lists[0]);
    bn_status_t status = BN_OK;
    *machines = (struct launcher_machines){NULL, NULL};
    if (file) {
        machines->said_by = file;
        status = ask_file(file, getenv(file), &machines->names);
    } else if (list) {
        machines->said_by = list;
        status = split_names(list, getenv(list), &machines->names);
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
