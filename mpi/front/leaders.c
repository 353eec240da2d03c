#include "front/leaders.h"

#include "base/options.h"

#include <stdlib.h>
#include <string.h>

static int count_near(int size, const int *process_of_rank)
{
    int count = 0;
    for (int rank = 0; rank < size; rank++)
        count += process_of_rank[rank] >= 0;
    return count;
}

/* The lowest rank of those whose place is the same at a level, or is known no better */
static int lowest_at(const struct bn_place *places, enum bn_level level, int rank, const int *process_of_rank)
{
    uint32_t mine = places[process_of_rank[rank]].parts[level];
    for (int other = 0; other < rank; other++)
        if (process_of_rank[other] >= 0 && places[process_of_rank[other]].parts[level] == mine)
            return other;
    return rank;
}

void bn_parts_find(struct bn_world *memory, int rank, int size, const int *process_of_rank, const int *node_of_rank,
                   int *part_of_rank)
{
    static const enum bn_level levels[] = {[BN_LEADERS_SOCKET] = BN_LEVEL_SOCKET, [BN_LEADERS_REGION] = BN_LEVEL_NUMA};
    int64_t choice = bn_option_number(BN_OPTION_MPI_LEADERS);
    int near_count = count_near(size, process_of_rank), mine = node_of_rank[rank];
    if (choice == BN_LEADERS_MACHINE || near_count == size) { /* all know */
        memcpy(part_of_rank, node_of_rank, (size_t)size * sizeof *part_of_rank);
        return;
    }
    if (memory) {
        struct bn_place *places = calloc((size_t)near_count, sizeof *places);
        if (places && bn_world_places(memory, places))
            mine = lowest_at(places, levels[choice], rank, process_of_rank);
        free(places);
    }
    below.Allgather(&mine, 1, below.type_int, part_of_rank, 1, below.type_int, below.world);
}
