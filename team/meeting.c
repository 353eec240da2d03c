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
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum {
    RETRY_NS = 2000000,
    PATIENCE_MS = 1000, /* with a process that connects and sends nothing */
    LOOK_MS = 100,      /* between checks for processes that have gone again */
    VERSION = 1,        /* of this protocol, and of the layout of the shared memory */
};

struct hello {
    uint32_t version;
    int32_t rank, size;
    uint64_t options;
};

enum verdict { WELCOME, OTHER_VERSION, OTHER_SIZE, RANK_IS_TAKEN, RANKS_ARE_MIXED, OTHER_OPTIONS, ONE_PROCESS };
struct answer {
    uint32_t verdict;
    int32_t rank, size; /* rank of the recipient; size of the team */
};

static uint64_t end_of(const struct bn_wish *wish)
{
    return wish->timeout_s > 0 ? bn_clock_ns() + (uint64_t)(wish->timeout_s * 1e9) : 0;
}

static bool is_over(const struct bn_meeting *meeting)
{
    return meeting->until_ns != 0 && bn_clock_ns() >= meeting->until_ns;
}

/* The time in ms milliseconds, or the end of the meeting if that is sooner */
static uint64_t soon(const struct bn_meeting *meeting, int ms)
{
    uint64_t ns = bn_clock_ns() + (uint64_t)ms * 1000000;
    return meeting->until_ns != 0 && meeting->until_ns < ns ? meeting->until_ns : ns;
}

static socklen_t address_of(const char *name, struct sockaddr_un *address_p)
{
    *address_p = (struct sockaddr_un){.sun_family = AF_UNIX};
    int length = snprintf(address_p->sun_path + 1, sizeof address_p->sun_path - 1, "banyan-team-%u-%s",
                          (unsigned)getuid(), name);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
}

static banyan_status say_verdict(const struct bn_wish *wish, const struct answer *answer)
{
    switch ((enum verdict)answer->verdict) {
    case WELCOME: return BANYAN_OK;
    case OTHER_SIZE:
        return bn_error(BANYAN_REFUSED,
                        "team %s: its size is %d on rank 0, but %d in this process; give the same size in all "
                        "processes",
                        wish->name, answer->size, wish->size);
    case RANK_IS_TAKEN:
        return bn_error(BANYAN_REFUSED,
                        "team %s: there is a process of rank %d already; give each process its own rank", wish->name,
                        wish->rank);
    case RANKS_ARE_MIXED:
        return bn_error(BANYAN_REFUSED,
                        "team %s: some processes have a rank and some have none; give a rank to all or to "
                        "none",
                        wish->name);
    case OTHER_OPTIONS:
        return bn_error(BANYAN_REFUSED,
                        "team %s: the variables BANYAN_COLL_... of this process differ from those of rank 0; set "
                        "the same in the environments of all processes",
                        wish->name);
    case ONE_PROCESS:
        return bn_error(BANYAN_REFUSED,
                        "team %s: two members are threads of one process; a process can be only one member, for which "
                        "any of its threads may make calls",
                        wish->name);
    default:
        return bn_error(BANYAN_REFUSED, "team %s: rank 0 uses another version of libbanyan-team; use the same for all",
                        wish->name);
    }
}

/* To be called after each call of channel.h.  If that has failed, the two sides of a connection no longer agree on what
 * comes next, so this process stops communicating and shuts down its connections, which the others notice. */
