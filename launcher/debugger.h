/* debugger.h: runs programs under gdb, with support for shared objects. */
#ifndef BN_LAUNCHER_DEBUGGER_H
#define BN_LAUNCHER_DEBUGGER_H

#include "options.h"
#include "program.h"

/*
 * The command that runs gdb with the program and its arguments, and permits it to load the gdb.py of this installation,
 * which programs compiled with -g refer to.  Null-terminated; words are never freed.
 *
 * @errors null, reported: the program runs on several machines, or there is no memory.
 */
char **launcher_debugger_command(const struct launcher_command *command, const struct launcher_program *program);

#endif
