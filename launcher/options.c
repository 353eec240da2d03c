#include "options.h"

#include "base/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind {
    SETS,    /* takes a value and sets an option of the runtime to it */
    SETS_TO, /* takes no value; sets the option to text */
    MAY_SET, /* takes a value only if attached by "="; otherwise sets the option to text */
    DOES,    /* sets the action */
    DEBUGS,  /* runs the program under gdb */
    TEAMS,   /* runs any program as a team */
    MATCHES, /* requests the default behaviour; takes no value */
    PLACES,  /* takes a value for struct launcher_places; target is an enum place */
    WARNS,   /* ignored with a warning: text says why.  Takes a value if has_value. */
    REFUSES, /* text says why */
};

enum place { PLACE_NETWORK, PLACE_NODES, PLACE_HOSTS };

struct row {
    const char *names; /* separated by '|', without dashes */
    enum kind kind;
    int target; /* enum bn_option_id or enum launcher_action */
    const char *text;
    bool has_value;    /* for WARNS and REFUSES: the next argument is its value */
    bool has_number;   /* a number may be attached: -n4 */
    bool suits_teams;  /* has a meaning with -team; the others are refused there, unless they change nothing */
    const char *value; /* for the help: placeholder of the value */
    const char *help;  /* null: not listed */
};

