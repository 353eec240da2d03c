/*
 * hierarchy.c: where the threads are, over several nodes.  A node is a set of threads that share memory
 * (bn_remote.leaders), whatever the system calls a machine; its number is that of its leader.
 */
#include "upc/hierarchy.h"

#include "base/options.h"
#include "pgas/remote/remote.h"
#include "platform/copy.h"
#include "topology/machine.h"
#include "topology/spread.h"
#include "upc/context.h"
#include "upc/fatal.h"
#include "upc/remote/hierarchy.h"

#include <stdlib.h>

/* Numbers of parts are unique over all nodes: each node has this many numbers at a level. */
enum { PARTS_OF_NODE = 1 << 20 };
_Static_assert((uint64_t)BN_REMOTE_THREADS *PARTS_OF_NODE < BN_PLACE_UNKNOWN, "numbers of parts fit");

/* Number of threads of this node with numbers below end */
static int near_before(int end)
{
    int count = 0;
    for (int thread = 0; thread < end; thread++)
        count += bn_remote.leaders[thread] == bn_remote.leaders[bn_remote.thread];
    return count;
}

/* Finds the place of this thread as if the threads of each node were bound on the machine that BANYAN_TOPOLOGY
 * describes. */
static bn_status_t find_described(const char *description, struct bn_place *place_p)
{
    const struct bn_spread block = {.node_count = 1, .order = BN_SPREAD_BLOCK};
    int count = near_before(bn_remote.thread_count);
    struct bn_machine *machine;
    struct bn_place *places = malloc((size_t)count * sizeof *places);
    bn_status_t status = places ? bn_machine_read(description, NULL, false, &machine) : BN_ERR_MEMORY;
    if (status == BN_OK) {
        status = bn_spread_places(machine, &block, count, places);
        bn_machine_destroy(machine);
    }
    if (status == BN_OK)
        *place_p = places[near_before(bn_remote.thread)];
    free(places);
    return status;
}

static bn_status_t find_real(struct bn_place *place_p)
{
    struct bn_machine *machine;
    struct bn_pu_set may_use;
    bn_status_t status = bn_machine_read(NULL, NULL, false, &machine);
    if (status != BN_OK)
        return status;
    bn_cpus_affinity(&may_use);
    *place_p = bn_machine_place(machine, &may_use);
    bn_machine_destroy(machine);
    return BN_OK;
}

struct bn_place bn_upc_own_place(void)
{
    struct bn_place place;
    uint32_t node = (uint32_t)bn_remote.leaders[bn_remote.thread];
    bool is_described = bn_option_is_set(BN_OPTION_TOPOLOGY);
    bn_status_t status = is_described ? find_described(bn_option(BN_OPTION_TOPOLOGY)->text, &place) : find_real(&place);
    if (status != BN_OK)
        bn_upc_fatal("runtime", "cannot find out where the thread runs, for the reason above");
    for (int level = 0; level < BN_LEVEL_NODE; level++) {
        if (place.parts[level] != BN_PLACE_UNKNOWN)
            place.parts[level] += node * PARTS_OF_NODE;
    }
    place.parts[BN_LEVEL_NODE] = node;
    place.parts[BN_LEVEL_SWITCH] = 0;
    return place;
}

const struct bn_hierarchy *bn_upc_hierarchy(void)
{
    static BN_PER_THREAD struct bn_hierarchy *hierarchy;
    if (hierarchy)
        return hierarchy;
    int count = bn_context.thread_count;
    struct bn_place *places = malloc((size_t)count * sizeof *places);
    for (int thread = 0; places && thread < count; thread++)
        bn_copy(&places[thread], bn_upc_place_of(thread), sizeof places[thread]);
    if (!places || bn_hierarchy_create(places, count, &hierarchy) != BN_OK)
        bn_upc_fatal("runtime", "there is no memory to find out where the threads are");
    free(places);
    return hierarchy;
}
