/*
 * options.h: the options (base/options.h) of the processes of a job: those of its first process, in all of them.
 */
#ifndef BN_MPI_HOST_OPTIONS_H
#define BN_MPI_HOST_OPTIONS_H

#include "base/options.h"
#include "host/operations.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The variables of this process, BANYAN_* and aliases, in one text for bn_mpi_options_load; free() releases it.  Null:
 *  no memory. */
char *bn_mpi_options_text(size_t *size_bytes_p);

/** Makes them the options of this process, its log level, too; the text must last.  Only one process, the one that
 *  speaks, says which of them do not exist.  @errors False: one has a wrong value, reported; or no memory. */
bool bn_mpi_options_load(char *text, bool speaks);

/** What they say of calls of an operation. */
enum bn_mpi_mode bn_mpi_mode_of(enum bn_mpi_operation operation);

/** Whether they leave all operations to the library below. */
bool bn_mpi_is_off(void);

#ifdef __cplusplus
}
#endif

#endif