static void keep(struct bn_meeting *meeting, bool is_well)
{
    if (is_well || meeting->broken)
        return;
    meeting->broken = errno == ETIMEDOUT ? BANYAN_TIMEOUT : BANYAN_LOST;
    for (int rank = 0; rank < meeting->size; rank++)
        if (meeting->connections[rank] >= 0)
            shutdown(meeting->connections[rank], SHUT_RDWR);
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

/* Accepts a process as a member, or rejects it. */
static void receive(const struct bn_wish *wish, struct bn_meeting *meeting, int connection)
{
    struct hello hello;
    uint64_t until_ns = soon(meeting, PATIENCE_MS);
    if (!bn_channel_is_own_user(connection) || !bn_channel_receive_all(connection, &hello, sizeof hello, until_ns)) {
        close(connection);
        return;
    }
    struct answer answer = {judge(wish, meeting, &hello), hello.rank, wish->size};
    if (answer.verdict == WELCOME) {
        answer.rank = hello.rank == BANYAN_ANY_RANK ? free_rank(meeting) : hello.rank;
        meeting->connections[answer.rank] = connection;
    } else {
        bn_channel_send_all(connection, &answer, sizeof answer, until_ns);
        close(connection);
    }
}

/* Frees the ranks of processes that have gone, and counts the present ones. */
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
    return bn_error(BANYAN_TIMEOUT,
                    "team %s: only %d of %d processes have joined within %g seconds; missing: rank %s%s", wish->name,
                    meeting->size - count, meeting->size, wish->timeout_s, missing, count > 8 ? ", ..." : "");
}

/* Whether two members are in one process, which cannot map the memory twice at the same address */
static bool has_twins(const struct bn_meeting *meeting)
{
    int processes[BANYAN_SIZE_MAX] = {getpid()};
    for (int rank = 1; rank < meeting->size; rank++) {
        processes[rank] = bn_channel_process(meeting->connections[rank]);
        for (int other = 0; processes[rank] != 0 && other < rank; other++)
            if (processes[other] == processes[rank])
                return true;
    }
    return false;
}

static banyan_status gather(const struct bn_wish *wish, struct bn_meeting *meeting, int listener)
{
    while (count_present(meeting) < meeting->size) {
        if (is_over(meeting))
            return say_missing(wish, meeting);
        int connection = bn_channel_accept(listener, soon(meeting, LOOK_MS));
        if (connection >= 0)
            receive(wish, meeting, connection);
    }
    struct answer answer = {has_twins(meeting) ? ONE_PROCESS : WELCOME, 0, meeting->size};
    for (answer.rank = 1; answer.rank < meeting->size; answer.rank++)
        keep(meeting,
             bn_channel_send_all(meeting->connections[answer.rank], &answer, sizeof answer, meeting->until_ns));
    return say_verdict(wish, &answer);
}

/* ---- Other ranks ---- */

/* True: rank 0 has answered; false: there is no rank 0 yet, or it has gone. */
static bool ask(const struct bn_wish *wish, struct bn_meeting *meeting, banyan_status *status_p)
{
    const struct hello hello = {VERSION, wish->rank, wish->size, wish->options};
    struct sockaddr_un address;
    struct answer answer;
    socklen_t bytes = address_of(wish->name, &address);
    int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool is_there = connection >= 0 && connect(connection, (struct sockaddr *)&address, bytes) == 0;
    if (is_there && !bn_channel_is_own_user(connection)) {
        *status_p = bn_error(BANYAN_REFUSED, "team %s: a process of another user has that name; choose another one",
                             wish->name);
        close(connection);
        return true;
    }
    is_there = is_there && bn_channel_send_all(connection, &hello, sizeof hello, meeting->until_ns) &&
               bn_channel_receive_all(connection, &answer, sizeof answer, meeting->until_ns);
    if (!is_there) {
        if (connection >= 0)
            close(connection);
        return false;
    }
    *status_p = say_verdict(wish, &answer);
    meeting->rank = answer.rank;
    meeting->connections[0] = connection;
    return true;
}

/* ---- All ranks ---- */

/* A listening socket; -1 on failure, with errno EADDRINUSE if another process is rank 0 */
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

