#include "topology/machine.h"

#include "base/log.h"
#include "topology/parts.h"

#include <stdlib.h>

bn_status_t bn_machine_read(const char *description, const struct bn_pu_set *usable, bool wants_network,
                            struct bn_machine **machine_p)
{
    bn_status_t status = bn_machine_read_hwloc(description, usable, wants_network, machine_p);
    if (status == BN_OK || (description && status != BN_UNSUPPORTED))
        return status;
    if (!description)
        return bn_machine_read_system("", usable, machine_p);
    bn_log_error(
        "the machine \"%s\" can be read by hwloc only, which is missing; install libhwloc 2, and do not link with "
        "-static",
        description);
    return BN_UNSUPPORTED;
}

bn_status_t bn_machine_make(const struct bn_machine_row *rows, int row_count, struct bn_machine **machine_p)
{
    struct bn_machine_parts parts = {0};
    int pu_count = 1;
    for (int row = 0; row < row_count; ++row)
        pu_count *= rows[row].count;
    for (int pu = 0; pu < pu_count; ++pu)
        bn_machine_parts_add_pu(&parts, pu);
    int size = pu_count;
    for (int row = 0; row < row_count; ++row) {
        size /= rows[row].count;
        if (rows[row].kind == BN_OBJECT_MACHINE || rows[row].kind == BN_OBJECT_PU)
            continue;
        for (int first = 0; first < pu_count; first += size)
            bn_machine_parts_add(&parts,
                                 (struct bn_machine_object){.kind = rows[row].kind,
                                                            .cache_level = rows[row].kind == BN_OBJECT_CACHE ? 3 : 0,
                                                            .os_number = first / size,
                                                            .first_pu = first,
                                                            .pu_count = size});
    }
    return bn_machine_parts_finish(&parts, "description", machine_p);
}

void bn_machine_destroy(struct bn_machine *machine)
{
    free(machine);
}

struct bn_place bn_machine_place(const struct bn_machine *machine, const struct bn_pu_set *set)
{
    struct bn_place place;
    bool is_first = true;
    place.is_near_network = true;
    for (int level = 0; level < BN_LEVEL_COUNT; ++level)
        place.parts[level] = level < BN_LEVEL_NODE ? BN_PLACE_UNKNOWN : 0;
    for (int i = 0; i < machine->pu_count; ++i) {
        const struct bn_machine_pu *pu = &machine->pus[i];
        if (!bn_pu_set_has(set, pu->os_number))
            continue;
        place.is_near_network &= pu->is_near_network;
        for (int level = 0; level < BN_LEVEL_NODE; ++level) {
            if (is_first)
                place.parts[level] = pu->parts[level];
            else if (place.parts[level] != pu->parts[level])
                place.parts[level] = BN_PLACE_UNKNOWN;
        }
        is_first = false;
    }
    place.is_near_network &= !is_first;
    return place;
}

void bn_machine_pu_order(const struct bn_machine *machine, int *order)
{
    int count = 0;
    for (int core_rank = 0; count < machine->pu_count; ++core_rank) {
        for (int pu = 0; pu < machine->pu_count; ++pu) {
            if (machine->pus[pu].core_rank == core_rank)
                order[count++] = pu;
        }
    }
}
