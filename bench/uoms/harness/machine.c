/*
 * machine.c: the machine as a tree, from hwloc if the build has it (-DUOMS_HWLOC), otherwise as a flat list of
 * processors from /sys.  The report can draw both.
 */
#include "cpus.h"
#include "output.h"

#if defined(UOMS_HWLOC)

#include <hwloc.h>

static void write_object(struct uoms_json *json, const char *name, hwloc_obj_t object);

static void write_children(struct uoms_json *json, const char *name, hwloc_obj_t first)
{
    if (first == NULL)
        return;
    uoms_json_open(json, name, '[');
    for (hwloc_obj_t child = first; child != NULL; child = child->next_sibling)
        write_object(json, NULL, child);
    uoms_json_close(json, ']');
}

static void write_object(struct uoms_json *json, const char *name, hwloc_obj_t object)
{
    uoms_json_open(json, name, '{');
    uoms_json_text(json, "type", hwloc_obj_type_string(object->type));
    if (object->os_index != HWLOC_UNKNOWN_INDEX)
        uoms_json_count(json, "index", object->os_index);
    if (hwloc_obj_type_is_cache(object->type))
        uoms_json_count(json, "bytes", (size_t)object->attr->cache.size);
    else if (object->type == HWLOC_OBJ_NUMANODE)
        uoms_json_count(json, "bytes", (size_t)object->attr->numanode.local_memory);
    write_children(json, "memory", object->memory_first_child);
    write_children(json, "children", object->first_child);
    uoms_json_close(json, '}');
}

static int write_tree(struct uoms_json *json)
{
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology) != 0)
        return 0;
    int is_loaded = hwloc_topology_load(topology) == 0;
    if (is_loaded) {
        uoms_json_text(json, "source", "hwloc");
        write_object(json, "tree", hwloc_get_root_obj(topology));
    }
    hwloc_topology_destroy(topology);
    return is_loaded;
}

#else

static int write_tree(struct uoms_json *json)
{
    (void)json;
    return 0;
}

#endif

void uoms_write_machine(struct uoms_json *json)
{
    static struct uoms_cpus cpus;
    uoms_cpus_read_all("", &cpus);
    uoms_json_open(json, "machine", '{');
    if (!write_tree(json))
        uoms_json_text(json, "source", "sysfs");
    uoms_json_open(json, "processors", '[');
    for (size_t i = 0; i < cpus.count; i++) {
        const struct uoms_cpu *cpu = &cpus.cpus[i];
        if (cpu->core < 0)
            continue;
        uoms_json_open(json, NULL, '{');
        uoms_json_count(json, "number", (size_t)cpu->number);
        uoms_json_number(json, "core", cpu->core);
        uoms_json_number(json, "package", cpu->package);
        uoms_json_number(json, "numa", cpu->numa);
        uoms_json_number(json, "cache2", cpu->cache2);
        uoms_json_number(json, "cache3", cpu->cache3);
        uoms_json_close(json, '}');
    }
    uoms_json_close(json, ']');
    uoms_json_close(json, '}');
}