static const struct row rows[] = {
    {.names = "n|np",
     .kind = SETS,
     .target = BN_OPTION_THREADS,
     .has_number = true,
     .suits_teams = true,
     .value = "N",
     .help = "run N threads (default: one per usable core)"},
    {.names = "bind",
     .kind = SETS,
     .target = BN_OPTION_BIND,
     .suits_teams = true,
     .value = "auto|none|core|numa",
     .help = "where threads may run; auto: core if each gets its own, or all cores equally many; else none"},
    {.names = "bind-threads",
     .kind = SETS_TO,
     .target = BN_OPTION_BIND,
     .text = "core",
     .suits_teams = true,
     .help = "the same as -bind core"},
    {.names = "shared-heap|heap",
     .kind = SETS,
     .target = BN_OPTION_SHARED_HEAP,
     .value = "SIZE",
     .help = "limit of shared memory per thread, in MB unless K, M, G or T follows"},
    {.names = "timeout",
     .kind = SETS,
     .target = BN_OPTION_TIMEOUT,
     .suits_teams = true,
     .value = "SECONDS",
     .help = "end the job after this time, with status 124; s, m, h, d may follow"},
    {.names = "label",
     .kind = SETS_TO,
     .target = BN_OPTION_LABEL,
     .text = "yes",
     .suits_teams = true,
     .help = "prefix each line of output with the number of the thread"},
    {.names = "pthreads|p",
     .kind = SETS,
     .target = BN_OPTION_PTHREADS,
     .value = "N",
     .has_number = true,
     .help = "threads per process, in programs compiled with upcc -pthreads"},
    {.names = "polite-sync",
     .kind = SETS_TO,
     .target = BN_OPTION_WAIT,
     .text = "yield",
     .suits_teams = true,
     .help = "waiting threads yield to other programs immediately"},
    {.names = "freeze|freeze-early|freeze-earlier",
     .kind = SETS_TO,
     .target = BN_OPTION_FREEZE,
     .text = "yes",
     .help = "each thread waits at its start until a debugger is attached to it"},
    {.names = "gdb", .kind = DEBUGS, .help = "run the program under gdb, with support for shared objects (upcc -g)"},
    {.names = "team",
     .kind = TEAMS,
     .suits_teams = true,
     .help = "run any program as a team of N processes (banyan/team.h); implied for python"},
    {.names = "backtrace",
     .kind = SETS_TO,
     .target = BN_OPTION_BACKTRACE,
     .text = "yes",
     .help = "show a backtrace if a thread crashes"},
    {.names = "nobacktrace", .kind = SETS_TO, .target = BN_OPTION_BACKTRACE, .text = "no", .help = NULL},
    {.names = "profile",
     .kind = MAY_SET,
     .target = BN_OPTION_PROFILE,
     .text = "1",
     .value = "[=FILE]",
     .help = "at the end, report how the threads communicated; to FILE, as JSON if it is FILE.json"},
    {.names = "trace",
     .kind = MAY_SET,
     .target = BN_OPTION_TRACE,
     .text = "perfetto",
     .value = "[=perfetto[:FILE]|otf2[:FOLDER]]",
     .help = "write a trace of the threads, for https://ui.perfetto.dev, or Vampir and the like"},
    {.names = "network",
     .kind = PLACES,
     .target = PLACE_NETWORK,
     .suits_teams = true,
     .value = "smp|shmem",
     .help = "the network that the program must have been compiled for"},
    {.names = "N|nodes",
     .kind = PLACES,
     .target = PLACE_NODES,
     .has_number = true,
     .value = "N",
     .help = "distribute the threads over N machines (-network=shmem)"},
    {.names = "hosts|H",
     .kind = PLACES,
     .target = PLACE_HOSTS,
     .value = "A,B,...",
     .help = "use these machines (-network=shmem); default: those of the launcher"},
    {.names = "show|t", .kind = DOES, .target = SHOW_COMMAND, .help = "print the command instead of running it"},
    {.names = "info|i", .kind = DOES, .target = SHOW_INFO, .help = "describe the program instead of running it"},
    {.names = "v|verbose",
     .kind = SETS_TO,
     .target = BN_OPTION_VERBOSE,
     .text = "yes",
     .suits_teams = true,
     .help = "report what the runtime decides"},
    {.names = "q|quiet",
     .kind = SETS_TO,
     .target = BN_OPTION_QUIET,
     .text = "yes",
     .suits_teams = true,
     .help = "no warnings, only errors"},
    {.names = "version|V", .kind = DOES, .target = SHOW_VERSION, .help = "print the version"},
    {.names = "help|h", .kind = DOES, .target = SHOW_HELP, .help = "print this"},
    {.names = "localhost|norc|noabort|nofreeze-on-error|notrace", .kind = MATCHES},
    {.names = "c|cpus-per-node",
     .kind = WARNS,
     .has_value = true,
     .has_number = true,
     .text = "all threads run on this machine, whose cores Banyan finds itself"},
    {.names = "pshm-width", .kind = WARNS, .has_value = true, .text = "all threads share memory"},
    {.names = "heap-offset|shared-heap-max",
     .kind = WARNS,
     .has_value = true,
     .text = "the shared heap grows on demand; -shared-heap limits it"},
    {.names = "encode-args|encode-env|encode",
     .kind = WARNS,
     .text = "arguments and environment reach the threads as they are"},
    {.names = "traceall", .kind = REFUSES, .text = "use -trace, which has all threads"},
    {.names = "tracefile", .kind = REFUSES, .text = "use -trace=perfetto:FILE, or otf2:FOLDER"},
    {.names = "abort", .kind = REFUSES, .text = "leave it out; 'ulimit -c unlimited' makes a crash leave a core file"},
    {.names = "freeze-on-error", .kind = REFUSES, .text = "use -freeze and a debugger, or -backtrace"},
    {.names = "backtrace-type", .kind = REFUSES, .text = "there is one kind of -backtrace; leave it out"},
    {.names = "conf",
     .kind = REFUSES,
     .text = "upcrun reads no configuration file; set BANYAN_* variables or UPCRUN_FLAGS"},
};

enum { ROW_COUNT = sizeof rows / sizeof *rows };

/* Rows of WARNS that were used: the option as it was written.  Kept until all options are read, because -q may follow.
 */
static const char *ignored[ROW_COUNT];

static bool has_name(const char *names, const char *name, size_t name_bytes)
{
    for (const char *at = names;;) {
        size_t bytes = strcspn(at, "|");
        if (bytes == name_bytes && strncmp(at, name, bytes) == 0)
            return true;
        if (at[bytes] == '\0')
            return false;
        at += bytes + 1;
    }
}

