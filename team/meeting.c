#include "team/meeting.h"

#include "platform/channel.h"
#include "platform/clock.h"
#include "team/error.h"

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum {
    RETRY_NS = 2000000,
    PATIENCE_MS = 1000, /* with whoever has connected and says nothing */
    VERSION = 1,        /* of what is said here, and of what lies in the memory */
};

struct hello {
    uint32_t version;
    int32_t rank, size;
    uint64_t options;
};

enum verdict { WELCOME, OTHER_VERSION, OTHER_SIZE, RANK_IS_TAKEN, RANKS_ARE_MIXED, OTHER_OPTIONS };
struct answer {
    uint32_t verdict;
    int32_t rank, size; /* of whom it is to; of the team */
};

/* When to give up; 0: never */
struct deadline {
    uint64_t ns;
};

static struct deadline deadline_of(const struct bn_wish *wish)
{
    return (struct deadline){wish->timeout_s > 0 ? bn_clock_ns() + (uint64_t)(wish->timeout_s * 1e9) : 0};
}

/* Milliseconds that are left, for poll; 0: none */
static int left_ms(struct deadline deadline)
{
    uint64_t now_ns = bn_clock_ns();
    if (deadline.ns == 0)
        return PATIENCE_MS;
    if (now_ns >= deadline.ns)
        return 0;
    uint64_t ms = (deadline.ns - now_ns) / 1000000 + 1;
    return ms < PATIENCE_MS ? (int)ms : PATIENCE_MS;
}

static socklen_t address_of(const char *name, struct sockaddr_un *address_p)
{
    *address_p = (struct sockaddr_un){.sun_family = AF_UNIX};
    int length = snprintf(address_p->sun_path + 1, sizeof address_p->sun_path - 1, "banyan-team-%u-%s",
                          (unsigned)getuid(), name);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
}

static void limit_waits(int connection, int ms)
{
    const struct timeval limit = {ms / 1000, ms % 1000 * 1000};
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
}

static banyan_status say_verdict(const struct bn_wish *wish, const struct answer *answer)
{
    switch ((enum verdict)answer->verdict) {
    case WELCOME: return BANYAN_OK;
    case OTHER_SIZE:
        return bn_error(BANYAN_REFUSED,
                        "team %s: rank 0 makes it of %d processes, this one asks for %d; give all the "
                        "same size",
                        wish->name, answer->size, wish->size);
    case RANK_IS_TAKEN:
        return bn_error(BANYAN_REFUSED, "team %s: there is a process of rank %d already; give each one of its own",
                        wish->name, wish->rank);
    case RANKS_ARE_MIXED:
        return bn_error(BANYAN_REFUSED,
                        "team %s: some processes have a rank and some have none; give one to all or to "
                        "none",
                        wish->name);
    case OTHER_OPTIONS:
        return bn_error(BANYAN_REFUSED,
                        "team %s: this process has other options BANYAN_COLL_... than rank 0; set the "
                        "same in the environments of all",
                        wish->name);
    default:
        return bn_error(BANYAN_REFUSED, "team %s: rank 0 uses another version of libbanyan-team; use one for all",
                        wish->name);
    }
}

/* ---- Rank 0 ---- */

static enum verdict judge(const struct bn_wish *wish, const struct bn_meeting *meeting, const struct hello *hello)
{
    if (hello->version != VERSION)
        return OTHER_VERSION;
    if (hello->size != wish->size)
        return OTHER_SIZE;
    if (hello->options != wish->options)
        return OTHER_OPTIONS;
    if ((hello->rank == BANYAN_ANY_RANK) != (wish->rank == BANYAN_ANY_RANK))
        return RANKS_ARE_MIXED;
    bool is_taken = hello->rank == 0 || (hello->rank > 0 && meeting->connections[hello->rank] >= 0);
    return is_taken ? RANK_IS_TAKEN : WELCOME;
}

static int free_rank(const struct bn_meeting *meeting)
{
    int rank = 1;
    while (meeting->connections[rank] >= 0)
        rank++;
    return rank;
}

