/*
 * places.h: over which machines the threads are shared out.
 */
#ifndef BN_LAUNCHER_PLACES_H
#define BN_LAUNCHER_PLACES_H

#include "options.h"
#include "program.h"

/* Takes the machines of the batch system's job, if no option names any, for a program that can run on several: all of
 * them, or as many as there are processes.  @errors BN_ERR_INVALID, reported. */
bn_status_t launcher_places_adopt(struct launcher_command *command, const struct launcher_program *program);

/* Whether the program can run where the command says.  @errors BN_ERR_INVALID, reported with what to do. */
bn_status_t launcher_places_check(const struct launcher_command *command, const struct launcher_program *program);

/* How many threads are to be started: as said, or as many as the program was compiled for, or one for each core of each
 * machine, if they have as many as this one. */
int launcher_thread_count(const struct launcher_command *command, const struct launcher_program *program);

/* Threads of a process, as the command or the program says, else as many as make one process on each machine */
int launcher_threads_each(const struct launcher_command *command, const struct launcher_program *program);

/* Processes that are to be started */
int launcher_process_count(const struct launcher_command *command, const struct launcher_program *program);

enum { LAUNCHER_PLACE_WORDS = 4 };

/*
 * Appends the words by which Open MPI's launcher gives each machine its share, the first machines one more where they
 * differ; processes are numbered machine by machine.  Returns the new count; up to LAUNCHER_PLACE_WORDS more, none if
 * nothing is said.
 */
int launcher_add_places(char **words, int count, const struct launcher_command *command,
                        const struct launcher_program *program);

#endif
