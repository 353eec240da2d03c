/*
 * hierarchy.h: where the threads of a job over several nodes are.  Each thread finds out its own place at the start and
 * shows it to the others; a thread that needs the hierarchy (upc/hierarchy.h) reads all places and builds its own copy.
 */
#ifndef BN_UPC_REMOTE_HIERARCHY_H
#define BN_UPC_REMOTE_HIERARCHY_H

#include "topology/place.h"

/** The place of the calling thread, on the machine that it runs on or that BANYAN_TOPOLOGY describes; after
 * bn_remote_create. Ends the program if the description is wrong.  @cost Milliseconds. */
struct bn_place bn_upc_own_place(void);

/** The window address of the place that a thread has shown. */
const struct bn_place *bn_upc_place_of(int thread);

#endif
