#include "threads/direct.h"

#include "base/options.h"
#include "platform/peer.h"
#include "threads/gate.h"
#include "threads/members.h"
#include "threads/progress.h"
#include "threads/types.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

_Thread_local struct bn_direct_self bn_direct_self;
uint32_t bn_direct_generation;
uint64_t bn_direct_count;

static MPI_Group near_group; /* processes of this machine */

void bn_direct_begin(MPI_Comm node)
{
    bn_types_begin();
    bn_peer_allow();
    bn_below.Comm_group(node, &near_group);
}

void bn_direct_finish(void)
{
    bn_below.Group_free(&near_group);
}

/* ---- State of a thread ---- */

struct bn_direct *bn_direct_look_up(MPI_Win window)
{
    struct bn_direct_self *self = &bn_direct_self;
    self->generation = bn_word_see(&bn_direct_generation); /* read before the look-up */
    struct bn_members *members = self->generation > 0 ? bn_members_find_window(window) : NULL;
    self->window = window;
    self->direct = members ? members->direct : NULL;
    return self->direct;
}

/* The first of each BN_DIRECT_TURNS calls drives the library and counts the ones before it. */
void bn_direct_part(void)
{
    if (bn_direct_self.count > 0)
        bn_word64_add(&bn_direct_count, (bn_direct_self.count - 1) % BN_DIRECT_TURNS + 1);
    bn_direct_self.count = 0;
}

void bn_direct_drive(void)
{
    if (bn_direct_self.count > BN_DIRECT_TURNS)
        bn_word64_add(&bn_direct_count, BN_DIRECT_TURNS);
    bool is_inside = bn_gate_enter(BN_PATH_PROGRESS);
    bn_progress_once();
    if (is_inside)
        bn_gate_leave();
}

/* ---- Access ---- */

static uint32_t *access_word(struct bn_direct *direct, int target)
{
    return target < 0 ? &direct->access : &direct->members[target].access;
}

/* Only one thread at a time changes each kind of access, but there are several kinds in a word. */
static bool change(uint32_t *word, uint32_t clear, uint32_t set)
{
    uint32_t before = bn_word_see(word);
    while (!bn_word_change(word, &before, (before & ~clear) | set))
        ;
    return ((before & ~clear) | set) != before;
}

void bn_direct_grant(struct bn_direct *direct, int target, uint32_t bit)
{
    if (change(access_word(direct, target), 0, bit) && (bit & BN_DIRECT_PASSIVE))
        bn_word_add(&direct->passive, 1);
}

void bn_direct_end(struct bn_direct *direct, int target, uint32_t bit)
{
    if (change(access_word(direct, target), bit, 0) && (bit & BN_DIRECT_PASSIVE))
        bn_word_add(&direct->passive, UINT32_MAX);
}

/* ---- Windows ---- */

static bool is_near(MPI_Comm comm)
{
    MPI_Group group;
    int size = 0;
    bn_below.Comm_size(comm, &size);
    int *ranks = malloc(2 * (size_t)size * sizeof *ranks);
    bool is_right = ranks != NULL;
    bn_below.Comm_group(comm, &group);
    for (int i = 0; ranks && i < size; i++)
        ranks[i] = i;
    if (ranks)
        bn_below.Group_translate_ranks(group, size, ranks, near_group, ranks + size);
    for (int i = 0; is_right && i < size; i++)
        is_right = ranks[size + i] != MPI_UNDEFINED;
    bn_below.Group_free(&group);
    free(ranks);
    return is_right;
}

bool bn_direct_all_have(MPI_Comm comm, bool has)
{
    uint64_t lacks = !has, somebody_lacks;
    bn_below.Allreduce(&lacks, &somebody_lacks, 1, bn_handles.number, bn_handles.largest, comm);
    return somebody_lacks == 0;
}