static banyan_status say_no_socket(const struct bn_wish *wish, int error)
{
    const char *remedy = "";
    if (error == EMFILE || error == ENFILE)
        remedy = "; raise the number of open files with 'ulimit -n'";
    else if (error == EPERM || error == EACCES || error == ENOSYS || error == EAFNOSUPPORT)
        remedy = "; the container or sandbox must allow the system calls socket, bind and listen for it";
    return bn_error(BANYAN_SYSTEM, "team %s: cannot make a UNIX socket: %s%s", wish->name, strerror(error), remedy);
}

static banyan_status meet(const struct bn_wish *wish, struct bn_meeting *meeting)
{
    banyan_status status;
    for (;;) {
        int listener = wish->rank <= 0 ? listen_as(wish->name) : -1;
        if (listener >= 0) {
            meeting->rank = 0;
            status = gather(wish, meeting, listener);
            close(listener);
            return status;
        }
        if (wish->rank <= 0 && errno != EADDRINUSE)
            return say_no_socket(wish, errno);
        if (wish->rank != 0 && ask(wish, meeting, &status))
            return status;
        if (is_over(meeting) && wish->rank == 0)
            return bn_error(BANYAN_TIMEOUT,
                            "team %s: another process has been rank 0 of a team of this name for %g "
                            "seconds",
                            wish->name, wish->timeout_s);
        if (is_over(meeting))
            return bn_error(BANYAN_TIMEOUT,
                            "team %s: rank 0 has not joined, or has stopped responding, within %g seconds", wish->name,
                            wish->timeout_s);
        nanosleep(&(struct timespec){.tv_nsec = RETRY_NS}, NULL);
    }
}

banyan_status bn_meeting_begin(const struct bn_wish *wish, struct bn_meeting *meeting)
{
    *meeting = (struct bn_meeting){.rank = wish->rank, .size = wish->size, .until_ns = end_of(wish)};
    meeting->connections = malloc((size_t)wish->size * sizeof *meeting->connections);
    if (!meeting->connections)
        return bn_error(BANYAN_MEMORY, "team %s: no memory", wish->name);
    for (int rank = 0; rank < wish->size; rank++)
        meeting->connections[rank] = -1;
    banyan_status status = meet(wish, meeting);
    if (status != BANYAN_OK)
        bn_meeting_end(meeting);
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

/* ---- Communication for node/world.h ---- */

static bool tell(void *context, void *data, size_t size_bytes)
{
    struct bn_meeting *meeting = context;
    for (int rank = 1; meeting->rank == 0 && rank < meeting->size && !meeting->broken; rank++)
        keep(meeting, bn_channel_send_all(meeting->connections[rank], data, size_bytes, meeting->until_ns));
    if (meeting->rank != 0 && !meeting->broken)
        keep(meeting, bn_channel_receive_all(meeting->connections[0], data, size_bytes, meeting->until_ns));
    return !meeting->broken;
}

static bool all(void *context, bool mine)
{
    struct bn_meeting *meeting = context;
    unsigned char is_all = mine, is_theirs = 0;
    for (int rank = 1; meeting->rank == 0 && rank < meeting->size && !meeting->broken; rank++) {
        keep(meeting, bn_channel_receive_all(meeting->connections[rank], &is_theirs, 1, meeting->until_ns));
        is_all &= is_theirs;
    }
    if (meeting->rank != 0 && !meeting->broken)
        keep(meeting, bn_channel_send_all(meeting->connections[0], &is_all, 1, meeting->until_ns));
    return tell(context, &is_all, 1) && is_all;
}

static int hand(void *context, int file)
{
    struct bn_meeting *meeting = context;
    for (int rank = 1; meeting->rank == 0 && rank < meeting->size && !meeting->broken; rank++)
        keep(meeting, bn_channel_send_file(meeting->connections[rank], file, meeting->until_ns));
    if (meeting->rank != 0 && !meeting->broken)
        keep(meeting, bn_channel_receive_file(meeting->connections[0], &file, meeting->until_ns));
    return file;
}

struct bn_talk bn_meeting_talk(struct bn_meeting *meeting)
{
    return (struct bn_talk){meeting, tell, all, hand};
}
