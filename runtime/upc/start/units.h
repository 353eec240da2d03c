/*
 * units.h: the translation units that make up the program.
 *
 * Libraries that are there at the start stay loaded.  Those loaded later are only checked and given their initial
 * values, so that they may be unloaded; the list does not have their units.
 */
#ifndef BN_UPC_START_UNITS_H
#define BN_UPC_START_UNITS_H

#include "banyan/access.h"
#include "base/status.h"
#include "upc/own.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Called by lib/banyan/libbanyan.so if the program's own runtime comes first: functions that libraries call and the
 * program's runtime lacks would be resolved to the other runtime.  So from here on, loading a library after the start
 * is an error unless the program has the whole runtime (whole.c).
 */
void bn_units_expect_part(void);

/* bn_unit_register of this runtime, if another one may have come first */
BN_OWN_DECLARE(bn_unit_register);

/* The units registered before the start, in link order; null if there are none. */
const struct bn_unit *bn_units(void);

/*
 * Checks that the units match each other and this runtime. *static_threads_p becomes the THREADS that the program was
 * compiled for, or 0 in the dynamic environment; units without a count match any.
 *
 * @errors BN_ERR_MISMATCH, reported: another ABI, or two units compiled for different counts.
 */
bn_status_t bn_units_check(const struct bn_unit *units, int *static_threads_p);

/* Sets the initial values that belong to the calling thread.  Called by every thread, once bn_self is set. */
void bn_units_initialise(const struct bn_unit *units);

#ifdef __cplusplus
}
#endif

#endif
