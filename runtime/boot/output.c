#include "boot/output.h"

#include "base/log.h"
#include "boot/job.h"
#include "platform/atomic_word.h"
#include "platform/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    RECEIVE_BYTES = 256 << 10,
    ROUND_BYTES = 2 << 20,      /* read at most this much before checking for signals again */
    HIGH_WATER_BYTES = 4 << 20, /* more than this in the queue stops reading */
    HELD_MAX_BYTES = 16 << 20,  /* may wait for the end of a line */
};

static bool make_socket(struct bn_output_channel *channel)
{
    int ends[2];
    int on = 1;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    channel->receiver = ends[0];
    channel->sender = ends[1];
    return setsockopt(ends[0], SOL_SOCKET, SO_PASSCRED, &on, sizeof on) == 0;
}

static bool is_same_file(int a, int b)
{
    struct stat of_a, of_b;
    return fstat(a, &of_a) == 0 && fstat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

/* Whether writes never block, as for regular files and the like. */
static bool never_waits(int target)
{
    struct stat of_target;
    if (fstat(target, &of_target) != 0 || S_ISREG(of_target.st_mode))
        return true;
    return S_ISCHR(of_target.st_mode) && !isatty(target);
}

bn_status_t bn_output_create(struct bn_output *output, const pid_t *processes, int thread_count, bool has_labels)
{
    const struct bn_lines_config config = {.has_labels = has_labels, .held_max_bytes = HELD_MAX_BYTES};
    *output = (struct bn_output){.processes = processes, .thread_count = thread_count};
    output->is_shared = is_same_file(STDOUT_FILENO, STDERR_FILENO);
    for (int i = 0; i < 2; ++i) {
        struct bn_output_channel *channel = &output->channels[i];
        channel->target = i == 0 ? STDOUT_FILENO : STDERR_FILENO;
        channel->is_file = never_waits(channel->target);
        if (!make_socket(channel)) {
            bool is_full = errno == EMFILE || errno == ENFILE;
            bn_log_error("cannot make a socket for the output of the threads: %s; %s", strerror(errno),
                         is_full ? "raise the limit of open files (ulimit -n)"
                                 : "the container or sandbox must allow the system calls socketpair and setsockopt");
            return BN_ERR_SYSTEM;
        }
        channel->lines = i == 1 && output->is_shared ? output->channels[0].lines : bn_lines_create(&config);
        if (!channel->lines) {
            bn_log_error("no memory for the output of the threads");
            return BN_ERR_MEMORY;
        }
    }
    return BN_OK;
}

void bn_output_attach(struct bn_output *output)
{
    for (int i = 0; i < 2; ++i) {
        dup2(output->channels[i].sender, output->channels[i].target);
        close(output->channels[i].sender);
        close(output->channels[i].receiver);
        if (i == 0 || !output->is_shared)
            bn_lines_destroy(output->channels[i].lines);
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
}

/*
 * The target is shared with other processes, so it cannot be made non-blocking.  A terminal or pipe is opened again,
 * which gives a separate file description; where that is not allowed, small writes after poll do nearly as well.
 */
static int own_target(int target)
{
    char path[32];
    struct stat of_target;
    if (fstat(target, &of_target) != 0 || S_ISSOCK(of_target.st_mode))
        return target;
    snprintf(path, sizeof path, "/proc/self/fd/%d", target);
    int own = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    return own >= 0 ? own : target;
}

void bn_output_start(struct bn_output *output)
{
    for (int i = 0; i < 2; ++i) {
        struct bn_output_channel *channel = &output->channels[i];
        close(channel->sender);
        channel->sender = -1;
        if (!channel->is_file)
            channel->target = own_target(channel->target);
    }
}

static size_t queued_bytes(const struct bn_output_channel *channel)
{
    return bn_lines_queued_bytes(channel->lines);
}

/* The front of a queue, with the channel to which it belongs */
static const char *front_of(const struct bn_output *output, int i, int *channel_p, size_t *bytes_p)
{
    return i == 1 && output->is_shared ? NULL : bn_lines_front(output->channels[i].lines, channel_p, bytes_p);
}

int bn_output_poll(const struct bn_output *output, struct pollfd *polls)
{
    int count = 0;
    for (int i = 0; i < 2; ++i) {
        const struct bn_output_channel *channel = &output->channels[i];
        int owner;
        size_t bytes;
        if (channel->receiver >= 0 && queued_bytes(channel) < HIGH_WATER_BYTES)
            polls[count++] = (struct pollfd){.fd = channel->receiver, .events = POLLIN};
        if (front_of(output, i, &owner, &bytes))
            polls[count++] = (struct pollfd){.fd = output->channels[owner].target, .events = POLLOUT};
    }
    return count;
}

int64_t bn_output_deadline(const struct bn_output *output)
{
    int64_t first = bn_lines_deadline(output->channels[0].lines);
    int64_t second = bn_lines_deadline(output->channels[1].lines);
    if (first < 0 || second < 0)
        return first < 0 ? second : first;
    return first < second ? first : second;
}

/* ---- From the sockets ---- */

static pid_t sender_of(struct msghdr *message)
{
    for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part; part = CMSG_NXTHDR(message, part)) {
        if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == SCM_CREDENTIALS) {
            struct ucred credentials;
            memcpy(&credentials, CMSG_DATA(part), sizeof credentials);
            return credentials.pid;
        }
    }
    return 0;
}

static int thread_of(const struct bn_output *output, pid_t process)
{
    for (int thread = 0; thread < output->thread_count; ++thread) {
        if (output->processes[thread] == process)
            return thread;
    }
    return -1;
}

/* Whether standard output of a thread is written only when a line ends, the buffer is full, or the program flushes.  On
 * standard error, and from other programs, lines may arrive in arbitrary pieces. */
