#include "oshrun.h"

#include "base/log.h"
#include "places.h"
#include "words.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <unistd.h>

enum { OWN_WORDS_MAX = 64 };

/* Open MPI's launcher, by a name that no other launcher has; OSHRUN names another one. */
static const char *launcher_name(void)
{
    const char *name = getenv("OSHRUN");
    return name && *name != '\0' ? name : "oshrun";
}

static bool begins_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* Whether to pass a variable on: one for Banyan, UCX or other UPC systems, or one with the prefix that the user has
 * chosen */
static bool is_for_threads(const char *variable)
{
    static const char *const prefixes[] = {"BANYAN_", "UCX_", "UPC_", "GASNET_"};
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        if (begins_with(variable, prefixes[i]))
            return true;
    }
    const char *chosen = getenv("UPC_ENVPREFIX");
    return chosen && *chosen != '\0' && begins_with(variable, chosen);
}

static int name_variable(char **words, int count, char *name)
{
    words[count++] = (char *)"-x";
    words[count++] = name;
    return count;
}

/* The launcher passes the environment only to processes on this machine; others get the variables that are named. */
static int add_user_variables(char **words, int count)
{
    for (char **variable = environ; *variable; variable++) {
        char *name = is_for_threads(*variable) ? strndup(*variable, strcspn(*variable, "=")) : NULL;
        if (name)
            count = name_variable(words, count, name);
    }
    return count;
}

/* Adds variables that are set for this start */
static int add_variables(char **words, int count, const char *variables)
{
    char *names = strdup(variables);
    char *rest = NULL;
    for (char *name = names ? strtok_r(names, ",", &rest) : NULL; name; name = strtok_r(NULL, ",", &rest))
        count = name_variable(words, count, name);
    return count;
}

/* Open MPI's launcher refuses variables named by -x if the user has a list of variables in the environment; the
 * variables named by words from begin on are then added to that list. */
static int join_list(char **words, int begin, int count)
{
    const char *listed = getenv("OMPI_MCA_mca_base_env_list");
    const char *wish = getenv("OMPI_MCA_mca_base_env_list_delimiter");
    char delimiter = wish && *wish != '\0' ? *wish : ';';
    if (!listed)
        return count;
    size_t bytes = strlen(listed) + 1;
    for (int i = begin + 1; i < count; i += 2)
        bytes += strlen(words[i]) + 1;
    char *list = malloc(bytes);
    if (!list)
        return count;
    size_t used = (size_t)snprintf(list, bytes, "%s", listed);
    for (int i = begin + 1; i < count; i += 2) {
        if (used > 0)
            list[used++] = delimiter;
        used += (size_t)snprintf(list + used, bytes - used, "%s", words[i]);
    }
    words[begin] = (char *)"--mca";
    words[begin + 1] = (char *)"mca_base_env_list";
    words[begin + 2] = list;
    return begin + 3;
}

/* Whether a variable is set by Open MPI's launcher for a process of its job, rather than by a user for Open MPI */
static bool is_of_job(const char *variable)
{
    static const char *const told[] = {"PMIX_", "OMPI_MCA_orte_", "OMPI_MCA_ess", "OMPI_MCA_pmix"};
    static const char *const set[] = {"OMPI_MCA_", "OMPI_ALLOW_RUN_AS_ROOT"};
    for (size_t i = 0; i < sizeof told / sizeof told[0]; i++) {
        if (begins_with(variable, told[i]))
            return true;
    }
    for (size_t i = 0; i < sizeof set / sizeof set[0]; i++) {
        if (begins_with(variable, set[i]))
            return false;
    }
    return begins_with(variable, "OMPI_");
}

/* If a thread of another job starts this one, for example by system(), removes the other job's variables; otherwise the
 * launcher would take itself for that thread. */
static void leave_outer_job(void)
{
    if (!getenv("OMPI_COMM_WORLD_RANK"))
        return;
    for (char **variable = environ; *variable;) {
        char *name = is_of_job(*variable) ? strndup(*variable, strcspn(*variable, "=")) : NULL;
        if (!name || unsetenv(name) != 0)
            variable++;
        free(name);
    }
}

/* Makes an unresponsive host count as lost after 40 s instead of some minutes; a link may be down for less. */
static void notice_lost_hosts(void)
{
    setenv("OMPI_MCA_oob_tcp_keepalive_time", "10", 0);
    setenv("OMPI_MCA_oob_tcp_keepalive_intvl", "5", 0);
    setenv("OMPI_MCA_oob_tcp_keepalive_probes", "6", 0);
}

