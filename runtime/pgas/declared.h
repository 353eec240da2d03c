/*
 * declared.h: whether the units of a program agree about the shared objects that several of them know.
 *
 * The linker joins objects by their names alone, so without this an `extern shared [5] int a[100]` would silently refer
 * to the elements of a `shared int a[100]` in another order.
 */
#ifndef BN_PGAS_DECLARED_H
#define BN_PGAS_DECLARED_H

#include "banyan/access.h"
#include "base/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Compares all declarations of each object.  Passed over are units that were compiled before declarations were
 * recorded, and names of several objects, as in libraries that hide theirs: a declaration does not tell which one it
 * means.
 *
 * @param threads The number of threads; 0 if it is not known yet, which only matters if some of the units were compiled
 *                for a fixed number.
 * @errors Reported.  BN_ERR_MISMATCH: two declarations of an object differ.  BN_ERR_MEMORY.
 * @cost   n log n comparisons of names, for n declarations.
 */
bn_status_t bn_declared_check(const struct bn_unit *units, int threads);

#ifdef __cplusplus
}
#endif

#endif
