/*
 * channel.h: what processes of a machine say to each other through a UNIX stream socket before they have memory
 * together.
 *
 * Calls that wait end early only if the other end is gone, or by the time limit that the socket has; false then.
 */
#ifndef BN_PLATFORM_CHANNEL_H
#define BN_PLATFORM_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Whether the other end belongs to this process's user: abstract names belong to whoever comes first. */
bool bn_channel_is_own_user(int connection);

bool bn_channel_send_all(int connection, const void *data, size_t bytes);
bool bn_channel_receive_all(int connection, void *data, size_t bytes);

/** One byte, with an open file if there is one (not -1); the receiver closes it. */
bool bn_channel_send_file(int connection, int file);
bool bn_channel_receive_file(int connection, int *file_p);

#ifdef __cplusplus
}
#endif

#endif
