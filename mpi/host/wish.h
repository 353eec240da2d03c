/* wish.h: options that ask for a report: 1 for a table on standard error, or json:FILE. */
#ifndef BN_MPI_HOST_WISH_H
#define BN_MPI_HOST_WISH_H

#include "base/options.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Whether the option asks for a report: it is set, and neither 0 nor no. */
bool bn_wish_is_made(enum bn_option_id id);

/** The file for JSON, as the user has named it (host/files.h).  Null: a table is wanted, or nothing. */
const char *bn_wish_json_file(enum bn_option_id id);

/** Checks the value of the option.  @errors False, reported. */
bool bn_wish_check(enum bn_option_id id);

#ifdef __cplusplus
}
#endif

#endif
