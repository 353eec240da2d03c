#include "team/member.h"

#include "coll/run.h"
#include "platform/atomic_word.h"
#include "platform/clock.h"
#include "platform/memory.h"
#include "team/adopt.h"
#include "team/error.h"
#include "team/launch.h"
#include "team/meeting.h"
#include "team/watch.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

extern char **environ;

static uint32_t generation; /* number of forks */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool has_wrong_option;

static void count_fork(void)
{
    bn_word_add(&generation, 1);
}

static void begin_process(void)
{
    static struct bn_options options;
    pthread_atfork(NULL, NULL, count_fork);
    bn_watch_install();
    has_wrong_option = bn_options_read(&options, environ) != BN_OK;
    if (!has_wrong_option)
        bn_options_load(&options);
}

/* A hash of the options of collectives that does not depend on their order */
static uint64_t options_in_short(void)
{
    uint64_t sum = 0;
    for (char **entry = environ; *entry; entry++) {
        uint64_t hash = UINT64_C(0xcbf29ce484222325);
        for (const char *at = *entry; *at != '\0'; at++)
            hash = (hash ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
        if (strncmp(*entry, "BANYAN_COLL_", strlen("BANYAN_COLL_")) == 0)
            sum += hash;
    }
    return sum;
}

static banyan_status say_null(void)
{
    return bn_error(BANYAN_ARGUMENT, "the team is null");
}

/* ---- Join ---- */

static banyan_status check_wish(const struct bn_wish *wish, banyan_team **team_p)
{
    if (!team_p)
        return bn_error(BANYAN_ARGUMENT, "banyan_team_join: the pointer to the team is null");
    *team_p = NULL;
    size_t length = strlen(wish->name);
    if (length == 0 || length > BANYAN_NAME_MAX)
        return bn_error(BANYAN_ARGUMENT, "banyan_team_join: a name has 1 to %d bytes, this one has %zu",
                        BANYAN_NAME_MAX, length);
    if (wish->size < 1 || wish->size > BANYAN_SIZE_MAX)
        return bn_error(BANYAN_ARGUMENT, "banyan_team_join: a team has 1 to %d members, not %d", BANYAN_SIZE_MAX,
                        wish->size);
    if (wish->rank != BANYAN_ANY_RANK && (wish->rank < 0 || wish->rank >= wish->size))
        return bn_error(BANYAN_ARGUMENT, "banyan_team_join: ranks of %d members are 0 to %d, not %d", wish->size,
                        wish->size - 1, wish->rank);
    if (!(wish->timeout_s >= 0 && wish->timeout_s < 1e9))
        return bn_error(BANYAN_ARGUMENT,
                        "banyan_team_join: a time limit must be 0 (none) or a number of seconds, not %g",
                        wish->timeout_s);
    if (has_wrong_option)
        return bn_error(BANYAN_ARGUMENT,
                        "banyan_team_join: a variable BANYAN_... has a wrong value; see standard error");
    return BANYAN_OK;
}

/* Makes two sets of plans: most buffers of callers are in private memory; calls in which none is use the plans for
 * mapped memory. */
static bool plan(banyan_team *team)
{
    struct bn_team *members = &team->node->team;
    struct bn_plans *plans = members->plans;
    if (members->reach == BN_REACH_HEAP)
        members->reach = BN_REACH_KERNEL;
    team->reach = members->reach;
    team->agree.said = team->node->extra;
    team->shared = calloc(1, sizeof *team->shared);
    if (team->shared)
        bn_plans_init(members, team->shared, NULL);
    members->plans = plans;
    return team->shared != NULL;
}

/* Makes the team in the shared memory of the members. */
static bool make_node_team(banyan_team *team, const struct bn_talk *talk)
{
    uint64_t memory = 0;
    int *processes = malloc((size_t)team->size * sizeof *processes);
    for (int rank = 0; processes && rank < team->size; rank++)
        processes[rank] = rank;
    size_t said_bytes = (size_t)team->size * sizeof *team->agree.said;
    if (team->rank == 0)
        memory = bn_node_team_memory_make(team->world, team->size, said_bytes + bn_messages_shared_bytes(team->size));
    bool is_told = !talk || talk->tell(talk->context, &memory, sizeof memory);
    if (is_told && memory != 0 && processes) {
        team->node = bn_node_team_join(team->world, memory, team->rank, team->size, processes, NULL);
        if (!team->node)
            bn_node_team_memory_leave(team->world, memory);
    }
    free(processes);
    bool has_joined =
        team->node && plan(team) && bn_messages_begin(team, (unsigned char *)team->node->extra + said_bytes);
    return talk ? talk->all(talk->context, has_joined) : has_joined;
}

static void use_plans(banyan_team *team, bool are_shared)
{
    team->node->team.plans = are_shared ? team->shared : &team->node->plans;
    team->node->team.reach = are_shared ? BN_REACH_MAPPED : team->reach;
}

static banyan_status say_why(const struct bn_wish *wish, banyan_status broken, const char *why)
{
    if (broken == BANYAN_LOST)
        return bn_error(broken, "team %s: a process has ended, or has given up, while the team was made", wish->name);
    if (broken == BANYAN_TIMEOUT)
        return bn_error(broken,
                        "team %s: all processes have joined, but one of them has not responded within %g seconds",
                        wish->name, wish->timeout_s);
    return bn_error(BANYAN_SYSTEM, "team %s cannot be made: %s", wish->name, why);
}

static banyan_status join_world(banyan_team *team, const struct bn_wish *wish)
{
    struct bn_meeting meeting;
    const char *why = "there is no memory";
    banyan_status status = bn_meeting_begin(wish, &meeting);
    if (status != BANYAN_OK)
        return status;
    const struct bn_talk talk = bn_meeting_talk(&meeting);
    team->rank = meeting.rank;
    team->world = bn_world_join(&talk, meeting.rank, meeting.size, true, &why);
    if (!team->world || !make_node_team(team, &talk))
        status = say_why(wish, meeting.broken, why);
    bn_meeting_end(&meeting);
    return status;
}

static void release(banyan_team *team)
{
    bn_messages_end(team);
    if (team->shared) {
        use_plans(team, true);
        bn_plans_destroy(&team->node->team);
        use_plans(team, false);
        free(team->shared);
    }
    if (team->node)
        bn_node_team_leave(team->node);
    if (team->world)
        bn_world_leave(team->world);
    free(team->copy);
    free(team->tables);
    free(team);
}

static banyan_status join(const struct bn_wish *wish, banyan_team **team_p)
{
    banyan_status status = check_wish(wish, team_p);
    if (status != BANYAN_OK)
        return status;
    banyan_team *team = calloc(1, sizeof *team);
    size_t *tables = malloc(2 * (size_t)wish->size * sizeof *tables);
    if (!team || !tables) {
        free(team);
        free(tables);
        return bn_error(BANYAN_MEMORY, "team %s: no memory", wish->name);
    }
    team->tables = tables;
    team->size = wish->size;
    team->generation = bn_word_get(&generation);
    snprintf(team->name, sizeof team->name, "%s", wish->name);
    if (wish->size > 1)
        status = join_world(team, wish);
    else if (!make_node_team(team, NULL))
        status = bn_error(BANYAN_MEMORY, "team %s: no memory", wish->name);
    if (status != BANYAN_OK) {
        release(team);
        return status;
    }
    team->node->team.host.abandoned = bn_watch_abandoned;
    team->node->team.host.differs = bn_watch_differs;
    *team_p = team;
    return BANYAN_OK;
}

banyan_status banyan_team_join(const char *name, int rank, int size, double timeout_s, banyan_team **team_p)
{
    struct bn_launch launch;
    struct bn_wish wish = {name, rank, size, timeout_s, 0};
    pthread_once(&once, begin_process);
    if (!name) {
        banyan_status status = bn_launch_find(&launch);
        if (status != BANYAN_OK)
            return status;
        wish = (struct bn_wish){launch.name, launch.rank, launch.size, timeout_s, 0};
    }
    wish.options = options_in_short();
    return join(&wish, team_p);
}

/* Bits that no other call has got.  Where a sandbox refuses random ones, time, process and number have to do. */
static void make_unique(uint64_t bits[2])
{
    static uint32_t count;
    size_t size_bytes = 2 * sizeof bits[0];
    ssize_t got;
    do
        got = getrandom(bits, size_bytes, 0);
    while (got < 0 && errno == EINTR);
    if (got == (ssize_t)size_bytes)
        return;
    bits[0] = bn_clock_ns();
    bits[1] = (uint64_t)getpid() << 32 | bn_word_add(&count, 1);
}

const char *banyan_team_new_name(char name[BANYAN_NAME_MAX + 1])
{
    uint64_t bits[2];
    make_unique(bits);
    snprintf(name, BANYAN_NAME_MAX + 1, "%016llx%016llx", (unsigned long long)bits[0], (unsigned long long)bits[1]);
    return name;
}

/* A member's arguments of banyan_team_split */
struct choice {
    int color, key;
};

static void find_place(const struct choice *choices, int size, int own, int *rank_p, int *size_p)
{
    *rank_p = *size_p = 0;
    for (int rank = 0; rank < size; rank++) {
        if (choices[rank].color != choices[own].color)
            continue;
        ++*size_p;
        bool is_before = choices[rank].key < choices[own].key || (choices[rank].key == choices[own].key && rank < own);
        *rank_p += is_before;
    }
}

banyan_status banyan_team_split(banyan_team *team, int color, int key, banyan_team **team_p)
{
    char name[BANYAN_NAME_MAX + 1];
    struct choice own = {color, key};
    if (!team)
        return say_null();
    if (!team_p)
        return bn_error(BANYAN_ARGUMENT, "banyan_team_split: the pointer to the team is null");
    if (color < -1)
        return bn_error(BANYAN_ARGUMENT, "banyan_team_split: color is -1 (none), 0 or more, not %d", color);
    *team_p = NULL;
    struct choice *choices = malloc((size_t)team->size * sizeof *choices);
    if (!choices)
        return bn_error(BANYAN_MEMORY, "banyan_team_split: no memory");
    banyan_status status = banyan_allgather(team, &own, choices, sizeof own);
    banyan_team_new_name(name);
    if (status == BANYAN_OK)
        status = banyan_broadcast(team, name, sizeof name, 0);
    struct bn_wish wish = {.name = name, .timeout_s = (double)team->timeout_ns / 1e9, .options = options_in_short()};
    find_place(choices, team->size, team->rank, &wish.rank, &wish.size);
    free(choices);
    if (status != BANYAN_OK || color < 0)
        return status;
    snprintf(name + 32, sizeof name - 32, "-%d", color);
    return join(&wish, team_p);
}

void banyan_team_retire(banyan_team *team)
{
    if (!team || team->generation != bn_word_get(&generation) || team->broken != BANYAN_OK)
        return;
    bn_messages_withdraw(team);
    bn_team_abandon(&team->node->team);
    bn_messages_wake_others(team);
    team->broken = BANYAN_LOST;
}

void banyan_team_leave(banyan_team *team)
{
    if (!team || team->generation != bn_word_get(&generation))
        return;
    banyan_team_retire(team);
    if (bn_adopt_end(team, release))
        release(team);
}

int banyan_team_rank(const banyan_team *team)
{
    return team ? team->rank : -1;
}

int banyan_team_size(const banyan_team *team)
{
    return team ? team->size : 0;
}

const char *banyan_team_name(const banyan_team *team)
{
    return team ? team->name : "";
}

banyan_status banyan_team_set_timeout(banyan_team *team, double timeout_s)
{
    if (!team)
        return say_null();
    if (!(timeout_s >= 0))
        return bn_error(BANYAN_ARGUMENT,
                        "banyan_team_set_timeout: a time limit must be 0 (none) or a number of seconds, not %g",
                        timeout_s);
    team->timeout_ns = timeout_s < 1e9 ? (uint64_t)(timeout_s * 1e9) + (timeout_s > 0) : 0;
    return BANYAN_OK;
}

void banyan_team_on_wait(banyan_team *team, bool (*gives_up)(void *context), void *context)
{
    if (!team)
        return;
    team->gives_up = gives_up;
    team->context = context;
}

/* ---- Calls ---- */

banyan_status bn_member_begin(banyan_team *team)
{
    if (!team)
        return say_null();
    if (__builtin_expect(team->generation != bn_word_get(&generation), 0))
        return bn_error(BANYAN_FORKED, "team %s: this process was forked by a member; join a team of its own",
                        team->name);
    if (__builtin_expect(team->broken != BANYAN_OK, 0))
        return bn_error(team->broken,
                        "team %s: this member has retired, or an earlier call has ended with %s; leave the "
                        "team",
                        team->name, banyan_status_name(team->broken));
    if (__builtin_expect(bn_word_swap(&team->is_busy, 1) != 0, 0))
        return bn_error(BANYAN_BUSY,
                        "team %s: another thread of this process is in a call; only one thread at a time may be",
                        team->name);
    return BANYAN_OK;
}

void bn_member_end(banyan_team *team)
{
    bn_word_show(&team->is_busy, 0);
}

static bool is_private(const banyan_team *team, uint64_t address)
{
    return address != 0 && !bn_world_has(team->world, address, 1);
}

/* Small blocks are handled the same way wherever they are; for larger ones it matters whether all members have theirs
 * in shared memory.  In a broadcast of two members, both copy half of the data, as with private memory: 1 MiB takes 34
 * us if one member copies all, and 21 us if both copy. */
static bn_status_t run(banyan_team *team, enum bn_operation operation, const struct bn_call *call)
{
    bool are_shared = false;
    if (call->nbytes > BN_TEAM_ROOM_BYTES && team->world) {
        bool has_private = is_private(team, call->src) || is_private(team, call->dst) ||
                           (operation == BN_BROADCAST && team->size == 2);
        are_shared = !bn_agree_on_largest(&team->agree, &team->node->team, (int)operation, has_private, true);
    }
    use_plans(team, are_shared);
    team->meeting = call->nbytes == 0 ? (int)operation : -1;
    return bn_operation_run(&team->node->team, operation, call);
}

banyan_status bn_member_call(banyan_team *team, banyan_status (*body)(banyan_team *team, void *context), void *context)
{
    bn_watch(team);
    if (setjmp(team->escape) == 0) {
        banyan_status status = body(team, context);
        bn_watch(NULL);
        return status;
    }
    bn_watch(NULL);
    bn_messages_withdraw(team);
    return team->broken;
}

struct operation {
    enum bn_operation which;
    const struct bn_call *call;
};

static banyan_status run_or_escape(banyan_team *team, void *context)
{
    const struct operation *operation = context;
    if (run(team, operation->which, operation->call) == BN_OK) {
        bn_watch_sizes(team);
        return BANYAN_OK;
    }
    bn_error(BANYAN_MEMORY, "team %s: %s failed; see standard error, and leave the team", team->name,
             bn_operation_name(operation->which));
    bn_watch_escape(team, BANYAN_MEMORY);
}

banyan_status bn_member_run(banyan_team *team, enum bn_operation operation, const struct bn_call *call)
{
    struct operation context = {operation, call};
    return bn_member_call(team, run_or_escape, &context);
}

/* ---- Memory ---- */

void *banyan_alloc(banyan_team *team, size_t bytes)
{
    banyan_status status = bn_member_begin(team);
    if (status != BANYAN_OK)
        return NULL;
    const struct bn_team_host *host = &team->node->team.host;
    uint64_t available_bytes = bn_memory_available_bytes("");
    uint64_t memory = bytes <= available_bytes ? host->alloc(host->context, bytes != 0 ? bytes : 1) : 0;
    if (memory == 0)
        bn_error(BANYAN_MEMORY, "team %s: no room for %zu bytes of shared memory (%llu are available)", team->name,
                 bytes, (unsigned long long)available_bytes);
    bn_member_end(team);
    return (void *)memory;
}

banyan_status banyan_alloc_shared(banyan_team *team, size_t bytes, void **memory_p)
{
    if (!memory_p)
        return bn_error(BANYAN_ARGUMENT, "banyan_alloc_shared: the pointer to the address is null");
    *memory_p = NULL;
    void *memory = team && team->rank == 0 ? banyan_alloc(team, bytes) : NULL;
    banyan_status status = banyan_broadcast(team, &memory, sizeof memory, 0);
    if (status == BANYAN_OK && !memory)
        status = bn_error(BANYAN_MEMORY, "team %s: no room for %zu bytes of shared memory", team->name, bytes);
    *memory_p = memory;
    return status;
}

void banyan_free(banyan_team *team, void *memory)
{
    if (!memory || !team || team->generation != bn_word_get(&generation))
        return;
    const struct bn_team_host *host = &team->node->team.host;
    host->release(host->context, (uint64_t)memory);
}

bool banyan_is_shared(const banyan_team *team, const void *memory, size_t bytes)
{
    return team && (!team->world || bn_world_has(team->world, (uint64_t)memory, bytes));
}
