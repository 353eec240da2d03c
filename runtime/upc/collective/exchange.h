/*
 * exchange.h: exchange of values among all threads, for collective calls that have no other shared memory for them.
 *
 * The threads pass one barrier.  The values can be read until the call after the next one: two places are used in turn,
 * and a thread that writes to one has passed the barrier of the call in between.
 */
#ifndef BN_UPC_COLLECTIVE_EXCHANGE_H
#define BN_UPC_COLLECTIVE_EXCHANGE_H

#include <stddef.h>

/* Shows size_bytes of value (possibly 0) to all threads; returns when all threads have called.  Ends the program if
 * there is no shared memory left, or between upc_notify and upc_wait.  function is the name for messages. */
void bn_exchange_show(const char *function, const void *value, size_t size_bytes);

/* The value that a thread showed in the last call; size_bytes as given there.  Aligned to 16 bytes; valid at least
 * until the next call of this function. */
const void *bn_exchange_shown(int thread, size_t size_bytes);

#endif