/* Finds the row for "-name", "--name", "-name=value", "-n4"; *value_p is the attached value, or null. */
static const struct row *find_row(const char *argument, const char **value_p)
{
    const char *name = argument + (argument[1] == '-' ? 2 : 1);
    size_t bytes = strcspn(name, "=");
    *value_p = name[bytes] == '=' ? name + bytes + 1 : NULL;
    for (int i = 0; i < ROW_COUNT; ++i) {
        if (has_name(rows[i].names, name, bytes))
            return &rows[i];
    }
    bytes = strcspn(name, "0123456789");
    if (bytes == 0 || name[bytes] == '\0')
        return NULL;
    *value_p = name + bytes;
    for (int i = 0; i < ROW_COUNT; ++i) {
        if (rows[i].has_number && has_name(rows[i].names, name, bytes))
            return &rows[i];
    }
    return NULL;
}

static bool takes_value(const struct row *row)
{
    return row->kind == SETS || row->kind == PLACES || (row->kind == WARNS && row->has_value);
}

static bn_status_t set_place(struct launcher_places *places, enum place place, const char *argument, const char *value)
{
    char *end;
    long nodes;
    switch (place) {
    case PLACE_NETWORK: places->network = value; return BN_OK;
    case PLACE_HOSTS: places->hosts = value; return BN_OK;
    case PLACE_NODES:
        nodes = strtol(value, &end, 10);
        if (end == value || *end != '\0' || nodes < 1 || nodes > BN_THREAD_MAX) {
            bn_log_error("%s: \"%s\" is not a number from 1 to %d", argument, value, BN_THREAD_MAX);
            return BN_ERR_INVALID;
        }
        places->nodes = (int)nodes;
        return BN_OK;
    }
    return BN_ERR_INVALID;
}

/* Whether teams accept the option; of -network, launcher_check_team looks at the value. */
static bool suits_teams(const struct row *row)
{
    return row->suits_teams || row->kind == MATCHES || row->kind == WARNS;
}

static bn_status_t apply(struct launcher_command *command, const struct row *row, const char *argument,
                         const char *value)
{
    switch (row->kind) {
    case SETS:
        return bn_options_set(&command->options, (enum bn_option_id)row->target, value, BN_OPTION_FROM_SWITCH,
                              argument);
    case SETS_TO:
        return bn_options_set(&command->options, (enum bn_option_id)row->target, row->text, BN_OPTION_FROM_SWITCH,
                              argument);
    case MAY_SET:
        return bn_options_set(&command->options, (enum bn_option_id)row->target, value ? value : row->text,
                              BN_OPTION_FROM_SWITCH, argument);
    case DOES: command->action = (enum launcher_action)row->target; return BN_OK;
    case DEBUGS: command->debugs = true; return BN_OK;
    case TEAMS: command->is_team = true; return BN_OK;
    case MATCHES: return BN_OK;
    case PLACES: return set_place(&command->places, (enum place)row->target, argument, value);
    case WARNS: ignored[row - rows] = argument; return BN_OK;
    case REFUSES: bn_log_error("%s is not supported: %s", argument, row->text); return BN_ERR_INVALID;
    }
    return BN_ERR_INVALID;
}

/* Reads the option at arguments[0]; *used_p is the number of arguments it takes. */
static bn_status_t read_option(struct launcher_command *command, char **arguments, int *used_p)
{
    const char *argument = arguments[0];
    const char *value;
    const struct row *row = find_row(argument, &value);
    *used_p = 1;
    if (!row) {
        bn_log_error(
            "%s is not an option of upcrun; upcrun -help lists them.  Options of the program go after its name",
            argument);
        return BN_ERR_INVALID;
    }
    if (takes_value(row) && !value) {
        value = arguments[1];
        *used_p = 2;
    } else if (!takes_value(row) && value && row->kind != REFUSES && row->kind != MAY_SET) {
        bn_log_error("%s: this option takes no value", argument);
        return BN_ERR_INVALID;
    }
    if (takes_value(row) && !value) {
        bn_log_error("%s needs a value after it; see upcrun -help", argument);
        return BN_ERR_INVALID;
    }
    if (!suits_teams(row))
        command->option_of_threads = argument;
    return apply(command, row, argument, value);
}

