#include "platform/channel.h"

#include "platform/clock.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct ucred peer_of(int connection)
{
    struct ucred peer = {.pid = 0, .uid = (uid_t)-1};
    socklen_t bytes = sizeof peer;
    getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &bytes);
    return peer;
}

bool bn_channel_is_own_user(int connection)
{
    return peer_of(connection).uid == getuid();
}

int bn_channel_process(int connection)
{
    return peer_of(connection).pid;
}

/* The time left, as an argument for poll; -1 for no limit */
static int left_ms(uint64_t until_ns)
{
    uint64_t now_ns = bn_clock_ns();
    if (until_ns == 0)
        return -1;
    uint64_t left_ns = until_ns > now_ns ? until_ns - now_ns : 0;
    return left_ns / 1000000 < INT_MAX ? (int)((left_ns + 999999) / 1000000) : INT_MAX;
}

/*
 * After a call that would have blocked or was interrupted (errno): waits until it can be retried, and returns false if
 * it cannot.  A timeout of the socket would start anew after each signal, and would make calls fail that are otherwise
 * restarted (signal(7)).
 */
static bool await(int connection, short events, uint64_t until_ns)
{
    struct pollfd look = {.fd = connection, .events = events};
    if (errno != EAGAIN && errno != EINTR)
        return false;
    int wait_ms = left_ms(until_ns);
    int ready = poll(&look, 1, wait_ms);
    if (ready <= 0 && wait_ms == 0)
        errno = ETIMEDOUT;
    return ready > 0 || wait_ms != 0;
}

int bn_channel_accept(int listener, uint64_t until_ns)
{
    int connection;
    do
        connection = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    while (connection < 0 && await(listener, POLLIN, until_ns));
    return connection;
}

bool bn_channel_send_all(int connection, const void *data, size_t bytes, uint64_t until_ns)
{
    const char *next = data;
    while (bytes > 0) {
        ssize_t sent = send(connection, next, bytes, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && !await(connection, POLLOUT, until_ns))
            return false;
        if (sent > 0) {
            next += sent;
            bytes -= (size_t)sent;
        }
    }
    return true;
}

/* Errors are reported in errno, and so is the end of the stream (ECONNRESET). */
static ssize_t receive(int connection, struct msghdr *message, uint64_t until_ns)
{
    ssize_t got;
    do
        got = recvmsg(connection, message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    while (got < 0 && await(connection, POLLIN, until_ns));
    if (got == 0)
        errno = ECONNRESET;
    return got;
}

bool bn_channel_receive_all(int connection, void *data, size_t bytes, uint64_t until_ns)
{
    struct iovec rest = {.iov_base = data, .iov_len = bytes};
    struct msghdr message = {.msg_iov = &rest, .msg_iovlen = 1};
    while (rest.iov_len > 0) {
        ssize_t got = receive(connection, &message, until_ns);
        if (got <= 0)
            return false;
        rest.iov_base = (char *)rest.iov_base + got;
        rest.iov_len -= (size_t)got;
    }
    return true;
}

bool bn_channel_send_file(int connection, int file, uint64_t until_ns)
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
    ssize_t sent;
    do
        sent = sendmsg(connection, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    while (sent < 0 && await(connection, POLLOUT, until_ns));
    return sent == 1;
}

bool bn_channel_receive_file(int connection, int *file_p, uint64_t until_ns)
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
    if (receive(connection, &message, until_ns) != 1)
        return false;
    const struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS)
        memcpy(file_p, CMSG_DATA(header), sizeof *file_p);
    return true;
}