bool bn_direct_is_possible(MPI_Comm comm, MPI_Aint size_bytes, MPI_Aint unit)
{
    bool is_possible = bn_option_number(BN_OPTION_MPI_WINDOWS) == BN_MPI_WINDOWS_DIRECT && size_bytes >= 0 &&
                       unit > 0 && unit <= INT_MAX && is_near(comm);
    return bn_direct_all_have(comm, is_possible);
}

static struct bn_direct *make(MPI_Comm comm)
{
    int size = 0;
    bn_below.Comm_size(comm, &size);
    struct bn_direct *direct = calloc(1, sizeof *direct + (size_t)size * sizeof direct->members[0]);
    if (!direct)
        return NULL;
    bn_below.Comm_rank(comm, &direct->rank);
    direct->size = size;
    return direct;
}

/* Each member's memory begins in a cache line of its own, which pieces of one block need not do. */
static bool get_memory(struct bn_direct *direct, MPI_Comm comm, MPI_Aint size_bytes)
{
    void *begin;
    MPI_Info info;
    bn_below.Info_create(&info);
    bn_below.Info_set(info, "alloc_shared_noncontig", "true");
    MPI_Aint all_bytes = BN_LINE_BYTES - 1 + (MPI_Aint)sizeof(struct bn_direct_words) + size_bytes;
    bool has_memory = bn_below.Win_allocate_shared(all_bytes, 1, info, comm, &begin, &direct->memory) == MPI_SUCCESS;
    bn_below.Info_free(&info);
    if (!bn_direct_all_have(comm, has_memory)) {
        if (has_memory)
            bn_below.Win_free(&direct->memory);
        return false;
    }
    return true;
}

/* Collects `count` numbers of each member, in the order of ranks; null on all: some member has no memory. */
static uint64_t *gather(const struct bn_direct *direct, MPI_Comm comm, const uint64_t *own, int count)
{
    uint64_t *all = malloc((size_t)direct->size * (size_t)count * sizeof *all);
    if (!bn_direct_all_have(comm, all != NULL)) {
        free(all);
        return NULL;
    }
    bn_below.Allgather(own, count, bn_handles.number, all, count, bn_handles.number, comm);
    return all;
}

/* Finds the words of all members, and the sizes of the memory behind them. */
static bool find_members(struct bn_direct *direct, MPI_Comm comm, MPI_Aint size_bytes, MPI_Aint its_unit)
{
    const uint64_t own[] = {(uint64_t)size_bytes, (uint64_t)its_unit};
    uint64_t *sizes = gather(direct, comm, own, 2);
    if (!sizes)
        return false;
    for (int i = 0; i < direct->size; i++) {
        MPI_Aint bytes;
        int unit;
        unsigned char *begin;
        bn_below.Win_shared_query(direct->memory, i, &bytes, &unit, &begin);
        begin += -(uintptr_t)begin % BN_LINE_BYTES; /* mappings keep the alignment within a page */
        direct->members[i] = (struct bn_direct_member){.base = begin + sizeof(struct bn_direct_words),
                                                       .size_bytes = sizes[2 * i],
                                                       .unit = sizes[2 * i + 1],
                                                       .words = (struct bn_direct_words *)(void *)begin};
    }
    free(sizes);
    memset(direct->members[direct->rank].words, 0, sizeof(struct bn_direct_words));
    bn_atomic_fence();
    bn_below.Barrier(comm);
    return true;
}

struct bn_direct *bn_direct_allocate(MPI_Comm comm, MPI_Aint size_bytes, MPI_Aint unit)
{
    struct bn_direct *direct = make(comm);
    if (!bn_direct_all_have(comm, direct != NULL) || !get_memory(direct, comm, size_bytes)) {
        free(direct);
        return NULL;
    }
    if (!find_members(direct, comm, size_bytes, unit)) {
        bn_direct_free(direct);
        return NULL;
    }
    return direct;
}

static void find_shared(struct bn_direct *direct, MPI_Win window)
{
    for (int i = 0; i < direct->size; i++) {
        MPI_Aint bytes;
        int its_unit;
        bn_below.Win_shared_query(window, i, &bytes, &its_unit, &direct->members[i].base);
        direct->members[i].size_bytes = (uint64_t)bytes;
    }
}

