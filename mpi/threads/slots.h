/*
 * slots.h: words for the members of windows (direct.h), in memory that all processes of a machine map when they start.
 * So most windows need no shared memory of their own, which would take longer to make than anything else about them.
 */
#ifndef BN_MPI_THREADS_SLOTS_H
#define BN_MPI_THREADS_SLOTS_H

#include "threads/direct.h"

/** Called by all processes of a machine.  Without memory there are no slots.  mark: not 0, and unlike those of other
 *  programs (shared_file.h). */
void bn_slots_begin(MPI_Comm node, uint64_t mark);
void bn_slots_end(void);

/** One of this process's slots, whose words are then zero; negative: none is free.  Inside. */
int bn_slots_take(void);
void bn_slots_give(int slot);

/** The words of a slot of the process with that rank in the communicator of bn_slots_begin. */
struct bn_direct_words *bn_slots_words(int process, int slot);

#endif
