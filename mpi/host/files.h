/*
 * files.h: the files to which a job writes its reports, lessons and timelines.
 *
 * A job that a program starts by MPI_Comm_spawn has the options of that program, so it would write to the same files.
 * It adds the id of its first process to their names.
 */
#ifndef BN_MPI_HOST_FILES_H
#define BN_MPI_HOST_FILES_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Tells that this job was spawned.  @param first_process The id of its first process */
void bn_files_of_spawned(int first_process);

/** The name of this job's file where the user has asked for `wished`. */
void bn_files_name(char name[PATH_MAX], const char *wished);

/** Writes a file as a whole, as base/draft.h does, since other jobs may read or write it at the same time.  False:
 * errno says why it has not been written. */
bool bn_files_write(const char *name, void (*write)(FILE *file, const void *context), const void *context);

#ifdef __cplusplus
}
#endif

#endif
