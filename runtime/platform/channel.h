/*
 * channel.h: messages between processes of a machine over a UNIX stream socket, before they have shared memory.
 *
 * Calls that wait give up only if the other end is gone, or when bn_clock_ns reaches until_ns (0: no limit); they then
 * return false, with errno ETIMEDOUT if the limit was reached.  Signals neither end nor prolong them.
 */
#ifndef BN_PLATFORM_CHANNEL_H
#define BN_PLATFORM_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Whether the other end belongs to this process's user.  Needed because any user's process can take an abstract name
 * first. */
bool bn_channel_is_own_user(int connection);

/** The process at the other end; 0 if it is not visible from here, for example in another pid namespace. */
int bn_channel_process(int connection);

/** The next connection to a listening, non-blocking socket; -1 where the other functions return false. */
int bn_channel_accept(int listener, uint64_t until_ns);

bool bn_channel_send_all(int connection, const void *data, size_t bytes, uint64_t until_ns);
bool bn_channel_receive_all(int connection, void *data, size_t bytes, uint64_t until_ns);

/** Sends or receives one byte, together with an open file unless file is -1; the receiver closes the file. */
bool bn_channel_send_file(int connection, int file, uint64_t until_ns);
bool bn_channel_receive_file(int connection, int *file_p, uint64_t until_ns);

#ifdef __cplusplus
}
#endif

#endif
