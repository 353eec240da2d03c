#include "boot/bind.h"

#include <stdlib.h>
#include <string.h>

/* The order in which threads take units: by hardware thread of the core, then region, then core */
static int compare_places(const void *left, const void *right)
{
    const struct bn_pu_place *a = left;
    const struct bn_pu_place *b = right;
    if (a->core_rank != b->core_rank)
        return a->core_rank - b->core_rank;
    if (a->numa != b->numa)
        return a->numa - b->numa;
    return a->pu - b->pu;
}

void bn_bind_machine_read(const char *root, struct bn_bind_machine *machine_p)
{
    bn_cpus_affinity(&machine_p->usable);
    machine_p->place_count = bn_cpus_places(root, &machine_p->usable, machine_p->places, BN_PU_MAX);
    qsort(machine_p->places, (size_t)machine_p->place_count, sizeof machine_p->places[0], compare_places);
}

enum bn_bind_choice bn_bind_resolve(enum bn_bind_choice choice, int usable_count, int thread_count)
{
    if (choice != BN_BIND_AUTO)
        return choice;
    bool is_even = thread_count <= usable_count || thread_count % usable_count == 0;
    return thread_count > 1 && is_even ? BN_BIND_CORE : BN_BIND_NONE;
}

/*
 * The unit of a thread in the order of units.  The first place_count threads take them in order, later groups in the
 * order rotated by one, two, ... places, level by level, so that subsets such as threads 0, 2, 4, ..., which programs
 * often pick, also cover all units.
 */
static int place_of(int thread, int place_count)
{
    int turned = 0;
    for (int rest = thread; rest > 0 && place_count > 1; rest /= place_count)
        turned += rest % place_count;
    return turned % place_count;
}

static int count_regions(const struct bn_bind_machine *machine, int *regions)
{
    int count = 0;
    for (int i = 0; i < machine->place_count; ++i) {
        int at = 0;
        while (at < count && regions[at] < machine->places[i].numa)
            ++at;
        if (at < count && regions[at] == machine->places[i].numa)
            continue;
        memmove(regions + at + 1, regions + at, (size_t)(count - at) * sizeof *regions);
        regions[at] = machine->places[i].numa;
        ++count;
    }
    return count;
}

void bn_bind_plan(const struct bn_bind_machine *machine, enum bn_bind_choice choice, int thread_count, int thread,
                  struct bn_pu_set *set_p)
{
    if (choice == BN_BIND_CORE) {
        memset(set_p, 0, sizeof *set_p);
        bn_pu_set_add(set_p, machine->places[place_of(thread, machine->place_count)].pu);
    } else if (choice == BN_BIND_NUMA) {
        int regions[BN_PU_MAX];
        int count = count_regions(machine, regions);
        int region = regions[(long)thread * count / thread_count];
        memset(set_p, 0, sizeof *set_p);
        for (int i = 0; i < machine->place_count; ++i) {
            if (machine->places[i].numa == region)
                bn_pu_set_add(set_p, machine->places[i].pu);
        }
    } else {
        *set_p = machine->usable;
    }
}
