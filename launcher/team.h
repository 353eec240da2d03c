/*
 * team.h: programs that are no UPC programs, such as Python's: each of N processes runs the program, and learns from
 * its environment which of a team it is (include/banyan/team.h).
 */
#ifndef BN_LAUNCHER_TEAM_H
#define BN_LAUNCHER_TEAM_H

#include "options.h"

/* Whether the processes of this command make a team: -team says so, or the name is one of Python's. */
bool launcher_is_team(const struct launcher_command *command);

/* Runs the program in N processes, watches over them, and does not return in this one; otherwise the exit status that
 * upcrun is to have, and what is wrong has been reported. */
int launcher_run_team(const struct launcher_command *command);

#endif
