/*
 * watched.h: the one flag that functions look at which cost as little as a copy of a few bytes.
 */
#ifndef BN_UPC_WATCHED_H
#define BN_UPC_WATCHED_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether operations are checked (-fcheck) or counted (-profile): set before main.  If not, they do what they do and
 * nothing else. */
extern bool bn_upc_is_watched;

#ifdef __cplusplus
}
#endif

#endif
