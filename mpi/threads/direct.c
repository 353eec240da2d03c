#include "threads/direct.h"

#include "base/log.h"
#include "base/options.h"
#include "platform/peer.h"
#include "threads/gate.h"
#include "threads/objects.h"
#include "threads/progress.h"
#include "threads/slots.h"
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
static int near_rank;
static uint64_t token; /* lets other processes check that they reach this one */

static uint64_t make_token(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    uint64_t number = (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
    return (number ^ (uint64_t)getpid() << 40 ^ (uintptr_t)&number) * UINT64_C(0x9E3779B97F4A7C15);
}

static bool wants_windows(void)
{
    return bn_option_number(BN_OPTION_MPI_WINDOWS) == BN_MPI_WINDOWS_DIRECT;
}

void bn_direct_begin(MPI_Comm node, bool wants)
{
    bn_types_begin();
    bn_peer_allow();
    bn_below.Comm_group(node, &near_group);
    bn_below.Comm_rank(node, &near_rank);
    token = make_token();
    bn_below.Comm_set_errhandler(node, bn_handles.errors_return);
    if (bn_direct_all_have(node, wants && wants_windows()))
        bn_slots_begin(node, token | 1);
}

void bn_direct_finish(void)
{
    bn_slots_end();
    bn_below.Group_free(&near_group);
}

/* ---- State of a thread ---- */

struct bn_direct *bn_direct_look_up(MPI_Win window)
{
    struct bn_direct_self *self = &bn_direct_self;
    self->generation = bn_word_see(&bn_direct_generation); /* read before the look-up */
    struct bn_object *members = self->generation > 0 ? bn_objects_find_window(window) : NULL;
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

static bool is_possible(MPI_Comm comm, MPI_Aint size_bytes, MPI_Aint unit)
{
    return wants_windows() && size_bytes >= 0 && unit > 0 && unit <= INT_MAX && is_near(comm);
}

bool bn_direct_is_possible(MPI_Comm comm, MPI_Aint size_bytes, MPI_Aint unit)
{
    return bn_direct_all_have(comm, is_possible(comm, size_bytes, unit));
}

static void *room_for(size_t count, size_t bytes, MPI_Comm comm)
{
    void *room = calloc(count, bytes);
    if (!room) {
        bn_log_error("there is no memory for the members of a window");
        bn_library_abort(comm);
    }
    return room;
}

static struct bn_direct *make(MPI_Comm comm)
{
    int size = 0;
    bn_below.Comm_size(comm, &size);
    struct bn_direct *direct = room_for(1, sizeof *direct + (size_t)size * sizeof direct->members[0], comm);
    bn_below.Comm_rank(comm, &direct->rank);
    direct->size = size;
    direct->slot = -1;
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

/* Collects `count` numbers of each member, in the order of ranks, for the caller to free. */
static uint64_t *gather(int size, MPI_Comm comm, const uint64_t *own, int count)
{
    uint64_t *all = room_for((size_t)size * (size_t)count, sizeof *all, comm);
    bn_below.Allgather(own, count, bn_handles.number, all, count, bn_handles.number, comm);
    return all;
}

/* A member's words in a window that get_memory has made; mappings keep the alignment within a page. */
static struct bn_direct_words *words_in(MPI_Win memory, int rank)
{
    MPI_Aint bytes;
    int unit;
    unsigned char *begin;
    bn_below.Win_shared_query(memory, rank, &bytes, &unit, &begin);
    return (struct bn_direct_words *)(void *)(begin + -(uintptr_t)begin % BN_LINE_BYTES);
}

/* Finds the words of all members, and the sizes of the memory behind them.  All words are zero before anyone knows
 * all sizes. */
static void find_members(struct bn_direct *direct, MPI_Comm comm, MPI_Aint size_bytes, MPI_Aint its_unit)
{
    const uint64_t own[] = {(uint64_t)size_bytes, (uint64_t)its_unit};
    memset(words_in(direct->memory, direct->rank), 0, sizeof(struct bn_direct_words));
    bn_atomic_fence();
    uint64_t *sizes = gather(direct->size, comm, own, 2);
    for (int i = 0; i < direct->size; i++) {
        struct bn_direct_words *words = words_in(direct->memory, i);
        direct->members[i] = (struct bn_direct_member){
            .base = (unsigned char *)(words + 1), .size_bytes = sizes[2 * i], .unit = sizes[2 * i + 1], .words = words};
    }
    free(sizes);
}

struct bn_direct *bn_direct_allocate(MPI_Comm comm, MPI_Aint size_bytes, MPI_Aint unit)
{
    struct bn_direct *direct = make(comm);
    if (!get_memory(direct, comm, size_bytes)) {
        free(direct);
        return NULL;
    }
    find_members(direct, comm, size_bytes, unit);
    return direct;
}

/* ---- Windows of the library ---- */

/* What a member says about its part of a window: whether it can be direct, its slot, unit, and for private memory the
 * process, address, size, token, and the token's address. */
enum {
    SAID_POSSIBLE,
    SAID_NEAR_RANK,
    SAID_SLOT,
    SAID_UNIT,
    SAID_PROCESS,
    SAID_BASE,
    SAID_BYTES,
    SAID_TOKEN,
    SAID_TOKEN_PLACE,
    SAID_COUNT
};

static bool all_say(const uint64_t *all, int size, int what)
{
    bool do_all = true;
    for (int i = 0; i < size; i++)
        do_all = do_all && all[i * SAID_COUNT + what] != 0;
    return do_all;
}

static bool all_have_slots(const uint64_t *all, int size)
{
    bool have_all = true;
    for (int i = 0; i < size; i++)
        have_all = have_all && (int64_t)all[i * SAID_COUNT + SAID_SLOT] >= 0;
    return have_all;
}

/* With the words of slots, or else in memory of its own */
static struct bn_direct *make_beside(MPI_Comm comm, const uint64_t *all, int size, int slot, MPI_Aint unit)
{
    if (!all_have_slots(all, size)) {
        bn_slots_give(slot);
        return bn_direct_allocate(comm, 0, unit);
    }
    struct bn_direct *direct = make(comm);
    direct->slot = slot;
    for (int i = 0; i < size; i++) {
        const uint64_t *said = all + (size_t)i * SAID_COUNT;
        direct->members[i].unit = said[SAID_UNIT];
        direct->members[i].words = bn_slots_words((int)said[SAID_NEAR_RANK], (int)said[SAID_SLOT]);
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

/* Whether the process with that id here is the member, and the kernel can read both ends of its memory, which may be a
 * device's.  The memory that will be attached to a dynamic window is not known yet. */
static bool is_reached(const uint64_t *said, bool is_dynamic)
{
    uint64_t its_token;
    char byte;
    pid_t process = (pid_t)said[SAID_PROCESS];
    if (bn_peer_read(process, &its_token, said[SAID_TOKEN_PLACE], sizeof its_token) != 0 ||
        its_token != said[SAID_TOKEN])
        return false;
    return is_dynamic || said[SAID_BYTES] == 0 ||
           (bn_peer_read(process, &byte, said[SAID_BASE], 1) == 0 &&
            bn_peer_read(process, &byte, said[SAID_BASE] + said[SAID_BYTES] - 1, 1) == 0);
}

/* In a dynamic window, displacements are addresses. */
static bool find_private(struct bn_direct *direct, MPI_Comm comm, const uint64_t *all, bool is_dynamic)
{
    bool reaches_all = true;
    for (int i = 0; i < direct->size; i++) {
        const uint64_t *said = all + (size_t)i * SAID_COUNT;
        struct bn_direct_member *member = &direct->members[i];
        member->base = (unsigned char *)(uintptr_t)said[SAID_BASE];
        member->size_bytes = is_dynamic ? (uint64_t)INT64_MAX : said[SAID_BYTES];
        member->process = i == direct->rank ? 0 : (pid_t)said[SAID_PROCESS];
        reaches_all = reaches_all && (i == direct->rank || is_reached(said, is_dynamic));
    }
    return bn_direct_all_have(comm, reaches_all);
}

struct bn_direct *bn_direct_adopt(MPI_Comm comm, MPI_Win window, int flavor, void *base)
{
    MPI_Aint *size_bytes;
    int *its_unit, has_size, has_unit, size, slot = bn_slots_take();
    bool is_dynamic = flavor == MPI_WIN_FLAVOR_DYNAMIC;
    bn_below.Comm_size(comm, &size);
    bn_below.Win_get_attr(window, MPI_WIN_SIZE, &size_bytes, &has_size);
    bn_below.Win_get_attr(window, MPI_WIN_DISP_UNIT, &its_unit, &has_unit);
    MPI_Aint bytes = has_size && !is_dynamic ? *size_bytes : 0, unit = is_dynamic ? 1 : has_unit ? *its_unit : 0;
    const uint64_t own[SAID_COUNT] = {is_possible(comm, bytes, unit),
                                      (uint64_t)near_rank,
                                      (uint64_t)(int64_t)slot,
                                      (uint64_t)unit,
                                      (uint64_t)getpid(),
                                      (uintptr_t)base,
                                      (uint64_t)bytes,
                                      token,
                                      (uintptr_t)&token};
    bn_atomic_fence(); /* the slot's words are zero */
    uint64_t *all = gather(size, comm, own, SAID_COUNT);
    struct bn_direct *direct = NULL;
    if (all_say(all, size, SAID_POSSIBLE))
        direct = make_beside(comm, all, size, slot, unit);
    else
        bn_slots_give(slot);
    if (direct && flavor == MPI_WIN_FLAVOR_SHARED) {
        find_shared(direct, window);
    } else if (direct && !find_private(direct, comm, all, is_dynamic)) {
        bn_direct_free(direct);
        direct = NULL;
    }
    free(all);
    return direct;
}

void bn_direct_free(struct bn_direct *direct)
{
    if (!direct)
        return;
    if (direct->slot < 0)
        bn_below.Win_free(&direct->memory);
    bn_slots_give(direct->slot);
    free(direct);
}
