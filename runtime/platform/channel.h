/*
 * channel.h: what processes of a machine say to each other through a UNIX stream socket before they have memory
 * together.
 *
 * Calls that wait end early only if the other end is gone, or when bn_clock_ns is until_ns (0: there is no limit); they
 * return false then, and errno is ETIMEDOUT for the limit.  Signals neither end nor prolong them.
 */
#ifndef BN_PLATFORM_CHANNEL_H
#define BN_PLATFORM_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Whether the other end belongs to this process's user: abstract names belong to whoever comes first. */
bool bn_channel_is_own_user(int connection);

/** The process at the other end; 0 if it cannot be seen from here. */
int bn_channel_process(int connection);

/** The next connection to a socket that listens, and does not block; -1 as others return false. */
int bn_channel_accept(int listener, uint64_t until_ns);

bool bn_channel_send_all(int connection, const void *data, size_t bytes, uint64_t until_ns);
bool bn_channel_receive_all(int connection, void *data, size_t bytes, uint64_t until_ns);

/** One byte, with an open file if there is one (not -1); the receiver closes it. */
bool bn_channel_send_file(int connection, int file, uint64_t until_ns);
bool bn_channel_receive_file(int connection, int *file_p, uint64_t until_ns);

#ifdef __cplusplus
}
#endif

#endif