/* Lets one in, or sends it away. */
static void receive(const struct bn_wish *wish, struct bn_meeting *meeting, int connection)
{
    struct hello hello;
    limit_waits(connection, PATIENCE_MS);
    if (!bn_channel_is_own_user(connection) || !bn_channel_receive_all(connection, &hello, sizeof hello)) {
        close(connection);
        return;
    }
    struct answer answer = {judge(wish, meeting, &hello), hello.rank, wish->size};
    if (answer.verdict == WELCOME) {
        answer.rank = hello.rank == BANYAN_ANY_RANK ? free_rank(meeting) : hello.rank;
        meeting->connections[answer.rank] = connection;
    } else {
        bn_channel_send_all(connection, &answer, sizeof answer);
        close(connection);
    }
}

/* Places of those that have gone are free again. */
static int count_present(struct bn_meeting *meeting)
{
    int count = 1;
    for (int rank = 1; rank < meeting->size; rank++) {
        struct pollfd look = {.fd = meeting->connections[rank], .events = POLLIN};
        if (look.fd < 0)
            continue;
        if (poll(&look, 1, 0) > 0 && (look.revents & (POLLIN | POLLHUP | POLLERR))) {
            close(look.fd);
            meeting->connections[rank] = -1;
        } else {
            count++;
        }
    }
    return count;
}

static banyan_status say_missing(const struct bn_wish *wish, const struct bn_meeting *meeting)
{
    char missing[128] = "";
    int count = 0;
    for (int rank = 1; rank < meeting->size; rank++) {
        size_t used = strlen(missing);
        if (meeting->connections[rank] < 0 && count++ < 8)
            snprintf(missing + used, sizeof missing - used, "%s%d", used > 0 ? ", " : "", rank);
    }
    return bn_error(
        BANYAN_TIMEOUT, "team %s: %d of %d processes have come within %g seconds; there is none yet of rank %s%s",
        wish->name, meeting->size - count, meeting->size, wish->timeout_s, missing, count > 8 ? ", ..." : "");
}

static banyan_status gather(const struct bn_wish *wish, struct bn_meeting *meeting, int listener,
                            struct deadline deadline)
{
    while (count_present(meeting) < meeting->size) {
        struct pollfd look = {.fd = listener, .events = POLLIN};
        int wait_ms = left_ms(deadline);
        if (wait_ms == 0)
            return say_missing(wish, meeting);
        if (poll(&look, 1, wait_ms < 100 ? wait_ms : 100) <= 0)
            continue;
        int connection = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
        if (connection >= 0)
            receive(wish, meeting, connection);
    }
    for (int rank = 1; rank < meeting->size; rank++) {
        const struct answer answer = {WELCOME, rank, meeting->size};
        if (!bn_channel_send_all(meeting->connections[rank], &answer, sizeof answer))
            meeting->is_broken = true;
    }
    return BANYAN_OK;
}

/* ---- The others ---- */

/* True if this is settled; false: rank 0 is not there, or has gone. */
static bool ask(const struct bn_wish *wish, struct bn_meeting *meeting, struct deadline deadline,
                banyan_status *status_p)
{
    const struct hello hello = {VERSION, wish->rank, wish->size, wish->options};
    struct sockaddr_un address;
    struct answer answer;
    socklen_t bytes = address_of(wish->name, &address);
    int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct pollfd look = {.fd = connection, .events = POLLIN};
    bool is_there = connection >= 0 && connect(connection, (struct sockaddr *)&address, bytes) == 0;
    if (is_there && !bn_channel_is_own_user(connection)) {
        *status_p = bn_error(BANYAN_REFUSED, "team %s: a process of another user has that name; choose another one",
                             wish->name);
        close(connection);
        return true;
    }
    is_there = is_there && bn_channel_send_all(connection, &hello, sizeof hello);
    int wait_ms;
    while (is_there && (wait_ms = left_ms(deadline)) > 0 && poll(&look, 1, wait_ms) == 0)
        continue;
    limit_waits(connection, PATIENCE_MS);
    if (!is_there || !bn_channel_receive_all(connection, &answer, sizeof answer)) {
        if (connection >= 0)
            close(connection);
        return false;
    }
    *status_p = say_verdict(wish, &answer);
    meeting->rank = answer.rank;
    meeting->connections[0] = connection;
    return true;
}

/* ---- Everybody ---- */

/* A socket that listens; -1, and errno is EADDRINUSE if somebody else is rank 0 */
static int listen_as(const char *name)
{
    struct sockaddr_un address;
    socklen_t bytes = address_of(name, &address);
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listener >= 0 && bind(listener, (struct sockaddr *)&address, bytes) == 0 &&
        listen(listener, BANYAN_SIZE_MAX) == 0)
        return listener;
    int error = errno;
    if (listener >= 0)
        close(listener);
    errno = error;
    return -1;
}

