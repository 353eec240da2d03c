/*
 * circle.h: collective operations of a library below among the leaders of nodes, in place of messages between them: a
 * fabric may carry them out by itself.
 *
 * Members are nodes, by their numbers.  All leaders begin the same operations in the same order, none waits for
 * another to begin one, and each awaits them as it does messages (network.h), whose is_done knows them.
 */
#ifndef BN_WIDE_CIRCLE_H
#define BN_WIDE_CIRCLE_H

#include "coll/operation.h"
#include "wide/network.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { BN_CIRCLE_ALL = -1 }; /* leaders get a result */

/* What a leader has for each node, or gets from it: the same number of bytes, at the same place of either memory */
struct bn_circle_parts {
    const size_t *bytes, *offsets; /* their sum, and each end, are at most BN_MESSAGE_BYTES */
};

struct bn_circle {
    void *context;
    void (*barrier)(void *context, struct bn_message *message);
    void (*broadcast)(void *context, int root, void *data, size_t nbytes, struct bn_message *message);
    /* root may be BN_CIRCLE_ALL; dst is not src, and only of those that get the result. */
    void (*combine)(void *context, int root, const void *src, void *dst, size_t count, const struct bn_vector *vector,
                    struct bn_message *message);
    /* The own part is in its place. */
    void (*gather_all)(void *context, void *data, struct bn_circle_parts parts, struct bn_message *message);
    void (*exchange)(void *context, const void *src, void *dst, struct bn_circle_parts parts,
                     struct bn_message *message);
};

/** Whether an operation has a form in which leaders use one, for blocks of so many bytes: the same on all members. */
bool bn_circle_has(enum bn_operation operation, size_t nbytes);

#ifdef __cplusplus
}
#endif

#endif
