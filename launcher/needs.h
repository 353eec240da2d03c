/* needs.h: what Open MPI's launcher and library need of the process that starts them.  Without it they crash, or blame
 * something else. */
#ifndef BN_LAUNCHER_NEEDS_H
#define BN_LAUNCHER_NEEDS_H

#include "options.h"
#include "program.h"

/* Checks the working folder, the limit of open files, which it raises if the system allows that, and, if the threads
 * run on this machine, that on address space.
 * @errors reported with the remedy. */
bn_status_t launcher_check_needs(const struct launcher_command *command, const struct launcher_program *program);

#endif
