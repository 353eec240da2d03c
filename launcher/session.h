/*
 * session.h: the files of Open MPI's launcher on this machine.  It has them in a folder of its own, in the one for
 * temporary files, and its processes have some in /dev/shm; a launcher that is killed leaves all of them behind, and
 * one that cannot start its job the folder.
 */
#ifndef BN_LAUNCHER_SESSION_H
#define BN_LAUNCHER_SESSION_H

#include <stdbool.h>
#include <sys/types.h>

/* The folder for temporary files that the launcher uses */
const char *launcher_session_place(void);

/* Whether there is less room in it than the launcher needs */
bool launcher_session_lacks_room(void);

/* Removes what the launcher of Open MPI 4 with this process id, which no longer runs, has left.  Files of other
 * versions and launchers are not known. */
void launcher_session_remove(pid_t launcher);

#endif
