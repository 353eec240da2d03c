/*
 * machine_hwloc.c: reads a machine through hwloc.
 *
 * libhwloc is loaded only when a machine is read.  Linked into every program, it would add a fifth of a millisecond to
 * every start, and programs would not run without it (docs/design/003-machine.md).
 */
#include "base/log.h"
#include "platform/library.h"
#include "topology/parts.h"

#include <hwloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* The functions of hwloc that are used here: hwloc's names without the prefix */
#define FUNCTIONS(apply)                                                                                               \
    apply(topology_init) apply(topology_set_xml) apply(topology_set_synthetic) apply(topology_set_type_filter)         \
        apply(topology_set_components) apply(topology_load) apply(topology_destroy) apply(topology_get_depth)          \
            apply(get_nbobjs_by_depth) apply(get_obj_by_depth)

struct hwloc {
#define MEMBER(name) __typeof__(hwloc_##name) *name;
    FUNCTIONS(MEMBER)
};

static bool load_library(struct hwloc *hwloc)
{
    void *library = bn_library_open("libhwloc.so.15"); /* stays loaded: it cannot be unloaded safely */
    if (!library)
        return false;
#define LOOK_UP(name) hwloc->name = (__typeof__(hwloc->name))bn_library_symbol(library, "hwloc_" #name);
    FUNCTIONS(LOOK_UP)
#define IS_THERE(name) &&hwloc->name
    return true FUNCTIONS(IS_THERE);
}

/* The probable kind of a description */
enum source { THIS_MACHINE, A_FILE, A_LARGE_FILE, A_FOLDER, A_DEVICE, NOTATION };

enum { FILE_MAX_BYTES = 64 << 20 };

static enum source classify(const char *description)
{
    if (!description)
        return THIS_MACHINE;
    FILE *file = fopen(description, "r"); /* which also opens folders */
    if (!file)
        return NOTATION;
    struct stat status = {0};
    fstat(fileno(file), &status);
    fclose(file);
    if (S_ISDIR(status.st_mode))
        return A_FOLDER;
    if (S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode)) /* may have no end */
        return A_DEVICE;
    return status.st_size > FILE_MAX_BYTES ? A_LARGE_FILE : A_FILE;
}

/* The system's own list of devices tells which processors they are near to; reading their place in the PCI tree takes
 * about twenty times as long.  Graphics are excluded, because looking for them would contact X servers and drivers. */
