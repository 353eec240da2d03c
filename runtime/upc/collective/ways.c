/* ways.c: the functions of include/banyan/coll.h. */
#include "banyan/coll.h"

#include "platform/copy.h"
#include "upc/collective/collective.h"
#include "upc/context.h"

#include <string.h>

/* The operation of that name; BN_OPERATION_COUNT if there is none */
static enum bn_operation find(const char *name)
{
    int operation = 0;
    while (operation < BN_OPERATION_COUNT && strcmp(bn_operation_name((enum bn_operation)operation), name) != 0)
        operation++;
    return (enum bn_operation)operation;
}

int bn_coll_ways(const char *operation_name, const char **names, int room)
{
    enum bn_operation operation = find(operation_name);
    int count = 0;
    if (operation == BN_OPERATION_COUNT)
        return 0;
    const struct bn_entry *entries = bn_registry(operation, &count);
    int found = 0;
    for (int i = 0; i < count; i++) {
        if (!bn_entry_is_there(&entries[i], &bn_context.team))
            continue;
        if (found < room)
            names[found] = entries[i].name;
        found++;
    }
    return found;
}

size_t bn_coll_way_limit(const char *operation_name, const char *name)
{
    enum bn_operation operation = find(operation_name);
    const struct bn_entry *entry = operation == BN_OPERATION_COUNT ? NULL : bn_registry_find(operation, name);
    return entry == NULL ? 0 : bn_entry_limit(entry, &bn_context.team);
}

int bn_coll_use_way(const char *operation_name, const char *name)
{
    enum bn_operation operation = find(operation_name);
    bn_context_check_collective("bn_coll_use_way");
    bool is_forced = operation != BN_OPERATION_COUNT && bn_plans_force(&bn_context.team, operation, name);
    bn_collective_share_barrier(&bn_context);
    return !is_forced;
}

const char *bn_coll_way(const char *operation_name, size_t nbytes, int flags)
{
    enum bn_operation operation = find(operation_name);
    unsigned sync = (unsigned)bn_sync_at_entry(flags) * BN_SYNC_COUNT + (unsigned)bn_sync_at_exit(flags);
    if (operation == BN_OPERATION_COUNT)
        return NULL;
    unsigned plan = bn_context.plans.chosen[operation][sync][bn_size_class(nbytes)];
    return plan == 0 ? NULL : bn_context.plans.plans[plan - 1].entry->name;
}

unsigned long long bn_coll_far_bytes(void)
{
    return bn_copied_far();
}
