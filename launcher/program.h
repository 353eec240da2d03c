/*
 * program.h: the program to run.
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
    int static_threads;    /* number of threads it was compiled for; 0: any number */
    bool shares_processes; /* threads are POSIX threads of processes: upcc -pthreads */
    int threads_each;      /* threads per such process; 0: not specified when it was compiled */
};

/*
 * Writes the path, of less than PATH_MAX bytes, of the file to execute: a name with a slash is a path; otherwise a file
 * in the working directory takes precedence over those on PATH.
 *
 * Returns 0, or the exit status for upcrun, after reporting the error and its remedy.
 */
int launcher_locate(const char *name, char *path);

/* Locates the program, and checks that it is a Banyan program; returns as launcher_locate does. */
int launcher_find(const char *name, struct launcher_program *program_p);

#endif
