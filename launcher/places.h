/*
 * places.h: the distribution of threads over machines.
 */
#ifndef BN_LAUNCHER_PLACES_H
#define BN_LAUNCHER_PLACES_H

#include "options.h"
#include "program.h"

/* For a program that can run on several machines, takes those of the batch job unless an option names machines: all of
 * them, or as many as there are processes.  @errors BN_ERR_INVALID, reported. */
bn_status_t launcher_places_adopt(struct launcher_command *command, const struct launcher_program *program);

/* Checks that the program can run where the command says.  @errors BN_ERR_INVALID, reported with the remedy. */
bn_status_t launcher_places_check(const struct launcher_command *command, const struct launcher_program *program);

/* Whether all threads run on this machine: no others are named, nor may be by a batch system or variable that Open
 * MPI's launcher reads.  (Its files of settings are not looked at.) */
bool launcher_places_are_here(const struct launcher_command *command);

/* The number of threads to start: as specified, or as the program was compiled for, or one for each core of each
 * machine, assuming that all have as many cores as this one. */
int launcher_thread_count(const struct launcher_command *command, const struct launcher_program *program);

/* Threads per process: as the command or the program specifies, otherwise so many that each machine gets one process */
int launcher_threads_each(const struct launcher_command *command, const struct launcher_program *program);

/* The number of processes to start */
int launcher_process_count(const struct launcher_command *command, const struct launcher_program *program);

enum { LAUNCHER_PLACE_WORDS = 4 };

/*
 * Appends the words that make Open MPI's launcher give each machine its share, with one more on the first machines if
 * shares differ; processes are numbered machine by machine.  Returns the new count: up to LAUNCHER_PLACE_WORDS more, or
 * none if no places are specified.
 */
int launcher_add_places(char **words, int count, const struct launcher_command *command,
                        const struct launcher_program *program);

#endif
