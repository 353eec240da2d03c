#include "topology/parts.h"

#include "base/log.h"

#include <stdlib.h>
#include <string.h>

/* ---- Collecting ---- */

/* Doubles a table that is full; false if there is no memory. */
static bool grow(void **table, int *room, int count, size_t entry_bytes)
{
    enum { FIRST_ROOM = 64 };
    if (count < *room)
        return true;
    int wanted = *room > 0 ? 2 * *room : FIRST_ROOM;
    void *larger = realloc(*table, (size_t)wanted * entry_bytes);
    if (!larger)
        return false;
    *table = larger;
    *room = wanted;
    return true;
}

int bn_machine_parts_add(struct bn_machine_parts *parts, struct bn_machine_object object)
{
    void *table = parts->objects;
    if (!grow(&table, &parts->object_room, parts->object_count, sizeof *parts->objects)) {
        parts->is_out_of_memory = true;
        return 0;
    }
    parts->objects = table;
    parts->objects[parts->object_count] = object;
    return parts->object_count++;
}

void bn_machine_parts_add_pu(struct bn_machine_parts *parts, int os_number)
{
    void *table = parts->pus;
    if (!grow(&table, &parts->pu_room, parts->pu_count, sizeof *parts->pus)) {
        parts->is_out_of_memory = true;
        return;
    }
    parts->pus = table;
    parts->pus[parts->pu_count++] = (struct bn_machine_pu){.os_number = os_number};
}

/* ---- The tree ---- */

static int end_of(const struct bn_machine_object *object)
{
    return object->first_pu + object->pu_count;
}

/* Depth first: by first pu, then the larger one first, then the kind that usually contains the other */
static int compare_objects(const void *left, const void *right)
{
    const struct bn_machine_object *a = left;
    const struct bn_machine_object *b = right;
    if (a->first_pu != b->first_pu)
        return a->first_pu - b->first_pu;
    if (a->pu_count != b->pu_count)
        return b->pu_count - a->pu_count;
    if (a->kind != b->kind)
        return (int)a->kind - (int)b->kind;
    return b->cache_level - a->cache_level;
}

static bool holds(const struct bn_machine_object *outer, const struct bn_machine_object *inner)
{
    return outer->first_pu <= inner->first_pu && end_of(inner) <= end_of(outer);
}

/* A group is a board if it has several sockets and is not the whole machine. */
static bool is_board(const struct bn_machine_parts *parts, const struct bn_machine_object *group)
{
    int sockets = 0;
    if (group->pu_count == parts->pu_count)
        return false;
    for (int i = 0; i < parts->object_count; ++i)
        sockets += parts->objects[i].kind == BN_OBJECT_SOCKET && holds(group, &parts->objects[i]);
    return sockets > 1;
}

static void drop_groups(struct bn_machine_parts *parts)
{
    int kept = 0;
    for (int i = 0; i < parts->object_count; ++i) {
        if (parts->objects[i].kind == BN_OBJECT_BOARD && !is_board(parts, &parts->objects[i]))
            parts->objects[i].pu_count = 0;
    }
    for (int i = 0; i < parts->object_count; ++i) {
        if (parts->objects[i].pu_count > 0)
            parts->objects[kept++] = parts->objects[i];
    }
    parts->object_count = kept;
}

static void set_depths(struct bn_machine_parts *parts)
{
    int ends[BN_OBJECT_PU + 16]; /* ends of the enclosing parts; there cannot be more than kinds and cache levels */
    int depth = 0;
    for (int i = 0; i < parts->object_count; ++i) {
        struct bn_machine_object *object = &parts->objects[i];
        while (depth > 0 && ends[depth - 1] <= object->first_pu)
            --depth;
        object->depth = depth;
        if (depth < (int)(sizeof ends / sizeof ends[0]))
            ends[depth++] = end_of(object);
    }
}

/* ---- Levels of each pu ---- */

/* The parts that a pu lies in; null for kinds without such a part */
struct surroundings {
    const struct bn_machine_object *machine, *board, *socket, *numa, *cache, *core;
};

static const struct bn_machine_object *larger(const struct bn_machine_object *a, const struct bn_machine_object *b)
{
    return b && b->pu_count > a->pu_count ? b : a;
}

static bool contains_kind(const struct bn_machine_parts *parts, const struct bn_machine_object *outer,
                          enum bn_object_kind kind)
{
    for (int i = 0; i < parts->object_count; ++i) {
        if (parts->objects[i].kind == kind && holds(outer, &parts->objects[i]))
            return true;
    }
    return false;
}

/*
 * The memory region of a pu.  On a machine without regions it is the machine.  On a machine with regions, a pu without
 * one uses its socket if possible.
 */
static const struct bn_machine_object *region_of(const struct bn_machine_parts *parts,
                                                 const struct surroundings *around)
{
    if (around->numa)
        return around->numa;
    if (!contains_kind(parts, around->machine, BN_OBJECT_NUMA))
        return around->machine;
    if (around->socket && !contains_kind(parts, around->socket, BN_OBJECT_NUMA))
        return around->socket;
    return around->core;
}

