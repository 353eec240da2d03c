/*
 * adopt.h: puts blocks that a library of the process allocates into memory of a team.
 *
 * The library owns them like any other block: it may free them at any time, from any thread, even after the team was
 * left.  A forked child has copies of them, as of other memory of its parent.
 */
#ifndef BN_TEAM_ADOPT_H
#define BN_TEAM_ADOPT_H

#include "banyan/team.h"

/** Called when the team is left: it provides no more blocks.  False: some are still in use, and release will be called,
 * on any thread, when the last one has been freed. */
bool bn_adopt_end(banyan_team *team, void (*release)(banyan_team *team));

#endif
