// draw_dot.cc: trees and rings as Graphviz input.

#include "info/shape.h"

#include "info/colours.h"

namespace bn::info {

namespace {

std::string quoted(const std::string& text)
{
    std::string result = "\"";
    for (char c : text)
        result += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    return result + "\"";
}

// Boxes for nodes and memory regions, where there is more than one of them
std::string boxes(const Drawing& drawing)
{
    const bn_hierarchy* hierarchy = drawing.hierarchy.get();
    std::string text;
    for (int node = 0; node < bn_hierarchy_group_count(hierarchy, BN_LEVEL_NODE); ++node) {
        text += "  subgraph cluster_node" + std::to_string(node) + " {\n    label=\"node " + std::to_string(node) +
                "\"; style=rounded; color=\"#8a94a6\";\n";
        int first = bn_hierarchy_first_subgroup(hierarchy, BN_LEVEL_NODE, node, BN_LEVEL_NUMA);
        int count = bn_hierarchy_subgroup_count(hierarchy, BN_LEVEL_NODE, node, BN_LEVEL_NUMA);
        for (int numa = first; numa < first + count; ++numa) {
            std::string members;
            int begin = bn_hierarchy_group_begin(hierarchy, BN_LEVEL_NUMA, numa);
            for (int i = 0; i < bn_hierarchy_group_size(hierarchy, BN_LEVEL_NUMA, numa); ++i)
                members += " " + std::to_string(bn_hierarchy_member_at(hierarchy, begin + i)) + ";";
            if (count > 1)
                members = " subgraph cluster_numa" + std::to_string(numa) +
                          " { label=\"\"; style=\"rounded,filled\"; " + "color=\"#eef1f6\";" + members + " }";
            text += "   " + members + "\n";
        }
        text += "  }\n";
    }
    return text;
}

}  // namespace

std::string draw_dot(const Drawing& drawing)
{
    std::string text = "digraph shape {\n  label=" + quoted(drawing.title) + ";\n  fontname=\"sans-serif\";\n" +
                       "  node [shape=circle, fixedsize=true, width=0.45, fontname=\"sans-serif\", fontsize=11];\n" +
                       "  edge [arrowsize=0.6];\n";
    text += boxes(drawing);
    if (!drawing.is_ring)
        text += "  " + std::to_string(drawing.root) + " [style=filled, fillcolor=\"#ffd97a\"];\n";
    for (int thread = 0; thread < drawing.thread_count(); ++thread) {
        for (int child : drawing.vertices[static_cast<size_t>(thread)].children)
            text += "  " + std::to_string(thread) + " -> " + std::to_string(child) + " [color=\"" +
                    level_colour(drawing.distance(thread, child)) + "\"];\n";
    }
    return text + "}\n";
}

}  // namespace bn::info
