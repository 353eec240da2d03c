#include "front/leaders.h"

#include "front/below.h"

#include <string.h>

/* The lowest rank of this machine with the same place at a level; unknown places count as the same */
static int lowest_at(const struct bn_place *places, enum bn_level level, int rank, const int *process_of_rank)
{
    uint32_t mine = places[process_of_rank[rank]].parts[level];
    for (int other = 0; other < rank; other++)
        if (process_of_rank[other] >= 0 && places[process_of_rank[other]].parts[level] == mine)
            return other;
    return rank;
}

/* The places of the processes of this machine, as the first of them reads them; all the same if it cannot */
static void find_places(struct bn_world *memory, MPI_Comm node, struct bn_place *places)
{
    int process, count;
    bn_below.Comm_rank(node, &process);
    bn_below.Comm_size(node, &count);
    size_t places_bytes = (size_t)count * sizeof *places;
    memset(places, 0, places_bytes);
    if (!memory)
        return;
    if (process == 0 && !bn_world_places(memory, places))
        memset(places, 0, places_bytes);
    bn_below.Bcast(places, (int)places_bytes, bn_below.type_byte, 0, node);
}

static struct bn_part whole_machine(int name)
{
    return (struct bn_part){.names = {name, name, name}};
}

void bn_parts_find(struct bn_world *memory, MPI_Comm node, int rank, int size, const struct bn_parts_known *known,
                   struct bn_part *parts)
{
    int near_count;
    struct bn_part mine = whole_machine(known->node_of_rank[rank]);
    bn_below.Comm_size(node, &near_count);
    if (near_count == size) { /* there is only one machine */
        for (int i = 0; i < size; i++)
            parts[i] = whole_machine(known->node_of_rank[i]);
        return;
    }
    find_places(memory, node, known->places);
    if (memory) {
        mine.names[BN_LEADERS_SOCKET] = lowest_at(known->places, BN_LEVEL_SOCKET, rank, known->process_of_rank);
        mine.names[BN_LEADERS_REGION] = lowest_at(known->places, BN_LEVEL_NUMA, rank, known->process_of_rank);
    }
    mine.is_near_network = known->places[known->process_of_rank[rank]].is_near_network;
    bn_below.Allgather(&mine, (int)sizeof mine, bn_below.type_byte, parts, (int)sizeof mine, bn_below.type_byte,
                       bn_below.world);
}
