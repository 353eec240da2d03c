/*
 * upcrun: turns its options into BANYAN_* variables and becomes the program, whose start-up code does the rest
 * (docs/design/001-representation.md); with -network=shmem it starts OpenSHMEM's launcher as a child and attends to it
 * (attend.h).
 */
#include "attend.h"
#include "banyan/access.h"
#include "base/log.h"
#include "debugger.h"
#include "needs.h"
#include "options.h"
#include "platform/memory.h"
#include "program.h"
#include "oshrun.h"
#include "places.h"
#include "team.h"
#include "words.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_USAGE = 2, NAMES_BYTES = 1024, LEAST_ROOM_MB = 4 };

/* Calls visit for each variable to pass to the program; writes their names, separated by commas. */
static void for_each_variable(const struct launcher_command *command,
                              void (*visit)(const char *name, const char *value), char names[NAMES_BYTES])
{
    names[0] = '\0';
    for (int id = 0; id < BN_OPTION_COUNT; ++id) {
        const struct bn_option *option = bn_option_describe((enum bn_option_id)id);
        const struct bn_option_value *value = &command->options.values[id];
        if (value->source == BN_OPTION_FROM_DEFAULT)
            continue;
        visit(option->name, value->text);
        if (value->source == BN_OPTION_FROM_ENVIRONMENT) /* it is in the environment already */
            continue;
        size_t used = strlen(names);
        snprintf(names + used, NAMES_BYTES - used, "%s%s", used > 0 ? "," : "", option->name);
    }
    visit(bn_option_describe(BN_OPTION_LAUNCHED)->name, names);
}

static void set_variable(const char *name, const char *value)
{
    setenv(name, value, 1);
}

static void print_variable(const char *name, const char *value)
{
    printf("%s=", name);
    if (*value != '\0')
        launcher_write_word(stdout, value);
    putchar(' ');
}

/* The command to execute: the program, or a launcher or debugger that starts it.  Null, reported, if there is no
 * memory. */
static char **words_of(const struct launcher_command *command, const struct launcher_program *program,
                       const char *names)
{
    if (command->debugs && command->action != SHOW_INFO)
        return launcher_debugger_command(command, program);
    if (program->note.network != BN_NETWORK_SHMEM || command->action == SHOW_INFO)
        return command->program;
    char variables[NAMES_BYTES + 64];
    snprintf(variables, sizeof variables, "%s,%s", bn_option_describe(BN_OPTION_LAUNCHED)->name, names);
    return launcher_oshrun_command(command, program, variables);
}

/* Takes an option that matters to upcrun itself from the environment, unless the command line sets it */
static bn_status_t adopt(struct launcher_command *command, enum bn_option_id id)
{
    const struct bn_option *option = bn_option_describe(id);
    const char *names[] = {option->name, option->alias, option->second_alias};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *text = names[i] ? getenv(names[i]) : NULL;
        if (text && command->options.values[id].source == BN_OPTION_FROM_DEFAULT)
            return bn_options_set(&command->options, id, text, BN_OPTION_FROM_ENVIRONMENT, names[i]);
    }
    return BN_OK;
}

/* -q and BANYAN_QUIET silence the warnings of upcrun as they do those of the program: -v is stronger. */
static bn_status_t warn_unless_quiet(struct launcher_command *command)
{
    const struct bn_option_value *values = command->options.values;
    bn_status_t status = adopt(command, BN_OPTION_QUIET);
    if (values[BN_OPTION_QUIET].number && !values[BN_OPTION_VERBOSE].number)
        bn_log_set_level(BN_LOG_QUIET);
    launcher_warn_of_ignored();
    return status;
}

static int run_team(struct launcher_command *command)
{
    if (launcher_check_team(command) != BN_OK || adopt(command, BN_OPTION_THREADS) != BN_OK)
        return EXIT_USAGE;
    return launcher_run_team(command);
}

/* If another launcher starts the processes, upcrun decides how many and where. */
static bn_status_t adopt_all(struct launcher_command *command, const struct launcher_program *program)
{
    if (program->note.network != BN_NETWORK_SHMEM)
        return BN_OK;
    bn_status_t status = adopt(command, BN_OPTION_THREADS);
    if (status == BN_OK && program->shares_processes)
        status = adopt(command, BN_OPTION_PTHREADS);
    return status == BN_OK ? launcher_places_adopt(command, program) : status;
}

static void set(struct launcher_command *command, enum bn_option_id id, const char *text, int number)
{
    struct bn_option_value *value = &command->options.values[id];
    if (value->source == BN_OPTION_FROM_DEFAULT)
        *value = (struct bn_option_value){
            .source = BN_OPTION_FROM_SWITCH, .source_name = "upcrun", .text = text, .number = number};
}

static void set_number(struct launcher_command *command, enum bn_option_id id, int number)
{
    static char texts[BN_OPTION_COUNT][16];
    snprintf(texts[id], sizeof texts[id], "%d", number);
    set(command, id, texts[id], number);
}

