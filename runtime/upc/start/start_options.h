/* start_options.h: the part of a program's start that is the same on all networks: its options, and what it says about
 * itself. */
#ifndef BN_UPC_START_START_OPTIONS_H
#define BN_UPC_START_START_OPTIONS_H

#include "base/options.h"

#include <stdbool.h>

/*
 * Nothing in the program is UPC: it was plain C all the while, perhaps a tool that a build makes and runs.  It behaves
 * as if another compiler had made it: one thread unless upcrun or a variable says otherwise, and all of its arguments
 * are its own.
 */
bool bn_start_is_plain_c(void);

/* Reads the options of the run, takes them out of the arguments, and makes them those of this process.  @errors
 * Reported. */
bn_status_t bn_start_read_options(struct bn_options *options, int *argc, char **argv);

/* The first unit that was compiled for this number of threads, by its source; there is one. */
const char *bn_start_source_with_count(int static_threads);

/* Warns if a variable asks for another number of threads than the program was compiled for; 0: for any. */
void bn_start_warn_of_fixed_count(const struct bn_option_value *wish, int static_threads);

/* What upcrun -i shows of a program; thread_count is 0 where the launcher decides.  Returns the status to end with. */
int bn_start_print_info(const char *program, const char *network, int static_threads, int thread_count);

/* Returns when a debugger is attached. */
void bn_start_wait_for_debugger(void);

#endif