static void set_levels(const struct bn_machine_parts *parts, const struct surroundings *around,
                       struct bn_machine_pu *pu)
{
    const struct bn_machine_object *numa = region_of(parts, around);
    const struct bn_machine_object *socket = around->socket ? around->socket : around->machine;
    const struct bn_machine_object *cache = larger(around->core, around->cache);
    const struct bn_machine_object *die = larger(socket->pu_count < numa->pu_count ? socket : numa, cache);
    const struct bn_machine_object *both = larger(socket, numa);
    const struct bn_machine_object *levels[BN_LEVEL_NODE] = {
        [BN_LEVEL_CORE] = around->core,
        [BN_LEVEL_CACHE] = cache,
        [BN_LEVEL_DIE] = die,
        [BN_LEVEL_NUMA] = larger(numa, die),
        [BN_LEVEL_SOCKET] = both,
        [BN_LEVEL_BOARD] = larger(both, around->board ? around->board : around->machine),
    };
    for (int level = 0; level < BN_LEVEL_NODE; ++level)
        pu->parts[level] = (uint32_t)levels[level]->first_pu;
}

/* Records a part that the pu lies in; parts come from the outermost to the innermost. */
static void surround(struct surroundings *around, const struct bn_machine_object *object)
{
    switch (object->kind) {
    case BN_OBJECT_MACHINE: around->machine = object; break;
    case BN_OBJECT_BOARD: around->board = around->board ? around->board : object; break;
    case BN_OBJECT_SOCKET: around->socket = object; break;
    case BN_OBJECT_NUMA:
        around->numa = object;
        around->cache = NULL; /* a cache counts only if it lies in one region */
        break;
    case BN_OBJECT_CACHE: around->cache = around->cache ? around->cache : object; break;
    case BN_OBJECT_CORE:
    case BN_OBJECT_PU: around->core = object; break;
    }
}

/* Requires objects in their final order. */
static void set_all_levels(struct bn_machine_parts *parts)
{
    const struct bn_machine_object *stack[BN_OBJECT_PU + 16];
    int height = 0;
    for (int i = 0; i < parts->object_count; ++i) {
        const struct bn_machine_object *object = &parts->objects[i];
        while (height > object->depth)
            --height;
        if (height < (int)(sizeof stack / sizeof stack[0]))
            stack[height++] = object;
        if (object->kind != BN_OBJECT_PU)
            continue;
        struct surroundings around = {0};
        for (int at = 0; at < height - 1; ++at)
            surround(&around, stack[at]);
        if (!around.core)
            around.core = object;
        struct bn_machine_pu *pu = &parts->pus[object->first_pu];
        set_levels(parts, &around, pu);
        pu->core_rank = object->first_pu - around.core->first_pu;
    }
}

/* ---- The result ---- */

static struct bn_machine *copy(const struct bn_machine_parts *parts, const char *source)
{
    size_t object_bytes = (size_t)parts->object_count * sizeof *parts->objects;
    size_t pu_bytes = (size_t)parts->pu_count * sizeof *parts->pus;
    struct bn_machine *machine = malloc(sizeof *machine + object_bytes + pu_bytes + strlen(source) + 1);
    if (!machine)
        return NULL;
    char *objects = (char *)(machine + 1);
    char *pus = objects + object_bytes;
    char *text = pus + pu_bytes;
    memcpy(objects, parts->objects, object_bytes);
    memcpy(pus, parts->pus, pu_bytes);
    strcpy(text, source);
    *machine = (struct bn_machine){
        .source = text,
        .object_count = parts->object_count,
        .objects = (struct bn_machine_object *)(void *)objects,
        .pu_count = parts->pu_count,
        .pus = (struct bn_machine_pu *)(void *)pus,
    };
    return machine;
}

bn_status_t bn_machine_parts_finish(struct bn_machine_parts *parts, const char *source, struct bn_machine **machine_p)
{
    struct bn_machine *machine = NULL;
    for (int pu = 0; pu < parts->pu_count; ++pu) {
        struct bn_machine_object object = {.kind = BN_OBJECT_PU, .first_pu = pu, .pu_count = 1};
        object.os_number = parts->pus[pu].os_number;
        bn_machine_parts_add(parts, object);
    }
    bn_machine_parts_add(
        parts, (struct bn_machine_object){.kind = BN_OBJECT_MACHINE, .os_number = -1, .pu_count = parts->pu_count});
    if (!parts->is_out_of_memory) {
        drop_groups(parts);
        qsort(parts->objects, (size_t)parts->object_count, sizeof *parts->objects, compare_objects);
        set_depths(parts);
        set_all_levels(parts);
        machine = copy(parts, source);
    }
    free(parts->objects);
    free(parts->pus);
    *parts = (struct bn_machine_parts){0};
    if (!machine) {
        bn_log_error("no memory for the description of the machine");
        return BN_ERR_MEMORY;
    }
    *machine_p = machine;
    return BN_OK;
}
