/*
 * program.h: the file that is to be run.
 */
#ifndef BN_LAUNCHER_PROGRAM_H
#define BN_LAUNCHER_PROGRAM_H

#include "boot/note.h"

#include <limits.h>
#include <stdbool.h>

enum { EXIT_CANNOT_RUN = 126, EXIT_NOT_FOUND = 127 }; /* as shells do */

struct launcher_program {
    char path[PATH_MAX];
    struct bn_note_content note;
    int static_threads;    /* how many it was compiled for; 0: it runs with any number */
    bool shares_processes; /* threads are POSIX threads of processes: upcc -pthreads */
    int threads_each;      /* of such a process; 0: nobody has said when it was compiled */
};

/*
 * Finds the program: a name with a slash is a path; else a file in the working directory comes before those on PATH.
 * Checks that it is a Banyan program.
 *
 * Returns 0, or the exit status that upcrun is to have; what is wrong has been reported, with the remedy.
 */
int launcher_find(const char *name, struct launcher_program *program_p);

#endif
