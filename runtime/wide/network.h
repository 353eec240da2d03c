/*
 * network.h: messages between members on different nodes, carried by the library below.
 *
 * Messages from one member to another arrive in the order in which they were sent, and a receive takes the next one,
 * which must have the size that it asks for.  A waiting member must drive the network's progress by calling is_done
 * repeatedly.
 */
#ifndef BN_WIDE_NETWORK_H
#define BN_WIDE_NETWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A message in flight; the library below keeps its state here.  The struct may be moved between calls. */
struct bn_message {
    uint64_t handle;
    bool is_done;
    uint32_t entry;   /* its entry in a record (record.h); for the sender and receiver */
    bool may_be_less; /* fewer bytes may arrive, if that is all the sender has in its call */
    size_t nbytes;    /* the bytes that must arrive, if the network is to check this; otherwise 0 */
};

struct bn_network {
    void *context;
    /* nbytes is at most BN_MESSAGE_BYTES, and may be 0; data must not change until the message is done. */
    void (*send)(void *context, int to, const void *data, size_t nbytes, struct bn_message *message);
    void (*receive)(void *context, int from, void *data, size_t nbytes, struct bn_message *message);
    /* Whether the data of a message may be used; sets is_done.  Not called again once a message is done. */
    bool (*is_done)(void *context, struct bn_message *message);
    /* The latency of a message, in bytes that a link carries in that time */
    size_t latency_bytes;
    /* The cost of one more message at its ends, and of a step that all members of a node take, in the same unit */
    size_t message_bytes, step_bytes;
    /* Forwarded data is cut into pieces with sizes between these, so that copying overlaps with transmission
     * (bn_wide_fragment). */
    size_t least_fragment_bytes, fragment_bytes;
};
enum { BN_MESSAGE_BYTES = 1 << 30 };

#ifdef __cplusplus
}
#endif

#endif
