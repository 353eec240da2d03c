#include "upc/hierarchy.h"

#include "base/options.h"
#include "platform/memory.h"
#include "sync/spinlock.h"
#include "topology/machine.h"
#include "topology/spread.h"
#include "upc/context.h"
#include "upc/fatal.h"

#include <stdlib.h>

struct bn_upc_places {
    struct bn_spinlock lock; /* protects is_built and the building itself; building takes long, so waiters sleep */
    uint32_t is_built;
    int thread_count;
    struct bn_pu_set may_use[]; /* by thread; the hierarchy follows */
};

static void *hierarchy_memory(struct bn_upc_places *shared)
{
    return shared->may_use + shared->thread_count;
}

/* Builds the hierarchy as if the threads were bound on the machine that BANYAN_TOPOLOGY describes. */
static bn_status_t build_described(struct bn_upc_places *shared, const char *description)
{
    const struct bn_spread block = {.node_count = 1, .order = BN_SPREAD_BLOCK};
    struct bn_machine *machine;
    struct bn_place *places = malloc((size_t)shared->thread_count * sizeof *places);
    bn_status_t status = places ? bn_machine_read(description, NULL, false, &machine) : BN_ERR_MEMORY;
    if (status == BN_OK) {
        status = bn_spread_places(machine, &block, shared->thread_count, places);
        bn_machine_destroy(machine);
    }
    if (status == BN_OK)
        status = bn_hierarchy_build(places, shared->thread_count, hierarchy_memory(shared));
    shared->is_built = status == BN_OK;
    free(places);
    return status;
}

bn_status_t bn_upc_places_create(int thread_count, struct bn_upc_places **places_p)
{
    size_t size_bytes = sizeof(struct bn_upc_places) + (size_t)thread_count * sizeof(struct bn_pu_set) +
                        bn_hierarchy_max_bytes(thread_count);
    void *memory;
    bn_status_t status = bn_memory_share(size_bytes, &memory);
    if (status != BN_OK)
        return status;
    struct bn_upc_places *shared = memory;
    shared->thread_count = thread_count;
    if (bn_option_is_set(BN_OPTION_TOPOLOGY))
        status = build_described(shared, bn_option(BN_OPTION_TOPOLOGY)->text);
    if (status == BN_OK)
        *places_p = shared;
    else
        bn_memory_unshare(memory, size_bytes);
    return status;
}

void bn_upc_places_tell(struct bn_upc_places *places, int thread)
{
    bn_cpus_affinity(&places->may_use[thread]);
}

static void unite(struct bn_pu_set *set, const struct bn_pu_set *other)
{
    for (size_t word = 0; word < sizeof set->words / sizeof set->words[0]; ++word)
        set->words[word] |= other->words[word];
}

static bn_status_t build(struct bn_upc_places *shared)
{
    struct bn_pu_set usable = {{0}};
    struct bn_machine *machine;
    struct bn_place *places = malloc((size_t)shared->thread_count * sizeof *places);
    if (!places)
        return BN_ERR_MEMORY;
    for (int thread = 0; thread < shared->thread_count; ++thread)
        unite(&usable, &shared->may_use[thread]);
    bn_status_t status = bn_machine_read(NULL, &usable, false, &machine);
    if (status == BN_OK) {
        for (int thread = 0; thread < shared->thread_count; ++thread)
            places[thread] = bn_machine_place(machine, &shared->may_use[thread]);
        bn_machine_destroy(machine);
        status = bn_hierarchy_build(places, shared->thread_count, hierarchy_memory(shared));
    }
    free(places);
    return status;
}

const struct bn_hierarchy *bn_upc_hierarchy(void)
{
    struct bn_upc_places *shared = bn_context.places;
    bn_status_t status = BN_OK;
    bn_spinlock_acquire(&shared->lock);
    if (!shared->is_built)
        status = build(shared);
    shared->is_built = status == BN_OK;
    bn_spinlock_release(&shared->lock);
    if (status != BN_OK)
        bn_upc_fatal("runtime", "there is no memory to find out where the threads are");
    return hierarchy_memory(shared);
}