/* Leaves an eighth of the memory for what is not shared, and at least what Open MPI's launcher (26 MB) and each process
 * (13 MB) take, which do not exist yet.  These are estimates: in a small container they may take less, so a quarter of
 * the memory is for shared memory in any case, and what holds heaps at all. */
static void tell_room(struct launcher_command *command, int threads, int processes)
{
    uint64_t available = bn_memory_available_bytes("");
    uint64_t taken = (uint64_t)(26 + 13 * processes) << 20;
    uint64_t left = taken > available / 8 ? taken : available / 8;
    uint64_t shared = available - left > available / 4 && left < available ? available - left : available / 4;
    uint64_t room_mb = (shared / (uint64_t)threads) >> 20;
    if (room_mb < INT_MAX)
        set_number(command, BN_OPTION_ROOM, room_mb > LEAST_ROOM_MB ? (int)room_mb : LEAST_ROOM_MB);
}

/* Passes information to processes that another launcher starts, possibly on other machines: the folder, the program's
 * interface, the room for shared memory (which is true only now, so a command that is shown lacks it) and, for
 * processes of several threads, the number of threads in total and per process. */
static void tell_processes(struct launcher_command *command, const struct launcher_program *program)
{
    int threads = launcher_thread_count(command, program);
    int threads_each = launcher_threads_each(command, program);
    const char *folder = get_current_dir_name(); /* the name that oshrun uses, too */
    if (folder)
        set(command, BN_OPTION_FOLDER, folder, 0);
    set_number(command, BN_OPTION_INTERFACE,
               BN_ABI_NUMBER | BN_ABI_NETWORK_SHMEM | (program->shares_processes ? BN_ABI_PTHREADS : 0));
    if (command->action != SHOW_COMMAND && launcher_places_are_here(command))
        tell_room(command, threads, launcher_process_count(command, program));
    if (program->shares_processes) {
        set_number(command, BN_OPTION_THREADS, threads);
        set_number(command, BN_OPTION_PTHREADS, threads_each);
    }
}

/* The exit status after an answer on standard output */
static int status_of_answer(void)
{
    return bn_log_output_arrived() ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int show_command(const struct launcher_command *command, const struct launcher_program *program)
{
    char names[NAMES_BYTES];
    for_each_variable(command, print_variable, names);
    char **words = words_of(command, program, names);
    if (!words)
        return EXIT_CANNOT_RUN;
    launcher_write_word(stdout, words == command->program ? program->path : words[0]);
    for (char **word = words + 1; *word; ++word) {
        putchar(' ');
        launcher_write_word(stdout, *word);
    }
    putchar('\n');
    return status_of_answer();
}

static int run(const struct launcher_command *command, const struct launcher_program *program)
{
    char names[NAMES_BYTES];
    for_each_variable(command, set_variable, names);
    if (command->action == SHOW_INFO)
        setenv(bn_option_describe(BN_OPTION_INFO)->name, "yes", 1);
    char **words = words_of(command, program, names);
    if (!words)
        return EXIT_CANNOT_RUN;
    if (words == command->program) {
        execv(program->path, words);
        bn_log_error("%s cannot be run: %s", program->path, strerror(errno));
    } else if (command->debugs) {
        execvp(words[0], words);
        bn_log_error("-gdb: gdb cannot be run: %s; install gdb", strerror(errno));
    } else {
        return launcher_attend(words, program->path, launcher_threads_each(command, program),
                               launcher_thread_count(command, program));
    }
    return EXIT_CANNOT_RUN;
}

int main(int argc, char **argv)
{
    struct launcher_command command;
    static struct launcher_program program;
    if (launcher_read(&command, argc, argv) != BN_OK || warn_unless_quiet(&command) != BN_OK)
        return EXIT_USAGE;
    if (command.action == SHOW_HELP) {
        launcher_print_help();
        return status_of_answer();
    }
    if (command.action == SHOW_VERSION) {
        printf("upcrun (Banyan) %s\n", BN_VERSION);
        return status_of_answer();
    }
    if (!command.program) {
        bn_log_error("no program is given: upcrun [-n N] program [arguments]; see upcrun -help");
        return EXIT_USAGE;
    }
    if (launcher_is_team(&command))
        return run_team(&command);
    int status = launcher_find(command.program[0], &program);
    if (status != 0)
        return status;
    if (adopt_all(&command, &program) != BN_OK || launcher_places_check(&command, &program) != BN_OK)
        return EXIT_USAGE;
    if (launcher_check_debugger(&command, &program) != BN_OK)
        return EXIT_CANNOT_RUN;
    bool is_shmem = program.note.network == BN_NETWORK_SHMEM;
    if (is_shmem && command.action == RUN_PROGRAM && launcher_check_needs(&command, &program) != BN_OK)
        return EXIT_CANNOT_RUN;
    if (is_shmem)
        tell_processes(&command, &program);
    return command.action == SHOW_COMMAND ? show_command(&command, &program) : run(&command, &program);
}
