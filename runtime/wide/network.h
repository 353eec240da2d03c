/*
 * network.h: messages between members on different nodes, carried by a library below.
 *
 * Messages from one member to another arrive in the order in which they were sent, and a receive takes the next one,
 * which must have the size that it asks for.  A member that waits must let the network go on: is_done is called again
 * and again.
 */
#ifndef BN_WIDE_NETWORK_H
#define BN_WIDE_NETWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One that is on its way; the library below keeps what it wants in it.  It may lie elsewhere at the next call. */
struct bn_message {
    uint64_t handle;
    bool is_done;
    uint32_t entry;   /* in a record (record.h), for whoever sends and receives */
    bool may_be_less; /* fewer bytes may come, if they are all that the sender has for its call */
    size_t nbytes;    /* that must come, if the network is to look at that; else 0 */
};

struct bn_network {
    void *context;
    /* nbytes is at most BN_MESSAGE_BYTES, and may be 0; data stay as they are until the message is done. */
    void (*send)(void *context, int to, const void *data, size_t nbytes, struct bn_message *message);
    void (*receive)(void *context, int from, void *data, size_t nbytes, struct bn_message *message);
    /* Whether data of a message may be used; sets is_done.  Not called again for one that is done. */
    bool (*is_done)(void *context, struct bn_message *message);
    /* Bytes that a link carries in the time in which the first byte of a message gets through */
    size_t latency_bytes;
    /* The same for the time that one more message takes of its ends, and for a step that all members of a node take */
    size_t message_bytes, step_bytes;
    /* What is handed on goes in pieces between these, so that copying hides behind the wire (bn_wide_fragment). */
    size_t least_fragment_bytes, fragment_bytes;
};
enum { BN_MESSAGE_BYTES = 1 << 30 };

#ifdef __cplusplus
}
#endif

#endif
