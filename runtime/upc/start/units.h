/*
 * units.h: the translation units that make up the program.
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
 * For lib/banyan/libbanyan.so where the runtime of the program comes first: what libraries call that the program lacks
 * would be found in the other.  From here on, a library that is loaded after the start is an error unless the program
 * has the whole runtime (whole.c).
 */
void bn_units_expect_part(void);

/* bn_unit_register of this runtime, where another may have come first */
BN_OWN_DECLARE(bn_unit_register);

/* The units that have registered, in link order; null if there are none. */
const struct bn_unit *bn_units(void);

/*
 * Checks that the units fit together and to this runtime.  *static_threads_p becomes the THREADS that the program was
 * compiled for, or 0 in the dynamic environment; units without a count go with any.
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
