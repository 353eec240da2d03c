#include "topology/spread.h"

#include "base/log.h"

#include <stdlib.h>

/* ---- Order of pus on one node ---- */

/*
 * Cyclic order: takes one pu from each part of a kind in turn, outermost kind first.  This is the order by mirrored
 * numbers: first by the number of the pu in its core, then of the core in its cache, ..., and last by the socket.
 */
struct digits {
    int pu;
    int values[BN_LEVEL_NODE + 1]; /* the number of each level's part within its enclosing part; the first is that of
                                    * the pu */
};

static int compare_digits(const void *left, const void *right)
{
    const struct digits *a = left;
    const struct digits *b = right;
    for (int i = 0; i <= BN_LEVEL_NODE; ++i) {
        if (a->values[i] != b->values[i])
            return a->values[i] - b->values[i];
    }
    return a->pu - b->pu;
}

static void number_parts(const struct bn_machine *machine, struct digits *digits)
{
    for (int pu = 0; pu < machine->pu_count; ++pu) {
        const uint32_t *parts = machine->pus[pu].parts;
        const uint32_t *before = pu > 0 ? machine->pus[pu - 1].parts : NULL;
        digits[pu].pu = pu;
        bool is_new = pu == 0;
        for (int level = BN_LEVEL_NODE - 1; level >= 0; --level) {
            int *value = &digits[pu].values[level + 1];
            bool begins = is_new || parts[level] != before[level];
            if (is_new)
                *value = 0;
            else
                *value = digits[pu - 1].values[level + 1] + begins;
            is_new = begins;
        }
        digits[pu].values[0] = is_new ? 0 : digits[pu - 1].values[0] + 1;
    }
}

static bn_status_t order_cyclic(const struct bn_machine *machine, int *order)
{
    struct digits *digits = malloc((size_t)machine->pu_count * sizeof *digits);
    if (!digits)
        return BN_ERR_MEMORY;
    number_parts(machine, digits);
    qsort(digits, (size_t)machine->pu_count, sizeof *digits, compare_digits);
    for (int i = 0; i < machine->pu_count; ++i)
        order[i] = digits[i].pu;
    free(digits);
    return BN_OK;
}

/* ---- Nodes ---- */

static void set_place(const struct bn_machine *machine, const struct bn_spread *spread, int node, int pu,
                      struct bn_place *place)
{
    uint32_t base = (uint32_t)node * (uint32_t)machine->pu_count;
    for (int level = 0; level < BN_LEVEL_NODE; ++level)
        place->parts[level] = base + machine->pus[pu].parts[level];
    place->parts[BN_LEVEL_NODE] = (uint32_t)node;
    place->parts[BN_LEVEL_SWITCH] = spread->nodes_per_switch > 0 ? (uint32_t)(node / spread->nodes_per_switch) : 0;
    place->is_near_network = machine->pus[pu].is_near_network;
}

/* splitmix64: the same numbers on every system */
static uint64_t random_next(uint64_t *state)
{
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static void shuffle(struct bn_place *places, int count, uint64_t seed)
{
    for (int i = count - 1; i > 0; --i) {
        int other = (int)(random_next(&seed) % (uint64_t)(i + 1));
        struct bn_place place = places[i];
        places[i] = places[other];
        places[other] = place;
    }
}

bn_status_t bn_spread_places(const struct bn_machine *machine, const struct bn_spread *spread, int member_count,
                             struct bn_place *places)
{
    int *order = malloc((size_t)machine->pu_count * sizeof *order);
    bn_status_t status = order ? BN_OK : BN_ERR_MEMORY;
    if (status == BN_OK && spread->order == BN_SPREAD_CYCLIC)
        status = order_cyclic(machine, order);
    else if (status == BN_OK)
        bn_machine_pu_order(machine, order);
    if (status != BN_OK) {
        bn_log_error("no memory to place %d threads", member_count);
        free(order);
        return status;
    }
    int member = 0;
    for (int node = 0; node < spread->node_count; ++node) {
        int on_node = member_count / spread->node_count + (node < member_count % spread->node_count);
        for (int i = 0; i < on_node; ++i) {
            int at = spread->order == BN_SPREAD_CYCLIC ? i * spread->node_count + node : member++;
            set_place(machine, spread, node, order[i % machine->pu_count], &places[at]);
        }
    }
    free(order);
    if (spread->order == BN_SPREAD_RANDOM)
        shuffle(places, member_count, spread->seed);
    return BN_OK;
}

bn_status_t bn_spread_hierarchy(const struct bn_machine *machine, const struct bn_spread *spread, int member_count,
                                struct bn_hierarchy **hierarchy_p)
{
    struct bn_place *places = malloc((size_t)member_count * sizeof *places);
    if (!places) {
        bn_log_error("no memory to place %d threads", member_count);
        return BN_ERR_MEMORY;
    }
    bn_status_t status = bn_spread_places(machine, spread, member_count, places);
    if (status == BN_OK)
        status = bn_hierarchy_create(places, member_count, hierarchy_p);
    free(places);
    return status;
}
