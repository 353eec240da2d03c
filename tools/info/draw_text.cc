// draw_text.cc: trees and rings as text.

#include "info/shape.h"

#include <string>

namespace bn::info {

namespace {

struct Edge {
    std::string text;  // a thread, or several threads without children of their own
    bn_level level;
    int thread;  // the thread whose children follow; -1: none
};

bool is_leaf(const Drawing& drawing, int thread)
{
    return drawing.vertices[static_cast<size_t>(thread)].children.empty();
}

// The lines below a thread: adjacent leaves at the same distance share one line.
std::vector<Edge> edges_below(const Drawing& drawing, int thread)
{
    const std::vector<int>& children = drawing.vertices[static_cast<size_t>(thread)].children;
    std::vector<Edge> edges;
    for (size_t i = 0; i < children.size();) {
        bn_level level = drawing.distance(thread, children[i]);
        std::vector<int> leaves;
        while (i < children.size() && is_leaf(drawing, children[i]) && drawing.distance(thread, children[i]) == level)
            leaves.push_back(children[i++]);
        if (!leaves.empty()) {
            edges.push_back({ranges_text(leaves), level, -1});
            continue;
        }
        edges.push_back({std::to_string(children[i]), level, children[i]});
        ++i;
    }
    return edges;
}

struct Line {
    std::string prefix;
    std::string connector;
    Edge edge;
};

// A thread and its descendants on one line, as long as each has a single child; sets `thread` to the last of them.
std::string chain_text(const Drawing& drawing, int& thread)
{
    std::string text;
    for (;;) {
        const std::vector<int>& children = drawing.vertices[static_cast<size_t>(thread)].children;
        if (children.size() != 1)
            return text;
        text += std::string(" -- ") + std::to_string(children[0]) + " [" +
                bn_level_name(drawing.distance(thread, children[0])) + "]";
        thread = children[0];
    }
}

// Not recursive, since trees may be deep
std::string tree_text(const Drawing& drawing)
{
    std::vector<Line> open;
    auto push_children = [&](int thread, const std::string& prefix) {
        std::vector<Edge> edges = edges_below(drawing, thread);
        for (size_t i = edges.size(); i-- > 0;)
            open.push_back({prefix, i + 1 == edges.size() ? "`-- " : "|-- ", std::move(edges[i])});
    };
    int last = drawing.root;
    std::string text = std::to_string(drawing.root) + chain_text(drawing, last) + "\n";
    push_children(last, "");
    while (!open.empty()) {
        Line line = std::move(open.back());
        open.pop_back();
        text += line.prefix + line.connector + line.edge.text + " [" + bn_level_name(line.edge.level) + "]";
        last = line.edge.thread;
        if (last >= 0) {
            text += chain_text(drawing, last);
            push_children(last, line.prefix + (line.connector[0] == '`' ? "    " : "|   "));
        }
        text += "\n";
    }
    return text;
}

std::string ring_text(const Drawing& drawing)
{
    std::string text;
    std::vector<int> run;
    const std::vector<int>& order = drawing.order;
    for (size_t i = 0; i < order.size(); ++i) {
        run.push_back(order[i]);
        int next = order[(i + 1) % order.size()];
        bn_level level = drawing.distance(order[i], next);
        if (i + 1 < order.size() && level <= BN_LEVEL_CACHE)
            continue;
        text += ranges_text(run) + " [" + bn_level_name(level) + "]\n";
        run.clear();
    }
    return text;
}

}  // namespace

std::string ranges_text(const std::vector<int>& threads)
{
    std::string text;
    for (size_t i = 0; i < threads.size();) {
        size_t end = i + 1;
        while (end < threads.size() && threads[end] == threads[end - 1] + 1)
            ++end;
        text += (text.empty() ? "" : " ") + std::to_string(threads[i]);
        if (end - i > 1)
            text += (end - i > 2 ? "-" : " ") + std::to_string(threads[end - 1]);
        i = end;
    }
    return text;
}

std::string draw_text(const Drawing& drawing)
{
    std::string text = drawing.title + "\n";
    std::string counts;
    std::vector<int> edges = drawing.edges_by_level();
    for (int level = 0; level <= BN_LEVEL_CLUSTER; ++level) {
        if (edges[static_cast<size_t>(level)] > 0)
            counts += (counts.empty() ? "" : ", ") + std::to_string(edges[static_cast<size_t>(level)]) + " [" +
                      bn_level_name(static_cast<bn_level>(level)) + "]";
    }
    text += "edges by what both ends share: " + (counts.empty() ? "none" : counts) + "\n";
    return text + (drawing.is_ring ? ring_text(drawing) : tree_text(drawing));
}

}  // namespace bn::info