/* With an unlimited stack, Linux loads libraries at and below the address of OpenSHMEM's heap; OpenSHMEM then finds
 * more segments of static data than it supports ("too many segments"). */
static void limit_stack(const struct launcher_command *command)
{
    static const rlim_t most = (rlim_t)4 << 30;
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur <= most)
        return;
    limit.rlim_cur = most;
    if (setrlimit(RLIMIT_STACK, &limit) == 0 && command->options.values[BN_OPTION_VERBOSE].number)
        bn_log_warning("the stack of a thread is limited to 4 GiB, less than ulimit -s: OpenSHMEM would not start "
                       "otherwise");
}

/* The older layout of memory (setarch -L) puts libraries where an unlimited stack does. */
static void choose_layout(void)
{
    int present = personality(0xffffffff);
    if (present != -1 && (present & ADDR_COMPAT_LAYOUT))
        personality((unsigned)present & ~(unsigned)ADDR_COMPAT_LAYOUT);
}

static bool has_registering_network(void)
{
    DIR *cards = opendir("/sys/class/infiniband");
    bool has_one = false;
    for (struct dirent *entry; cards && (entry = readdir(cards)) != NULL;)
        has_one = has_one || entry->d_name[0] != '.';
    if (cards)
        closedir(cards);
    return has_one;
}

/*
 * UCX patches the functions that map memory, to learn when memory registered with a network card is unmapped.  Without
 * such a card this is useless, and with UCX 1.18 on a busy machine a thread hangs there forever in one of 20 starts.
 */
static int leave_memory_functions(char **words, int count)
{
    if (getenv("UCX_MEM_EVENTS") || has_registering_network())
        return count;
    return name_variable(words, count, (char *)"UCX_MEM_EVENTS=no");
}

static size_t count_words(char *const *words)
{
    size_t count = 0;
    while (words[count])
        count++;
    return count;
}

/* Whether the launcher interprets a word anywhere on its command line: ":" separates programs, and -mca and the like
 * set parameters of Open MPI. */
static bool is_read_anywhere(const char *word)
{
    size_t bytes = strlen(word);
    return strcmp(word, ":") == 0 || (word[0] == '-' && bytes >= 4 && strcmp(word + bytes - 3, "mca") == 0);
}

/* Appends the program and its arguments, wrapped in a shell command if the launcher would interpret one of them itself.
 * Returns the new count, or -1, reported, if there is no memory. */
static int add_program(char **words, int count, const char *path, char **arguments)
{
    bool is_passed_on = true;
    for (char **argument = arguments; *argument; argument++)
        is_passed_on = is_passed_on && !is_read_anywhere(*argument);
    if (!is_passed_on) {
        words[count++] = (char *)"/bin/sh";
        words[count++] = (char *)"-c";
        words[count] = launcher_exec_line(path, arguments);
        return words[count] ? count + 1 : -1;
    }
    words[count++] = (char *)path;
    for (; *arguments; arguments++)
        words[count++] = *arguments;
    return count;
}

char **launcher_oshrun_command(const struct launcher_command *command, const struct launcher_program *program,
                               const char *variables)
{
    if (geteuid() == 0) { /* as in containers: Open MPI requires explicit permission */
        setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 0);
        setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 0);
    }
    leave_outer_job();
    limit_stack(command);
    choose_layout();
    notice_lost_hosts();
    char **words = malloc(sizeof *words * (OWN_WORDS_MAX + 2 * (size_t)BN_OPTION_COUNT + 2 * count_words(environ) +
                                           count_words(command->program)));
    char *number = malloc(16);
    if (!words || !number) {
        bn_log_error("out of memory");
        return NULL;
    }
    snprintf(number, 16, "%d", launcher_process_count(command, program));
    int count = 0;
    words[count++] = (char *)launcher_name();
    words[count++] = "--oversubscribe"; /* more threads than cores are allowed */
    words[count++] = "--bind-to";
    words[count++] = "none";
    words[count++] = "-n";
    words[count++] = number;
    count = launcher_add_places(words, count, command, program);
    int named = count;
    count = add_variables(words, count, variables);
    count = leave_memory_functions(words, count);
    count = add_user_variables(words, count);
    count = join_list(words, named, count);
    count = add_program(words, count, program->path, command->program + 1);
    if (count < 0)
        return NULL;
    words[count] = NULL;
    return words;
}
