/* oshrun.h: programs whose threads are processes of OpenSHMEM: its launcher starts them. */
#ifndef BN_LAUNCHER_OSHRUN_H
#define BN_LAUNCHER_OSHRUN_H

#include "options.h"
#include "program.h"

/*
 * The command that runs the program, null-terminated; words are never freed.  variables are names of the environment
 * that the processes are to get on all nodes, separated by commas.  Null, reported, if there is no memory.
 */
char **launcher_oshrun_command(const struct launcher_command *command, const struct launcher_program *program,
                               const char *variables);

#endif