static void want_network(const struct hwloc *hwloc, hwloc_topology_t topology)
{
    static const char *const graphics[] = {"gl", "opencl", "cuda", "nvml", "rsmi", "levelzero"};
    hwloc->topology_set_type_filter(topology, HWLOC_OBJ_OS_DEVICE, HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
    for (size_t i = 0; i < sizeof graphics / sizeof *graphics; i++) /* a component that does not exist does no harm */
        hwloc->topology_set_components(topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, graphics[i]);
}

static bool load(const struct hwloc *hwloc, hwloc_topology_t topology, enum source source, const char *description)
{
    if (source == A_FOLDER || source == A_DEVICE || source == A_LARGE_FILE)
        return false;
    if (source == A_FILE && hwloc->topology_set_xml(topology, description) != 0)
        return false;
    if (source == NOTATION && hwloc->topology_set_synthetic(topology, description) != 0)
        return false;
    return hwloc->topology_load(topology) == 0;
}

static bn_status_t load_topology(const struct hwloc *hwloc, const char *description, bool wants_network,
                                 hwloc_topology_t *topology_p)
{
    static const char *const problems[] = {
        [THIS_MACHINE] = "hwloc cannot read it",
        [A_FILE] = "is a file, but not one that hwloc reads; write it with lstopo NAME.xml",
        [A_LARGE_FILE] = "is larger than the 64 MiB that are read; write a smaller one with lstopo NAME.xml",
        [A_FOLDER] = "is a folder; a machine is a file that lstopo NAME.xml writes",
        [A_DEVICE] = "is a device; a machine is a file that lstopo NAME.xml writes",
        [NOTATION] = "is neither a file nor a description such as \"pack:2 [numa] l3:1 core:8 pu:2\"",
    };
    enum source source = classify(description);
    hwloc_topology_t topology;
    if (hwloc->topology_init(&topology) != 0) {
        bn_log_error("no memory for hwloc");
        return BN_ERR_MEMORY;
    }
    if (wants_network)
        want_network(hwloc, topology);
    if (!load(hwloc, topology, source, description)) {
        bn_log_error("machine \"%s\": %s", description ? description : "this one", problems[source]);
        hwloc->topology_destroy(topology);
        return BN_ERR_INVALID;
    }
    *topology_p = topology;
    return BN_OK;
}

/* ---- From hwloc's objects to parts ---- */

/* hwloc's userdata is free for our use: it holds the index of the part plus 1, or 0 if there is none yet. */
static int part_of(hwloc_obj_t object)
{
    return (int)(intptr_t)object->userdata - 1;
}

/* Adds the most recently added pu to an object's part. */
static void extend(struct bn_machine_parts *parts, hwloc_obj_t object, enum bn_object_kind kind, int cache_level,
                   uint64_t size_bytes)
{
    if (object->userdata) {
        parts->objects[part_of(object)].pu_count++;
        return;
    }
    struct bn_machine_object part = {.kind = kind, .cache_level = cache_level, .size_bytes = size_bytes};
    part.os_number = object->os_index == HWLOC_UNKNOWN_INDEX ? -1 : (int)object->os_index;
    part.first_pu = parts->pu_count - 1;
    part.pu_count = 1;
    object->userdata = (void *)(intptr_t)(bn_machine_parts_add(parts, part) + 1);
}

static bool is_data_cache(hwloc_obj_t object)
{
    return object->type >= HWLOC_OBJ_L1CACHE && object->type <= HWLOC_OBJ_L5CACHE;
}

/* Handles an object that contains the most recently added pu */
static void add_object(struct bn_machine_parts *parts, hwloc_obj_t object)
{
    if (object->type == HWLOC_OBJ_GROUP)
        extend(parts, object, BN_OBJECT_BOARD, 0, 0);
    else if (object->type == HWLOC_OBJ_PACKAGE)
        extend(parts, object, BN_OBJECT_SOCKET, 0, 0);
    else if (object->type == HWLOC_OBJ_CORE)
        extend(parts, object, BN_OBJECT_CORE, 0, 0);
    else if (is_data_cache(object))
        extend(parts, object, BN_OBJECT_CACHE, (int)object->attr->cache.depth, object->attr->cache.size);
    hwloc_obj_t memory = object->memory_first_child;
    while (memory && memory->type != HWLOC_OBJ_NUMANODE)
        memory = memory->memory_first_child; /* skips memory-side caches */
    if (memory)
        extend(parts, memory, BN_OBJECT_NUMA, 0, memory->attr->numanode.local_memory);
}

/* Marks the pus near network adapters, unless all are equally near. */
static void mark_network(const struct hwloc *hwloc, hwloc_topology_t topology, struct bn_machine_parts *parts,
                         const hwloc_obj_t *pus)
{
    unsigned count = hwloc->get_nbobjs_by_depth(topology, HWLOC_TYPE_DEPTH_OS_DEVICE);
    for (unsigned i = 0; i < count; ++i) {
        hwloc_obj_t device = hwloc->get_obj_by_depth(topology, HWLOC_TYPE_DEPTH_OS_DEVICE, i);
        if (device->attr->osdev.type != HWLOC_OBJ_OSDEV_NETWORK &&
            device->attr->osdev.type != HWLOC_OBJ_OSDEV_OPENFABRICS)
            continue;
        hwloc_obj_t near = device->parent;
        while (near && !near->cpuset)
            near = near->parent;
        for (int pu = 0; near && near->parent && pu < parts->pu_count; ++pu) {
            hwloc_obj_t around = pus[pu];
            while (around && around != near)
                around = around->parent;
            parts->pus[pu].is_near_network |= around != NULL;
        }
    }
}

static bn_status_t convert(const struct hwloc *hwloc, hwloc_topology_t topology, const struct bn_pu_set *usable,
                           struct bn_machine_parts *parts)
{
    int pu_depth = hwloc->topology_get_depth(topology) - 1;
    unsigned count = hwloc->get_nbobjs_by_depth(topology, pu_depth);
    hwloc_obj_t *pus = malloc(count * sizeof(hwloc_obj_t));
    if (!pus) {
        bn_log_error("no memory for the description of the machine");
        return BN_ERR_MEMORY;
    }
    for (unsigned i = 0; i < count && !parts->is_out_of_memory; ++i) {
        hwloc_obj_t pu = hwloc->get_obj_by_depth(topology, pu_depth, i);
        if (usable && !bn_pu_set_has(usable, (int)pu->os_index))
            continue;
        bn_machine_parts_add_pu(parts, (int)pu->os_index);
        pus[parts->pu_count - 1] = pu;
        for (hwloc_obj_t object = pu; object; object = object->parent)
            add_object(parts, object);
    }
    if (!parts->is_out_of_memory)
        mark_network(hwloc, topology, parts, pus);
    free(pus);
    return BN_OK;
}

bn_status_t bn_machine_read_hwloc(const char *description, const struct bn_pu_set *usable, bool wants_network,
                                  struct bn_machine **machine_p)
{
    struct hwloc hwloc;
    hwloc_topology_t topology;
    struct bn_machine_parts parts = {0};
    if (!load_library(&hwloc))
        return BN_UNSUPPORTED;
    bn_status_t status = load_topology(&hwloc, description, wants_network, &topology);
    if (status != BN_OK)
        return status;
    status = convert(&hwloc, topology, description ? NULL : usable, &parts);
    if (status == BN_OK && parts.pu_count == 0)
        status = convert(&hwloc, topology, NULL, &parts);
    if (status == BN_OK)
        status = bn_machine_parts_finish(&parts, description ? description : "hwloc", machine_p);
    hwloc.topology_destroy(topology);
    return status;
}
