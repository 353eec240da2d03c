#include "front/members.h"

#include "front/below.h"
#include "node/agree.h"

#include <stdlib.h>

static int node_named(const struct bn_members *members, int rank, enum bn_leaders_choice parts)
{
    return members->world->part_of_rank[members->world_ranks[rank]].names[parts];
}

void bn_members_group(struct bn_members *members, enum bn_leaders_choice parts)
{
    members->near_count = 0;
    for (int rank = 0; rank < members->size; rank++)
        members->nodes[rank] = node_named(members, rank, parts);
    for (int rank = 0; rank < members->size; rank++)
        if (members->nodes[rank] == members->nodes[members->rank])
            members->processes[members->near_count++] = members->world->process_of_rank[members->world_ranks[rank]];
}

enum bn_mpi_reason bn_members_find(struct bn_members *members)
{
    MPI_Group group;
    int size = members->size, *ranks = malloc(3 * (size_t)size * sizeof *ranks);
    const int *node_of_rank = members->world->node_of_rank;
    members->world_ranks = ranks;
    if (!ranks || bn_below.Comm_group(members->comm, &group) != MPI_SUCCESS)
        return BN_MPI_NO_MEMORY;
    members->nodes = ranks + size;
    members->processes = ranks + 2 * size;
    for (int rank = 0; rank < size; rank++)
        members->nodes[rank] = rank;
    bn_below.Group_translate_ranks(group, size, members->nodes, members->world->group, ranks);
    bn_below.Group_free(&group);
    members->are_near = true;
    for (int rank = 0; rank < size; rank++) {
        if (ranks[rank] < 0)
            return BN_MPI_BEYOND_JOB;
        members->are_near &= node_of_rank[ranks[rank]] == node_of_rank[ranks[0]];
    }
    bn_members_group(members, BN_LEADERS_MACHINE);
    return BN_MPI_OURS;
}

void bn_members_release(struct bn_members *members)
{
    free(members->world_ranks);
}

bool bn_members_differ(const struct bn_members *members, enum bn_leaders_choice coarse, enum bn_leaders_choice fine)
{
    for (int rank = 0; rank < members->size; rank++)
        if (node_named(members, rank, coarse) == node_named(members, members->rank, coarse) &&
            node_named(members, rank, fine) != node_named(members, members->rank, fine))
            return true;
    return false;
}

bool bn_members_all(MPI_Comm comm, bool mine)
{
    int is_mine = mine, is_all;
    bn_below.Allreduce(&is_mine, &is_all, 1, bn_below.type_int, bn_below.op_min, comm);
    return is_all != 0;
}

struct bn_node_team *bn_members_join_near(const struct bn_members *members, MPI_Comm near, int near_rank,
                                          struct bn_world *memory)
{
    uint64_t address = 0;
    bool has_memory = members->near_count == 1 || memory;
    size_t said_bytes = (size_t)members->near_count * sizeof(struct bn_agree_said);
    if (near_rank == 0 && has_memory)
        address = bn_node_team_memory_make(memory, members->near_count, said_bytes);
    if (members->near_count > 1)
        bn_below.Bcast(&address, (int)sizeof address, bn_below.type_byte, 0, near);
    if (address == 0)
        return NULL;
    struct bn_node_team *team =
        bn_node_team_join(memory, address, near_rank, members->near_count, members->processes, NULL);
    if (!team)
        bn_node_team_memory_leave(memory, address);
    return team;
}