static bool is_buffered(int thread)
{
    return thread >= 0 && bn_word_see(&bn_job()->threads[thread].prints_lines);
}

static void stop_reading(struct bn_output_channel *channel)
{
    if (channel->receiver < 0)
        return;
    shutdown(channel->receiver, SHUT_RD);
    close(channel->receiver);
    channel->receiver = -1;
}

static void tell_of_loss(bool is_kept)
{
    if (!is_kept)
        bn_log_error("no memory for the output of the threads; some of it is lost");
}

/* Receives one piece, from a single sender.  Returns 0 if there is nothing now. */
static size_t receive(struct bn_output *output, int i, int64_t now_ns)
{
    static char data[RECEIVE_BYTES];
    struct bn_output_channel *channel = &output->channels[i];
    union {
        struct cmsghdr aligned;
        char bytes[CMSG_SPACE(sizeof(struct ucred))];
    } control;
    struct iovec piece = {.iov_base = data, .iov_len = sizeof data};
    struct msghdr message = {
        .msg_iov = &piece, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t bytes;
    do
        bytes = recvmsg(channel->receiver, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    while (bytes < 0 && errno == EINTR);
    if (bytes < 0 && errno != EAGAIN && output->write_error == 0) {
        output->write_error = errno;
        output->cannot_receive = true;
    }
    if (bytes == 0 || (bytes < 0 && errno != EAGAIN))
        stop_reading(channel);
    if (bytes <= 0)
        return 0;
    struct bn_lines_source source = {.channel = i, .process = sender_of(&message)};
    source.thread = thread_of(output, source.process);
    source.is_flushed = i == 0 && bytes < BN_OUTPUT_STDIO_BYTES && is_buffered(source.thread);
    if (!channel->is_broken)
        tell_of_loss(bn_lines_put(channel->lines, &source, data, (size_t)bytes, now_ns));
    return (size_t)bytes;
}

static void receive_all(struct bn_output *output, int64_t now_ns, size_t limit_bytes)
{
    for (int i = 0; i < 2; ++i) {
        struct bn_output_channel *channel = &output->channels[i];
        for (size_t bytes = 0;
             channel->receiver >= 0 && bytes < limit_bytes && queued_bytes(channel) < HIGH_WATER_BYTES;) {
            size_t now = receive(output, i, now_ns);
            if (now == 0)
                break;
            bytes += now;
        }
    }
}

/* ---- To the targets ---- */

/* The target takes nothing any more: makes writers to the channel get the same errors as without the monitor. */
static void give_up(struct bn_output *output, struct bn_output_channel *channel, int error)
{
    channel->is_broken = true;
    if (output->write_error == 0 && !bn_file_lacks_reader(channel->target, error))
        output->write_error = error;
    stop_reading(channel);
}

static bool can_write(int target)
{
    struct pollfd ready = {.fd = target, .events = POLLOUT};
    return poll(&ready, 1, 0) == 1;
}

/* Writes as much of the front of one queue as possible without blocking.  Returns false if nothing more can be done
 * now. */
static bool write_front(struct bn_output *output, int i)
{
    int owner;
    size_t bytes;
    const char *data = front_of(output, i, &owner, &bytes);
    if (!data)
        return false;
    struct bn_output_channel *channel = &output->channels[owner];
    if (!channel->is_broken) {
        bool is_borrowed = !channel->is_file && channel->target <= STDERR_FILENO;
        if (is_borrowed && !can_write(channel->target))
            return false;
        ssize_t written = write(channel->target, data, is_borrowed && bytes > PIPE_BUF ? PIPE_BUF : bytes);
        if (written < 0 && errno == EAGAIN)
            return false;
        if (written < 0 && errno != EINTR)
            give_up(output, channel, errno);
        bytes = written > 0 ? (size_t)written : 0;
    }
    if (bytes > 0)
        bn_lines_consume(channel->lines, bytes);
    return true;
}

static void write_all(struct bn_output *output)
{
    for (int i = 0; i < 2; ++i) {
        while (write_front(output, i))
            continue;
    }
}

void bn_output_move(struct bn_output *output, int64_t now_ns)
{
    receive_all(output, now_ns, ROUND_BYTES);
    for (int i = 0; i < 2; ++i) {
        if (i == 0 || !output->is_shared)
            tell_of_loss(bn_lines_advance(output->channels[i].lines, now_ns));
    }
    write_all(output);
}

void bn_output_finish(struct bn_output *output, int64_t now_ns)
{
    for (int i = 0; i < 2; ++i) {
        struct bn_output_channel *channel = &output->channels[i];
        /* A process left behind by a thread may write forever, so reading is limited; the output of the threads comes
         * first. */
        for (size_t bytes = 0, now = 1; channel->receiver >= 0 && now > 0 && bytes < ROUND_BYTES; bytes += now)
            now = receive(output, i, now_ns);
        stop_reading(channel);
    }
    for (int i = 0; i < 2; ++i)
        tell_of_loss(bn_lines_finish(output->channels[i].lines));
    write_all(output);
}

void bn_output_say(struct bn_output *output, const char *text)
{
    struct bn_lines *lines = output->channels[1].lines;
    tell_of_loss(bn_lines_finish(lines));
    tell_of_loss(bn_lines_say(lines, 1, text));
    write_all(output);
}

bool bn_output_is_empty(const struct bn_output *output)
{
    int owner;
    size_t bytes;
    return !bn_lines_front(output->channels[0].lines, &owner, &bytes) &&
           !bn_lines_front(output->channels[1].lines, &owner, &bytes);
}

bool bn_output_is_broken(const struct bn_output *output)
{
    return output->channels[0].is_broken || output->channels[1].is_broken || output->cannot_receive;
}
