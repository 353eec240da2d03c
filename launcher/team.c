#include "team.h"

#include "base/log.h"
#include "boot/bind.h"
#include "boot/job.h"
#include "boot/monitor.h"
#include "places.h"
#include "program.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool launcher_is_team(const struct launcher_command *command)
{
    const char *slash = strrchr(command->program[0], '/');
    const char *name = slash ? slash + 1 : command->program[0];
    const char *dot = strrchr(name, '.');
    return command->is_team || strncmp(name, "python", strlen("python")) == 0 || (dot && strcmp(dot, ".py") == 0);
}

bn_status_t launcher_check_team(const struct launcher_command *command)
{
    const char *network = command->places.network;
    const char *option = network && strcmp(network, "smp") != 0 ? "-network" : command->option_of_threads;
    if (!option)
        return BN_OK;
    bn_log_error("%s applies only to UPC programs, but %s runs as a team of processes; leave the option out", option,
                 command->program[0]);
    return BN_ERR_INVALID;
}

static void bind_process(const struct launcher_command *command, int size, int rank)
{
    const struct bn_option_value *wish = &command->options.values[BN_OPTION_BIND];
    static struct bn_bind_machine machine;
    struct bn_pu_set set;
    if (wish->source != BN_OPTION_FROM_SWITCH || wish->number == BN_BIND_NONE)
        return; /* no binding by default, because processes of Python may have threads of their own */
    bn_bind_machine_read("", &machine);
    bn_bind_plan(&machine, bn_bind_resolve((enum bn_bind_choice)wish->number, bn_cpus_usable_count(), size), size, rank,
                 &set);
    if (bn_cpus_bind(&set) != BN_OK)
        bn_log_warning("-bind: the system refuses to bind process %d", rank);
}

/* Options that libbanyan-team reads, too, are passed on as given. */
static void set_environment(const struct launcher_command *command, const char *name, int size, int rank)
{
    static const enum bn_option_id handed_on[] = {BN_OPTION_WAIT, BN_OPTION_VERBOSE, BN_OPTION_QUIET};
    char text[64];
    snprintf(text, sizeof text, "%s:%d:%d", name, rank, size);
    setenv(bn_option_describe(BN_OPTION_TEAM)->name, text, 1);
    for (size_t i = 0; i < sizeof handed_on / sizeof handed_on[0]; i++) {
        const struct bn_option_value *value = &command->options.values[handed_on[i]];
        if (value->source == BN_OPTION_FROM_SWITCH)
            setenv(bn_option_describe(handed_on[i])->name, value->text, 1);
    }
}

int launcher_run_team(const struct launcher_command *command)
{
    static const struct launcher_program any;
    char path[PATH_MAX];
    int missing = launcher_locate(command->program[0], path);
    if (missing != 0)
        return missing;
    int size = launcher_thread_count(command, &any);
    char name[32];
    const struct bn_monitor_plan plan = {
        .thread_count = size,
        .threads_each = 1,
        .are_programs = true,
        .has_labels = command->options.values[BN_OPTION_LABEL].number != 0,
        .timeout_ns = command->options.values[BN_OPTION_TIMEOUT].number,
    };
    snprintf(name, sizeof name, "upcrun-%d", (int)getpid());
    if (bn_job_create(size) != BN_OK)
        return EXIT_CANNOT_RUN;
    int rank = bn_monitor_run(&plan);
    if (rank < 0)
        return EXIT_CANNOT_RUN;
    bind_process(command, size, rank);
    set_environment(command, name, size, rank);
    execvp(path, command->program); /* which, unlike execv, runs a script without #!, too */
    bn_log_error("%s cannot be run: %s", path, strerror(errno));
    _exit(errno == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN);
}
