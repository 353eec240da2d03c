/* oshrun.h: programs whose threads are OpenSHMEM processes, started by OpenSHMEM's launcher. */
#ifndef BN_LAUNCHER_OSHRUN_H
#define BN_LAUNCHER_OSHRUN_H

#include "options.h"
#include "program.h"

/*
 * The command that runs the program, null-terminated; words are never freed.  variables: names of environment variables
 * that processes must get on all nodes, separated by commas.  Null, reported, if there is no memory.
 */
char **launcher_oshrun_command(const struct launcher_command *command, const struct launcher_program *program,
                               const char *variables);

#endif
