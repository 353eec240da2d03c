/*
 * watched.h: the only flag that very cheap functions, such as a copy of a few bytes, have to test.
 */
#ifndef BN_UPC_WATCHED_H
#define BN_UPC_WATCHED_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether operations are checked (-fcheck) or counted (-profile); set before main.  If false, they do their work and
 * nothing else. */
extern bool bn_upc_is_watched;

#ifdef __cplusplus
}
#endif

#endif
