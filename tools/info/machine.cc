// machine.cc: the machine, as hwloc sees it, and which parts of it this process may use.

#include "info/facts.h"
#include "info/reach.h"

#include "platform/cpus.h"
#include "platform/memory.h"

#include <cstring>
#include <hwloc.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

namespace bn::info {

using Json = nlohmann::ordered_json;

namespace {

struct DestroyTopology {
    void operator()(hwloc_topology* topology) const { hwloc_topology_destroy(topology); }
};
using Topology = std::unique_ptr<hwloc_topology, DestroyTopology>;

Topology load_topology()
{
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology) != 0)
        return nullptr;
    Topology owner(topology);
    // The whole machine; what this process may use of it is reported separately.
    hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
    if (hwloc_topology_load(topology) != 0)
        return nullptr;
    return owner;
}

std::string info_of(hwloc_obj_t object, const char* name)
{
    const char* value = object ? hwloc_obj_get_info_by_name(object, name) : nullptr;
    return value ? value : "";
}

Json cache_facts(hwloc_topology_t topology)
{
    static const struct {
        const char* name;
        hwloc_obj_type_t type;
    } levels[] = {{"L1 data", HWLOC_OBJ_L1CACHE},
                  {"L2", HWLOC_OBJ_L2CACHE},
                  {"L3", HWLOC_OBJ_L3CACHE},
                  {"L4", HWLOC_OBJ_L4CACHE}};
    Json list = Json::array();
    for (const auto& level : levels) {
        int count = hwloc_get_nbobjs_by_type(topology, level.type);
        if (count <= 0)
            continue;
        hwloc_obj_t first = hwloc_get_obj_by_type(topology, level.type, 0);
        Json row;
        row["level"] = level.name;
        row["count"] = count;
        row["bytes"] = first->attr->cache.size;
        row["line_bytes"] = first->attr->cache.linesize;
        list.push_back(row);
    }
    return list;
}

Json region_facts(hwloc_topology_t topology)
{
    Json list = Json::array();
    hwloc_obj_t node = nullptr;
    while ((node = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, node))) {
        char* processors = nullptr;
        hwloc_bitmap_list_asprintf(&processors, node->cpuset);
        Json row;
        row["numa"] = node->os_index;
        row["bytes"] = node->attr->numanode.local_memory;
        row["processors"] = processors ? processors : "";
        free(processors);
        list.push_back(row);
    }
    return list;
}

Json usable_facts()
{
    bn_pu_set set;
    char text[BN_PU_SET_TEXT_BYTES];
    Json facts;
    bn_cpus_affinity(&set);
    bn_pu_set_format(&set, text, sizeof text);
    facts["processors"] = text;
    long quota_milli = bn_cpus_quota_milli("");
    if (quota_milli > 0)
        facts["quota"] = static_cast<double>(quota_milli) / 1000;
    else
        facts["quota"] = nullptr;
    facts["cores"] = bn_cpus_usable_count();
    facts["memory_bytes"] = available_memory_facts();
    return facts;
}

}  // namespace

Json available_memory_facts()
{
    uint64_t bytes = bn_memory_available_bytes("");
    return bytes == UINT64_MAX ? Json() : Json(bytes);
}

Json machine_facts()
{
    Json facts;
    if (Topology topology = load_topology()) {
        hwloc_topology_t tree = topology.get();
        hwloc_obj_t package = hwloc_get_obj_by_type(tree, HWLOC_OBJ_PACKAGE, 0);
        facts["processor"] = info_of(package, "CPUModel");
        facts["packages"] = hwloc_get_nbobjs_by_type(tree, HWLOC_OBJ_PACKAGE);
        facts["cores"] = hwloc_get_nbobjs_by_type(tree, HWLOC_OBJ_CORE);
        facts["processing_units"] = hwloc_get_nbobjs_by_type(tree, HWLOC_OBJ_PU);
        facts["memory_bytes"] = hwloc_get_root_obj(tree)->total_memory;
        facts["caches"] = cache_facts(tree);
        facts["regions"] = region_facts(tree);
    }
    facts["usable"] = usable_facts();
    facts["private_memory"] = reach_facts();
    facts["structure"] = structure_facts("");
    return facts;
}

}  // namespace bn::info
