#include "platform/channel.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

bool bn_channel_is_own_user(int connection)
{
    struct ucred peer;
    socklen_t bytes = sizeof peer;
    return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) == 0 && peer.uid == getuid();
}

bool bn_channel_send_all(int connection, const void *data, size_t bytes)
{
    const char *next = data;
    while (bytes > 0) {
        ssize_t sent = send(connection, next, bytes, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return false;
        next += sent;
        bytes -= (size_t)sent;
    }
    return true;
}

bool bn_channel_receive_all(int connection, void *data, size_t bytes)
{
    char *next = data;
    while (bytes > 0) {
        ssize_t got = recv(connection, next, bytes, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        next += got;
        bytes -= (size_t)got;
    }
    return true;
}

bool bn_channel_send_file(int connection, int file)
{
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int))];
    } control = {.header = {.cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS}};
    char byte = 0;
    struct iovec part = {.iov_base = &byte, .iov_len = 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (file >= 0) {
        memcpy(CMSG_DATA(&control.header), &file, sizeof file);
        message.msg_control = &control;
        message.msg_controllen = sizeof control.room;
    }
    return sendmsg(connection, &message, MSG_NOSIGNAL) == 1;
}

bool bn_channel_receive_file(int connection, int *file_p)
{
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int))];
    } control;
    char byte;
    struct iovec part = {.iov_base = &byte, .iov_len = 1};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control.room};
    *file_p = -1;
    if (recvmsg(connection, &message, MSG_CMSG_CLOEXEC) != 1)
        return false;
    const struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS)
        memcpy(file_p, CMSG_DATA(header), sizeof *file_p);
    return true;
}