static banyan_status meet(const struct bn_wish *wish, struct bn_meeting *meeting)
{
    struct deadline deadline = deadline_of(wish);
    banyan_status status;
    for (;;) {
        int listener = wish->rank <= 0 ? listen_as(wish->name) : -1;
        if (listener >= 0) {
            meeting->rank = 0;
            status = gather(wish, meeting, listener, deadline);
            close(listener);
            return status;
        }
        if (wish->rank <= 0 && errno != EADDRINUSE)
            return bn_error(BANYAN_SYSTEM, "team %s: the system gives no UNIX socket: %s", wish->name, strerror(errno));
        if (wish->rank != 0 && ask(wish, meeting, deadline, &status))
            return status;
        if (left_ms(deadline) == 0 && wish->rank == 0)
            return bn_error(BANYAN_TIMEOUT,
                            "team %s: another process has been rank 0 of a team of this name for %g "
                            "seconds",
                            wish->name, wish->timeout_s);
        if (left_ms(deadline) == 0)
            return bn_error(BANYAN_TIMEOUT, "team %s: its rank 0 has not come, or does not go on, within %g seconds",
                            wish->name, wish->timeout_s);
        nanosleep(&(struct timespec){.tv_nsec = RETRY_NS}, NULL);
    }
}

banyan_status bn_meeting_begin(const struct bn_wish *wish, struct bn_meeting *meeting)
{
    *meeting = (struct bn_meeting){.rank = wish->rank, .size = wish->size};
    meeting->connections = malloc((size_t)wish->size * sizeof *meeting->connections);
    if (!meeting->connections)
        return bn_error(BANYAN_MEMORY, "team %s: no memory", wish->name);
    for (int rank = 0; rank < wish->size; rank++)
        meeting->connections[rank] = -1;
    banyan_status status = meet(wish, meeting);
    if (status != BANYAN_OK)
        bn_meeting_end(meeting);
    for (int rank = 0; status == BANYAN_OK && rank < wish->size; rank++) {
        if (meeting->connections[rank] >= 0)
            limit_waits(meeting->connections[rank], 60 * PATIENCE_MS);
    }
    return status;
}

void bn_meeting_end(struct bn_meeting *meeting)
{
    for (int rank = 0; rank < meeting->size; rank++) {
        if (meeting->connections[rank] >= 0)
            close(meeting->connections[rank]);
    }
    free(meeting->connections);
    meeting->connections = NULL;
}

/* ---- Talk ---- */

static void tell(void *context, void *data, size_t size_bytes)
{
    struct bn_meeting *meeting = context;
    for (int rank = 1; meeting->rank == 0 && rank < meeting->size; rank++)
        meeting->is_broken |= !bn_channel_send_all(meeting->connections[rank], data, size_bytes);
    if (meeting->rank != 0 && !bn_channel_receive_all(meeting->connections[0], data, size_bytes)) {
        meeting->is_broken = true;
        memset(data, 0, size_bytes);
    }
}

static bool all(void *context, bool mine)
{
    struct bn_meeting *meeting = context;
    unsigned char is_all = mine && !meeting->is_broken;
    for (int rank = 1; meeting->rank == 0 && rank < meeting->size; rank++) {
        unsigned char is_theirs = 0;
        meeting->is_broken |= !bn_channel_receive_all(meeting->connections[rank], &is_theirs, 1);
        is_all &= is_theirs;
    }
    if (meeting->rank != 0)
        meeting->is_broken |= !bn_channel_send_all(meeting->connections[0], &is_all, 1);
    is_all &= !meeting->is_broken;
    tell(context, &is_all, 1);
    return is_all;
}

static int hand(void *context, int file)
{
    struct bn_meeting *meeting = context;
    for (int rank = 1; meeting->rank == 0 && rank < meeting->size; rank++)
        meeting->is_broken |= !bn_channel_send_file(meeting->connections[rank], file);
    if (meeting->rank != 0 && !bn_channel_receive_file(meeting->connections[0], &file)) {
        meeting->is_broken = true;
        file = -1;
    }
    return file;
}

struct bn_talk bn_meeting_talk(struct bn_meeting *meeting)
{
    return (struct bn_talk){meeting, tell, all, hand};
}
