#include "boot/ranks.h"

#include "base/log.h"
#include "base/options.h"
#include "base/parse.h"
#include "platform/channel.h"
#include "platform/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { PATIENCE_S = 60, RETRY_NS = 5000000, HELLO_MAGIC = 0x62616e79 };

/* The variables by which launchers tell a process its place */
struct launcher {
    const char *rank;
    const char *size;
    const char *local_size;
    const char *machines; /* the number of machines, if processes are distributed evenly; null if the launcher does not
                           * tell */
};

static const struct launcher launchers[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE", NULL},
    {"FLUX_TASK_RANK", "FLUX_JOB_SIZE", NULL, "FLUX_JOB_NNODES"},
    {"PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS", NULL},
};

struct place {
    int rank;
    int size;
    int local_size;
};

/* The header that a process sends to that of rank 0, before its environment */
struct hello {
    uint32_t magic;
    int32_t rank;
    int32_t size;
    uint64_t environment_bytes;
    struct bn_pu_set usable;
};

/* ---- The place of this process ---- */

static int number_of(const char *name, int fallback)
{
    const char *text = name ? getenv(name) : NULL;
    int64_t number;
    return text && bn_parse_int(text, &number) && number >= 0 && number <= INT32_MAX ? (int)number : fallback;
}

static bool find_place(struct place *place_p)
{
    for (size_t i = 0; i < sizeof launchers / sizeof launchers[0]; ++i) {
        int size = number_of(launchers[i].size, 0);
        int rank = number_of(launchers[i].rank, -1);
        if (rank < 0 || size <= rank)
            continue;
        int machines = number_of(launchers[i].machines, 1);
        int local_size = machines > 1 ? size / machines : number_of(launchers[i].local_size, size);
        *place_p = (struct place){.rank = rank, .size = size, .local_size = local_size};
        return true;
    }
    return false;
}

/* A name unique to the processes of one launch: the launcher's namespace, or its process id. */
static socklen_t meeting_point(struct sockaddr_un *address_p)
{
    const char *launch = getenv("PMIX_NAMESPACE");
    *address_p = (struct sockaddr_un){.sun_family = AF_UNIX};
    char *name = address_p->sun_path + 1;
    size_t room = sizeof address_p->sun_path - 1;
    int length = launch ? snprintf(name, room, "banyan-ranks-%u-%s", (unsigned)getuid(), launch)
                        : snprintf(name, room, "banyan-ranks-%u-%d", (unsigned)getuid(), (int)getppid());
    size_t used = (size_t)length < room ? (size_t)length : room - 1;
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + used);
}

static uint64_t end_of_patience(void)
{
    return bn_clock_ns() + (uint64_t)PATIENCE_S * 1000000000;
}

/* ---- Every rank but 0 ---- */

static bool send_self(int connection, const struct place *place)
{
    struct hello hello = {.magic = HELLO_MAGIC, .rank = place->rank, .size = place->size};
    int launcher_file = number_of("PMI_FD", -1);
    for (char **entry = environ; *entry; ++entry)
        hello.environment_bytes += strlen(*entry) + 1;
    bn_cpus_affinity(&hello.usable);
    bool is_sent =
        bn_channel_send_all(connection, &hello, sizeof hello, 0) && bn_channel_send_file(connection, launcher_file, 0);
    for (char **entry = environ; *entry && is_sent; ++entry)
        is_sent = bn_channel_send_all(connection, *entry, strlen(*entry) + 1, 0);
    return is_sent;
}

static int connect_to_first(void)
{
    struct sockaddr_un address;
    socklen_t bytes = meeting_point(&address);
    for (uint64_t end_ns = end_of_patience(); bn_clock_ns() < end_ns;) {
        int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (connection < 0)
            return -1;
        if (connect(connection, (struct sockaddr *)&address, bytes) == 0)
            return connection;
        close(connection);
        nanosleep(&(struct timespec){.tv_nsec = RETRY_NS}, NULL);
    }
    errno = ETIMEDOUT;
    return -1;
}

