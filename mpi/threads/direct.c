#include "threads/direct.h"

#include "base/options.h"
#include "threads/gate.h"
#include "threads/members.h"
#include "threads/progress.h"
#include "threads/types.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

_Thread_local struct bn_direct_self bn_direct_self;
uint32_t bn_direct_generation;
uint64_t bn_direct_count;

static MPI_Group near_group; /* processes of this machine */

void bn_direct_begin(MPI_Comm node)
{
    bn_types_begin();
    bn_real.Comm_group(node, &near_group);
}

void bn_direct_finish(void)
{
    bn_real.Group_free(&near_group);
}

/* ---- What a thread knows ---- */

struct bn_direct *bn_direct_look_up(MPI_Win window)
{
    struct bn_direct_self *self = &bn_direct_self;
    self->generation = bn_word_see(&bn_direct_generation); /* before the look */
    struct bn_members *members = self->generation > 0 ? bn_members_find_window(window) : NULL;
    self->window = window;
    self->direct = members ? members->direct : NULL;
    return self->direct;
}

/* The first of each so many drives; that one adds those before it. */
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

/* Of each kind there is one thread at a time, but there are several kinds. */
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
    bn_real.Comm_size(comm, &size);
    int *ranks = malloc(2 * (size_t)size * sizeof *ranks);
    bool is_right = ranks != NULL;
    bn_real.Comm_group(comm, &group);
    for (int i = 0; ranks && i < size; i++)
        ranks[i] = i;
    if (ranks)
        bn_real.Group_translate_ranks(group, size, ranks, near_group, ranks + size);
    for (int i = 0; is_right && i < size; i++)
        is_right = ranks[size + i] != MPI_UNDEFINED;
    bn_real.Group_free(&group);
    free(ranks);
    return is_right;
}

/* The largest of each number, of all members */
static void find_largest(MPI_Comm comm, uint64_t *numbers, int count)
{
    uint64_t own[4];
    memcpy(own, numbers, (size_t)count * sizeof *own);
    bn_real.Allreduce(own, numbers, count, bn_handles.number, bn_handles.largest, comm);
}

bool bn_direct_is_possible(MPI_Comm comm, MPI_Aint size_bytes, MPI_Aint unit)
{
    bool is_possible = bn_option_number(BN_OPTION_MPI_WINDOWS) == BN_MPI_WINDOWS_DIRECT && size_bytes >= 0 &&
                       unit > 0 && unit <= INT_MAX && is_near(comm);
    uint64_t numbers[] = {!is_possible, (uint64_t)unit, ~(uint64_t)unit};
    find_largest(comm, numbers, 3);
    return numbers[0] == 0 && numbers[1] == ~numbers[2];
}

bool bn_direct_all_have(MPI_Comm comm, bool has)
{
    uint64_t number = !has;
    find_largest(comm, &number, 1);
    return number == 0;
}

static struct bn_direct *make(MPI_Comm comm, MPI_Aint unit)
{
    int size = 0;
    bn_real.Comm_size(comm, &size);
    struct bn_direct *direct = calloc(1, sizeof *direct + (size_t)size * sizeof direct->members[0]);
    if (!direct)
        return NULL;
    bn_real.Comm_rank(comm, &direct->rank);
    direct->size = size;
    direct->unit = (uint64_t)unit;
    return direct;
}

/* Each member's begins with a line of its own, since pieces of one block need not. */
static bool get_memory(struct bn_direct *direct, MPI_Comm comm, MPI_Aint size_bytes)
{
    void *begin;
    MPI_Info info;
    bn_real.Info_create(&info);
    bn_real.Info_set(info, "alloc_shared_noncontig", "true");
    MPI_Aint all_bytes = BN_LINE_BYTES - 1 + (MPI_Aint)sizeof(struct bn_direct_words) + size_bytes;
    bool has_memory = bn_real.Win_allocate_shared(all_bytes, 1, info, comm, &begin, &direct->memory) == MPI_SUCCESS;
    bn_real.Info_free(&info);
    if (!bn_direct_all_have(comm, has_memory)) {
        if (has_memory)
            bn_real.Win_free(&direct->memory);
        return false;
    }
    return true;
}

/* Where the words of all members are, and the sizes of what is behind them */
static bool find_members(struct bn_direct *direct, MPI_Comm comm, MPI_Aint size_bytes)
{
    uint64_t own = (uint64_t)size_bytes;
    uint64_t *sizes = malloc((size_t)direct->size * sizeof *sizes);
    if (!bn_direct_all_have(comm, sizes != NULL)) {
        free(sizes);
        return false;
    }
    bn_real.Allgather(&own, 1, bn_handles.number, sizes, 1, bn_handles.number, comm);
    for (int i = 0; i < direct->size; i++) {
        MPI_Aint bytes;
        int unit;
        unsigned char *begin;
        bn_real.Win_shared_query(direct->memory, i, &bytes, &unit, &begin);
        begin += -(uintptr_t)begin % BN_LINE_BYTES; /* pages are mapped as pages */
        direct->members[i] = (struct bn_direct_member){.base = begin + sizeof(struct bn_direct_words),
                                                       .size_bytes = sizes[i],
                                                       .words = (struct bn_direct_words *)(void *)begin};
    }
    free(sizes);
    memset(direct->members[direct->rank].words, 0, sizeof(struct bn_direct_words));
    bn_atomic_fence();
    bn_real.Barrier(comm);
    return true;
}

struct bn_direct *bn_direct_allocate(MPI_Comm comm, MPI_Aint size_bytes, MPI_Aint unit)
{
    struct bn_direct *direct = make(comm, unit);
    if (!bn_direct_all_have(comm, direct != NULL) || !get_memory(direct, comm, size_bytes)) {
        free(direct);
        return NULL;
    }
    if (!find_members(direct, comm, size_bytes)) {
        bn_direct_free(direct);
        return NULL;
    }
    return direct;
}

struct bn_direct *bn_direct_adopt(MPI_Comm comm, MPI_Win window)
{
    MPI_Aint *size_bytes;
    int *unit, has_size, has_unit;
    bn_real.Win_get_attr(window, MPI_WIN_SIZE, &size_bytes, &has_size);
    bn_real.Win_get_attr(window, MPI_WIN_DISP_UNIT, &unit, &has_unit);
    if (!bn_direct_is_possible(comm, has_size ? *size_bytes : -1, has_unit ? *unit : 0))
        return NULL;
    struct bn_direct *direct = bn_direct_allocate(comm, 0, *unit);
    for (int i = 0; direct && i < direct->size; i++) {
        MPI_Aint bytes;
        int its_unit;
        bn_real.Win_shared_query(window, i, &bytes, &its_unit, &direct->members[i].base);
        direct->members[i].size_bytes = (uint64_t)bytes;
    }
    return direct;
}

void bn_direct_free(struct bn_direct *direct)
{
    if (!direct)
        return;
    bn_real.Win_free(&direct->memory);
    free(direct);
}
