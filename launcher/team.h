/*
 * team.h: programs other than UPC programs, such as Python's: each of N processes runs the program, and learns its rank
 * in a team from its environment (include/banyan/team.h).
 */
#ifndef BN_LAUNCHER_TEAM_H
#define BN_LAUNCHER_TEAM_H

#include "options.h"

/* Whether the processes of this command form a team: -team is given, or the program is Python. */
bool launcher_is_team(const struct launcher_command *command);

/* Reports an option of the command that has no meaning for teams, as BN_ERR_INVALID. */
bn_status_t launcher_check_team(const struct launcher_command *command);

/* Runs the program in N processes, monitors them, and does not return; if that fails, reports the error and returns the
 * exit status for upcrun. */
int launcher_run_team(const struct launcher_command *command);

#endif