/* What a member says about its private memory: the process, address, size, token, and the token's address. */
enum { SAID_PROCESS, SAID_BASE, SAID_BYTES, SAID_TOKEN, SAID_TOKEN_PLACE, SAID_COUNT };

static uint64_t make_token(const struct bn_direct *direct)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    uint64_t number = (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
    return (number ^ (uint64_t)getpid() << 40 ^ (uintptr_t)direct) * UINT64_C(0x9E3779B97F4A7C15);
}

/* Whether the process with that id here is the member, and the kernel can read both ends of its memory, which may be a
 * device's.  The memory that will be attached to a dynamic window is not known yet. */
static bool is_reached(const uint64_t *said, bool is_dynamic)
{
    uint64_t token;
    char byte;
    pid_t process = (pid_t)said[SAID_PROCESS];
    if (bn_peer_read(process, &token, said[SAID_TOKEN_PLACE], sizeof token) != 0 || token != said[SAID_TOKEN])
        return false;
    return is_dynamic || said[SAID_BYTES] == 0 ||
           (bn_peer_read(process, &byte, said[SAID_BASE], 1) == 0 &&
            bn_peer_read(process, &byte, said[SAID_BASE] + said[SAID_BYTES] - 1, 1) == 0);
}

/* In a dynamic window, displacements are addresses. */
static bool find_private(struct bn_direct *direct, MPI_Comm comm, const void *base, uint64_t bytes, bool is_dynamic)
{
    direct->token = make_token(direct);
    const uint64_t own[SAID_COUNT] = {(uint64_t)getpid(), (uintptr_t)base, is_dynamic ? (uint64_t)INT64_MAX : bytes,
                                      direct->token, (uintptr_t)&direct->token};
    uint64_t *all = gather(direct, comm, own, SAID_COUNT);
    if (!all)
        return false;
    bool reaches_all = true;
    for (int i = 0; i < direct->size; i++) {
        const uint64_t *said = all + (size_t)i * SAID_COUNT;
        struct bn_direct_member *member = &direct->members[i];
        member->base = (unsigned char *)(uintptr_t)said[SAID_BASE];
        member->size_bytes = said[SAID_BYTES];
        member->process = i == direct->rank ? 0 : (pid_t)said[SAID_PROCESS];
        reaches_all = reaches_all && (i == direct->rank || is_reached(said, is_dynamic));
    }
    free(all);
    return bn_direct_all_have(comm, reaches_all);
}

struct bn_direct *bn_direct_adopt(MPI_Comm comm, MPI_Win window, int flavor, void *base)
{
    MPI_Aint *size_bytes;
    int *unit, has_size, has_unit;
    bn_below.Win_get_attr(window, MPI_WIN_SIZE, &size_bytes, &has_size);
    bn_below.Win_get_attr(window, MPI_WIN_DISP_UNIT, &unit, &has_unit);
    bool is_dynamic = flavor == MPI_WIN_FLAVOR_DYNAMIC;
    uint64_t bytes = has_size && !is_dynamic ? (uint64_t)*size_bytes : 0;
    if (!bn_direct_is_possible(comm, (MPI_Aint)bytes, is_dynamic ? 1 : has_unit ? *unit : 0))
        return NULL;
    struct bn_direct *direct = bn_direct_allocate(comm, 0, is_dynamic ? 1 : *unit);
    if (direct && flavor == MPI_WIN_FLAVOR_SHARED) {
        find_shared(direct, window);
    } else if (direct && !find_private(direct, comm, base, bytes, is_dynamic)) {
        bn_direct_free(direct);
        return NULL;
    }
    return direct;
}

void bn_direct_free(struct bn_direct *direct)
{
    if (!direct)
        return;
    bn_below.Win_free(&direct->memory);
    free(direct);
}
