#include "node/team.h"

#include "coll/stage.h"
#include "platform/atomic_word.h"
#include "transport/kernel.h"

#include <stdlib.h>
#include <string.h>

struct bn_node_team_memory {
    uint32_t left; /* number of members that have left */
    int size;
    uint64_t stages;                                                 /* 0: there was no room */
    unsigned char control[] __attribute__((aligned(BN_LINE_BYTES))); /* of the team, followed by what members
                                                                      * published */
};

/* A process alone in its team shares nothing, and may have no world. */
static uint64_t alloc_alone(void *context, size_t size_bytes)
{
    size_t bytes = (size_bytes + BN_LINE_BYTES - 1) / BN_LINE_BYTES * BN_LINE_BYTES;
    void *memory = aligned_alloc(BN_LINE_BYTES, bytes);
    (void)context;
    return (uint64_t)(memory ? memset(memory, 0, bytes) : NULL);
}

static void release_alone(void *context, uint64_t address)
{
    (void)context;
    free((void *)address);
}

/* A member alone in its team never waits. */
static struct bn_wait_policy policy_of(const struct bn_world *world)
{
    return world ? bn_world_wait_policy(world) : (struct bn_wait_policy){0, 0};
}

static int cores_of(const struct bn_world *world)
{
    return world ? bn_world_core_count(world) : 1;
}

uint64_t bn_node_team_memory_make(struct bn_world *world, int size, size_t extra_bytes)
{
    size_t bytes = sizeof(struct bn_node_team_memory) + bn_team_control_bytes(size) + extra_bytes;
    uint64_t address = size == 1 ? alloc_alone(NULL, bytes) : bn_world_alloc(world, bytes);
    struct bn_node_team_memory *memory = (struct bn_node_team_memory *)address;
    if (!memory)
        return 0;
    memory->size = size;
    memory->stages =
        size > 1 && size <= BN_STAGE_MEMBERS ? bn_world_alloc(world, (size_t)size * sizeof(struct bn_member_stage)) : 0;
    bn_team_control_init(memory->control, size, policy_of(world));
    return address;
}

void bn_node_team_memory_leave(struct bn_world *world, uint64_t address)
{
    struct bn_node_team_memory *memory = (struct bn_node_team_memory *)address;
    if (bn_word_add(&memory->left, 1) != (uint32_t)memory->size)
        return;
    if (memory->stages != 0)
        bn_world_release(world, memory->stages);
    if (memory->size == 1)
        release_alone(NULL, address);
    else
        bn_world_release(world, address);
}

static uint64_t alloc(void *context, size_t size_bytes)
{
    struct bn_node_team *team = context;
    return bn_world_alloc(team->world, size_bytes);
}

static void release(void *context, uint64_t address)
{
    struct bn_node_team *team = context;
    bn_world_release(team->world, address);
}

static struct bn_hierarchy *hierarchy_alone(void)
{
    struct bn_hierarchy *hierarchy = NULL;
    struct bn_place place;
    memset(&place, 0, sizeof place);
    return bn_hierarchy_create(&place, 1, &hierarchy) == BN_OK ? hierarchy : NULL;
}

static const struct bn_hierarchy *find_hierarchy(void *context)
{
    struct bn_node_team *team = context;
    if (!team->hierarchy && team->team.size > 1)
        team->hierarchy = bn_world_hierarchy(team->world, team->processes, team->team.size);
    else if (!team->hierarchy)
        team->hierarchy = hierarchy_alone();
    return team->hierarchy;
}

/* Frees the member's own resources */
static void leave(struct bn_node_team *team)
{
    bn_plans_destroy(&team->team);
    bn_team_leave(&team->team);
    free(team->hierarchy);
    free(team->processes);
    free(team);
}

struct bn_node_team *bn_node_team_join(struct bn_world *world, uint64_t memory, int rank, int size,
                                       const int *processes, const struct bn_table *table)
{
    struct bn_node_team *team = calloc(1, sizeof *team);
    int *copy = malloc((size_t)size * sizeof *copy);
    if (!team || !copy) {
        free(team);
        free(copy);
        return NULL;
    }
    memcpy(copy, processes, (size_t)size * sizeof *copy);
    team->world = world;
    team->processes = copy;
    team->memory = (struct bn_node_team_memory *)memory;
    team->team = bn_team_join(team->memory->control, rank, size, 0, cores_of(world), policy_of(world));
    bool is_alone = size == 1;
    team->extra = team->memory->control + bn_team_control_bytes(size);
    team->team.host = (struct bn_team_host){
        team, is_alone ? alloc_alone : alloc, is_alone ? release_alone : release, find_hierarchy, NULL, NULL, NULL};
    team->team.announces = true;
    team->team.stages = (struct bn_member_stage *)team->memory->stages;
    if (world) {
        team->team.process = bn_kernel_bits(processes[rank]);
        team->team.reach = bn_world_reach(world);
        team->team.mapped_begin = bn_world_own_heap(world).begin;
        team->team.mapped_bytes = bn_world_own_heap(world).size_bytes;
    }
    bn_plans_init(&team->team, &team->plans, table);
    if (bn_plans_choose_barrier(&team->team) == BN_OK)
        return team;
    leave(team);
    return NULL;
}

void bn_node_team_leave(struct bn_node_team *team)
{
    struct bn_world *world = team->world;
    uint64_t memory = (uint64_t)team->memory;
    leave(team);
    bn_node_team_memory_leave(world, memory);
}
