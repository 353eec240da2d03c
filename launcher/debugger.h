/* debugger.h: runs programs under gdb, with support for shared objects. */
#ifndef BN_LAUNCHER_DEBUGGER_H
#define BN_LAUNCHER_DEBUGGER_H

#include "options.h"
#include "program.h"

/* Reports that the program cannot run under gdb as the command says, because it runs on several machines, as
 * BN_UNSUPPORTED. */
bn_status_t launcher_check_debugger(const struct launcher_command *command, const struct launcher_program *program);

/*
 * The command that runs gdb with the program and its arguments, and permits it to load the gdb.py of this installation,
 * which programs compiled with -g refer to.  Null-terminated; words are never freed.
 *
 * @errors null, reported: there is no memory.
 */
char **launcher_debugger_command(const struct launcher_command *command, const struct launcher_program *program);

#endif
