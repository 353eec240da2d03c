/*
 * circle.h: collective operations of the library below among the leaders of nodes, used instead of messages between
 * them, because a fabric may implement them in hardware.
 *
 * Members are identified by their node numbers.  All leaders begin the same operations in the same order without
 * waiting for each other, and await them like messages (network.h), whose is_done accepts them.
 */
#ifndef BN_WIDE_CIRCLE_H
#define BN_WIDE_CIRCLE_H

#include "coll/operation.h"
#include "wide/network.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { BN_CIRCLE_ALL = -1 }; /* all leaders get the result */

/* The data that a leader sends to and receives from each node: the same number of bytes, at the same offset in both
 * buffers */
struct bn_circle_parts {
    const size_t *bytes, *offsets; /* the sum, and each part's end, are at most BN_MESSAGE_BYTES */
};

struct bn_circle {
    void *context;
    void (*barrier)(void *context, struct bn_message *message);
    void (*broadcast)(void *context, int root, void *data, size_t nbytes, struct bn_message *message);
    /* root may be BN_CIRCLE_ALL; dst differs from src, and is used only on leaders that get the result. */
    void (*combine)(void *context, int root, const void *src, void *dst, size_t count, const struct bn_vector *vector,
                    struct bn_message *message);
    /* The leader's own part is already in place. */
    void (*gather_all)(void *context, void *data, struct bn_circle_parts parts, struct bn_message *message);
    void (*exchange)(void *context, const void *src, void *dst, struct bn_circle_parts parts,
                     struct bn_message *message);
};

/** Whether an operation can use a circle for blocks of nbytes; the same on all members. */
bool bn_circle_has(enum bn_operation operation, size_t nbytes);

#ifdef __cplusplus
}
#endif

#endif
