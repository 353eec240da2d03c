/* start_options.h: the part of a program's start that is the same on all networks: options, and information about the
 * program. */
#ifndef BN_UPC_START_START_OPTIONS_H
#define BN_UPC_START_START_OPTIONS_H

#include "base/options.h"

#include <stdbool.h>

/*
 * Whether nothing in the program is UPC: it is plain C, perhaps a tool that a build makes and runs.  Such a program
 * behaves as if another compiler had made it: it has one thread unless upcrun or a variable says otherwise, and all
 * arguments belong to the program.
 */
bool bn_start_is_plain_c(void);

/* Reads the options of the run, removes them from the arguments, and sets them for this process. @errors Reported. */
bn_status_t bn_start_read_options(struct bn_options *options, int *argc, char **argv);

/* The source of the first unit that was compiled for this number of threads; there must be one. */
const char *bn_start_source_with_count(int static_threads);

/* Warns if a variable asks for a number of threads other than the program was compiled for (0: any number). */
void bn_start_warn_of_fixed_count(const struct bn_option_value *wish, int static_threads);

/* Prints what upcrun -i shows of a program; thread_count is 0 if the launcher decides.  Returns the status to end
 * with. */
int bn_start_print_info(const char *program, const char *network, int static_threads, int thread_count);

/* Returns when a debugger is attached. */
void bn_start_wait_for_debugger(void);

#endif
