/*
 * options.h: the options (base/options.h) of a job: all processes use those of the first one.
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

/** The environment variables of this process that are options, BANYAN_* and aliases, in one text for
 *  bn_mpi_options_load; free() releases it.  Null: no memory. */
char *bn_mpi_options_text(size_t *size_bytes_p);

/** Makes these the options of this process, including its log level; the text must stay alive.  Only the process that
 *  speaks warns of options that do not exist.  @errors False: a wrong value, reported; or no memory. */
bool bn_mpi_options_load(char *text, bool speaks);

/** The mode that the options set for an operation. */
enum bn_mpi_mode bn_mpi_mode_of(enum bn_mpi_operation operation);

/** Whether the options leave all operations to the library below. */
bool bn_mpi_is_off(void);

#ifdef __cplusplus
}
#endif

#endif
