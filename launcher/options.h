/*
 * options.h: the command line of upcrun, which ends where the program begins.
 *
 * A general parser does not fit: long options have one dash ("-shared-heap"), numbers may be attached ("-n4"), and
 * everything after the program's name belongs to the program.
 */
#ifndef BN_LAUNCHER_OPTIONS_H
#define BN_LAUNCHER_OPTIONS_H

#include "base/options.h"

#include <stdbool.h>

enum launcher_action { RUN_PROGRAM, SHOW_COMMAND, SHOW_INFO, SHOW_VERSION, SHOW_HELP };

/* Where threads are to run; 0 and null if not specified. */
struct launcher_places {
    const char *network;
    int nodes;
    const char *hosts;    /* names, separated by commas */
    const char *hosts_by; /* the source of the names, if not an option */
};

struct launcher_command {
    enum launcher_action action;
    bool debugs;                   /* run the program under gdb */
    bool is_team;                  /* run any program, in processes that form a team */
    const char *option_of_threads; /* the last option that applies only to UPC programs; null if there is none */
    struct launcher_places places;
    struct bn_options options; /* options set on the command line: source is BN_OPTION_FROM_SWITCH */
    char **program;            /* name and arguments of the program, null-terminated; null if there is none */
};

/*
 * Reads the arguments of upcrun, argv[0] being its own name.
 *
 * @errors BN_ERR_INVALID, reported with the remedy.
 */
bn_status_t launcher_read(struct launcher_command *command, int argc, char **argv);

/* Warns of options that have no effect.  Called once the log has the level that the user wants. */
void launcher_warn_of_ignored(void);

/* Writes the help to standard output. */
void launcher_print_help(void);

#endif