__attribute__((noreturn)) static void stand_by(const struct place *place)
{
    int connection = connect_to_first();
    if (connection < 0) {
        bn_log_error("rank %d cannot reach rank 0 to start the threads: %s; all ranks must run the same program",
                     place->rank, strerror(errno));
        _exit(EXIT_FAILURE);
    }
    if (!bn_channel_is_own_user(connection) || !send_self(connection, place)) {
        bn_log_error("rank %d cannot send its environment to rank 0: %s", place->rank, strerror(errno));
        _exit(EXIT_FAILURE);
    }
    unsigned char status;
    _exit(bn_channel_receive_all(connection, &status, sizeof status, 0) ? status : EXIT_FAILURE);
}

/* ---- Rank 0 ---- */

static char **list_environment(char *block, size_t bytes)
{
    size_t count = 0;
    for (size_t i = 0; i < bytes; ++i)
        count += block[i] == '\0';
    char **entries = calloc(count + 1, sizeof *entries);
    if (!entries)
        return NULL;
    for (size_t i = 0; i < count; ++i) {
        entries[i] = block;
        block += strlen(block) + 1;
    }
    return entries;
}

static bool is_expected(const struct hello *hello, const struct bn_ranks *ranks)
{
    enum { ENVIRONMENT_MAX_BYTES = 1 << 26 };
    return hello->magic == HELLO_MAGIC && hello->size == ranks->count && hello->rank > 0 &&
           hello->rank < ranks->count && !ranks->ranks[hello->rank].environment &&
           hello->environment_bytes <= ENVIRONMENT_MAX_BYTES;
}

static char **receive_environment(int connection, size_t bytes, uint64_t until_ns)
{
    char **environment = NULL;
    char *block = malloc(bytes + 1);
    if (block && bn_channel_receive_all(connection, block, bytes, until_ns))
        environment = list_environment(block, bytes);
    if (!environment)
        free(block);
    return environment;
}

/* Closes the connection if it fails. */
static bool receive_rank(int connection, uint64_t until_ns, struct bn_ranks *ranks)
{
    struct hello hello;
    int file = -1;
    if (bn_channel_receive_all(connection, &hello, sizeof hello, until_ns) &&
        bn_channel_receive_file(connection, &file, until_ns) && is_expected(&hello, ranks)) {
        struct bn_rank *rank = &ranks->ranks[hello.rank];
        *rank = (struct bn_rank){.usable = hello.usable, .launcher_file = file, .connection = connection};
        rank->environment = receive_environment(connection, hello.environment_bytes, until_ns);
        if (rank->environment)
            return true;
    }
    if (file >= 0)
        close(file);
    close(connection);
    return false;
}

/* The next connection from a process of this user; anybody can connect to an abstract name. */
static int accept_own(int meeting, uint64_t until_ns)
{
    do {
        int connection = bn_channel_accept(meeting, until_ns);
        if (connection < 0 || bn_channel_is_own_user(connection))
            return connection;
        close(connection);
    } while (bn_clock_ns() < until_ns);
    errno = ETIMEDOUT;
    return -1;
}

static bn_status_t receive_ranks(int meeting, struct bn_ranks *ranks)
{
    for (int missing = ranks->count - 1; missing > 0; --missing) {
        uint64_t until_ns = end_of_patience();
        int connection = accept_own(meeting, until_ns);
        if (connection < 0) {
            bn_log_error("%d of %d ranks did not arrive to start their threads: %s; all ranks must run the same "
                         "program",
                         missing, ranks->count, errno == ETIMEDOUT ? "they are late" : strerror(errno));
            return BN_ERR_SYSTEM;
        }
        if (!receive_rank(connection, until_ns, ranks)) {
            bn_log_error("a rank has not sent its environment; all ranks must run the same program");
            return BN_ERR_MISMATCH;
        }
    }
    return BN_OK;
}

