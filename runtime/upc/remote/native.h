/*
 * native.h: collectives of the underlying library, for the registry's "native" ways.
 */
#ifndef BN_UPC_REMOTE_NATIVE_H
#define BN_UPC_REMOTE_NATIVE_H

#include "coll/team.h"

/** Collective; called once the segments exist.  Null if the library has no memory for it. */
const struct bn_team_native *bn_native_prepare(void);

#endif