static bn_status_t read_list(struct launcher_command *command, char **arguments, char ***rest_p)
{
    while (*arguments && (*arguments)[0] == '-' && (*arguments)[1] != '\0') {
        if (strcmp(*arguments, "--") == 0) {
            ++arguments;
            break;
        }
        int used;
        bn_status_t status = read_option(command, arguments, &used);
        if (status != BN_OK)
            return status;
        arguments += used;
    }
    *rest_p = arguments;
    return BN_OK;
}

/* UPCRUN_FLAGS holds options separated by blanks; the command line comes after them. */
static bn_status_t read_flags_variable(struct launcher_command *command)
{
    enum { FLAG_MAX = 64 };
    static char *flags[FLAG_MAX + 1];
    const char *variable = getenv("UPCRUN_FLAGS");
    char *copy = variable ? strdup(variable) : NULL;
    char *rest = NULL;
    char **end;
    int count = 0;
    if (!copy)
        return BN_OK;
    for (char *flag = strtok_r(copy, " \t\n", &rest); flag && count < FLAG_MAX; flag = strtok_r(NULL, " \t\n", &rest))
        flags[count++] = flag;
    bn_status_t status = read_list(command, flags, &end);
    if (status == BN_OK && *end) {
        bn_log_error("UPCRUN_FLAGS: \"%s\" is not an option; only options are allowed there", *end);
        status = BN_ERR_INVALID;
    }
    return status;
}

bn_status_t launcher_read(struct launcher_command *command, int argc, char **argv)
{
    static char *no_environment[] = {NULL};
    *command = (struct launcher_command){.action = RUN_PROGRAM};
    bn_status_t status = bn_options_read(&command->options, no_environment);
    if (status == BN_OK)
        status = read_flags_variable(command);
    char **rest = NULL;
    if (status == BN_OK)
        status = read_list(command, argv + (argc > 0), &rest);
    if (status != BN_OK)
        return status;
    command->program = *rest ? rest : NULL;
    return BN_OK;
}

void launcher_warn_of_ignored(void)
{
    for (int i = 0; i < ROW_COUNT; ++i) {
        if (ignored[i])
            bn_log_warning("%s has no effect: %s", ignored[i], rows[i].text);
    }
}

void launcher_print_help(void)
{
    printf("Usage: upcrun [options] program [arguments of the program]\n\n"
           "Runs a program compiled by upcc.  Options:\n\n");
    for (int i = 0; i < ROW_COUNT; ++i) {
        char names[80];
        size_t used = 0;
        if (!rows[i].help)
            continue;
        for (const char *at = rows[i].names; used < sizeof names - 4; ++at) {
            if (at == rows[i].names || at[-1] == '|')
                names[used++] = '-';
            if (*at == '\0')
                break;
            if (*at == '|')
                names[used++] = ',';
            names[used++] = *at == '|' ? ' ' : *at;
        }
        snprintf(names + used, sizeof names - used, "%s%s", rows[i].value && rows[i].kind != MAY_SET ? " " : "",
                 rows[i].value ? rows[i].value : "");
        printf(strlen(names) < 26 ? "  %-26s%s\n" : "  %s\n                            %s\n", names, rows[i].help);
    }
    printf("\nAn option may have one or two dashes, and its value after a blank or \"=\"; -n4 is -n 4.\n"
           "UPCRUN_FLAGS may hold options that are put first.  A program can also be run directly: ./program -n 4.\n"
           "banyan-info shows the machine, the options in the environment and what -n N would do.\n");
}