static void widen_affinity(const struct bn_ranks *ranks)
{
    struct bn_pu_set all = ranks->ranks[0].usable;
    for (int rank = 1; rank < ranks->count; ++rank) {
        for (size_t i = 0; i < sizeof all.words / sizeof all.words[0]; ++i)
            all.words[i] |= ranks->ranks[rank].usable.words[i];
    }
    if (bn_cpus_bind(&all) != BN_OK)
        bn_log_warning("cannot use the processors of all ranks; the threads share those of rank 0");
}

static bn_status_t lead(struct bn_ranks *ranks)
{
    struct sockaddr_un address;
    socklen_t bytes = meeting_point(&address);
    int meeting = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (meeting < 0 || bind(meeting, (struct sockaddr *)&address, bytes) != 0 || listen(meeting, BN_THREAD_MAX) != 0) {
        bn_log_error("cannot meet the other ranks to start the threads: %s", strerror(errno));
        if (meeting >= 0)
            close(meeting);
        return BN_ERR_SYSTEM;
    }
    bn_status_t status = receive_ranks(meeting, ranks);
    close(meeting);
    return status;
}

bn_status_t bn_ranks_gather(struct bn_ranks *ranks_p)
{
    struct place place;
    *ranks_p = (struct bn_ranks){0};
    if (!find_place(&place))
        return BN_OK;
    if (place.local_size != place.size) {
        bn_log_error(
            "%d ranks were started, %d of them on this machine; threads need to be on one machine, all of them",
            place.size, place.local_size);
        return BN_ERR_LIMIT;
    }
    if (place.size > BN_THREAD_MAX) {
        bn_log_error("%d ranks were started; a program can have at most %d threads", place.size, BN_THREAD_MAX);
        return BN_ERR_LIMIT;
    }
    if (place.rank != 0)
        stand_by(&place);
    ranks_p->ranks = calloc((size_t)place.size, sizeof *ranks_p->ranks);
    if (!ranks_p->ranks) {
        bn_log_error("no memory for %d ranks", place.size);
        return BN_ERR_MEMORY;
    }
    ranks_p->count = place.size;
    ranks_p->ranks[0] = (struct bn_rank){.environment = environ, .launcher_file = -1, .connection = -1};
    bn_cpus_affinity(&ranks_p->ranks[0].usable);
    bn_status_t status = place.size > 1 ? lead(ranks_p) : BN_OK;
    if (status == BN_OK)
        widen_affinity(ranks_p);
    return status;
}

/* The descriptor number that the file had in the rank's process may be in use by another file here. */
static void take_launcher_file(int file)
{
    char number[16];
    fcntl(file, F_SETFD, 0);
    snprintf(number, sizeof number, "%d", file);
    setenv("PMI_FD", number, 1);
}

void bn_ranks_become(const struct bn_ranks *ranks, int rank)
{
    if (ranks->count == 0)
        return;
    const struct bn_rank *own = &ranks->ranks[rank];
    if (rank != 0)
        environ = own->environment;
    for (int other = 0; other < ranks->count; ++other) {
        int file = ranks->ranks[other].launcher_file;
        if (file >= 0 && other == rank)
            take_launcher_file(file);
        else if (file >= 0)
            close(file);
    }
    if (bn_cpus_bind(&own->usable) != BN_OK)
        bn_log_warning("cannot be bound to the processors of rank %d", rank);
}

void bn_ranks_dismiss(const struct bn_ranks *ranks, int status)
{
    unsigned char byte = (unsigned char)status;
    for (int rank = 1; rank < ranks->count; ++rank)
        (void)!bn_channel_send_all(ranks->ranks[rank].connection, &byte, sizeof byte,
                                   0); /* failure is harmless: a process that is gone needs no status */
}
