#include "info/shape.h"

#include "info/words.h"

#include "base/parse.h"
#include "topology/distance.h"

#include <algorithm>
#include <cstdio>

namespace bn::info {

namespace {

enum { PICTURE_THREADS_MAX = 4096 };

void complain(const std::string& message)
{
    std::fprintf(stderr, "banyan-info: %s\n", message.c_str());
}

std::optional<bn_spread> parse_spread(const ShapeWish& wish)
{
    bn_spread spread = {wish.node_count, wish.nodes_per_switch, BN_SPREAD_BLOCK, 0};
    int64_t seed = 0;
    if (wish.order == "block")
        return spread;
    spread.order = BN_SPREAD_CYCLIC;
    if (wish.order == "cyclic")
        return spread;
    spread.order = BN_SPREAD_RANDOM;
    if (wish.order == "random")
        return spread;
    if (wish.order.starts_with("random:") && bn_parse_int(wish.order.c_str() + 7, &seed)) {
        spread.seed = static_cast<uint64_t>(seed);
        return spread;
    }
    complain("--order " + wish.order + " is none of block, cyclic, random, random:SEED");
    return std::nullopt;
}

bool makes_sense(const ShapeWish& wish, int thread_count)
{
    if (wish.node_count > thread_count)
        complain(std::to_string(wish.node_count) + " nodes need at least as many threads, but there are " +
                 std::to_string(thread_count) + "; use --threads");
    else if (thread_count > SHAPE_THREADS_MAX)
        complain("there are " + std::to_string(thread_count) + " threads, but at most " +
                 std::to_string(SHAPE_THREADS_MAX) + " can be drawn; use --threads or --nodes");
    else if (thread_count > PICTURE_THREADS_MAX && wish.format != "text")
        complain("there are " + std::to_string(thread_count) + " threads, but pictures show at most " +
                 std::to_string(PICTURE_THREADS_MAX) + "; use --format text");
    else if (wish.root < 0 || wish.root >= thread_count)
        complain("--root: there is no thread " + std::to_string(wish.root) + "; threads are numbered from 0 to " +
                 std::to_string(thread_count - 1));
    else
        return true;
    return false;
}

Machine read_machine(const ShapeWish& wish)
{
    bn_machine* machine = nullptr;
    bn_pu_set usable;
    bn_cpus_affinity(&usable);
    const char* description = wish.machine.empty() ? nullptr : wish.machine.c_str();
    return bn_machine_read(description, &usable, false, &machine) == BN_OK ? Machine(machine) : nullptr;
}

bool add_tree(Drawing& drawing, const bn_shape& shape, int thread_count)
{
    for (int thread = 0; thread < thread_count; ++thread) {
        bn_tree tree;
        if (bn_shape_tree(drawing.hierarchy.get(), &shape, drawing.root, thread, &tree) != BN_OK)
            return false;
        Vertex vertex{tree.parent, tree.depth, {}};
        for (int i = 0; i < tree.child_count; ++i)
            vertex.children.push_back(tree.children[i].rank);
        bn_tree_destroy(&tree);
        drawing.depth = std::max(drawing.depth, vertex.depth);
        drawing.vertices.push_back(std::move(vertex));
        drawing.order.push_back(bn_shape_member_at(drawing.hierarchy.get(), &shape, thread));
    }
    return true;
}

void add_ring(Drawing& drawing, bn_ring_order order, int thread_count)
{
    drawing.is_ring = true;
    for (int thread = 0; thread < thread_count; ++thread) {
        bn_ring ring = bn_shape_ring(drawing.hierarchy.get(), order, thread);
        drawing.vertices.push_back({ring.previous, ring.index, {ring.next}});
        drawing.order.push_back(bn_shape_ring_member(drawing.hierarchy.get(), order, thread));
    }
}

std::string describe(const ShapeWish& wish, const Drawing& drawing)
{
    std::string text =
        wish.name + ": " + counted(drawing.thread_count(), "thread") + " in " + wish.order + " order on ";
    if (wish.node_count > 1)
        text += counted(wish.node_count, "node") + " of ";
    text += wish.machine.empty() ? "this machine" : wish.machine.substr(wish.machine.rfind('/') + 1);
    if (wish.nodes_per_switch > 0)
        text += ", " + counted(wish.nodes_per_switch, "node") + " at a switch";
    if (drawing.is_ring)
        return text;
    return text + ", root " + std::to_string(drawing.root) + ", depth " + std::to_string(drawing.depth);
}

}  // namespace

bn_level Drawing::distance(int a, int b) const
{
    return bn_distance(hierarchy.get(), a, b);
}

std::vector<int> Drawing::edges_by_level() const
{
    std::vector<int> counts(BN_LEVEL_CLUSTER + 1);
    for (int thread = 0; thread < thread_count(); ++thread) {
        int parent = vertices[static_cast<size_t>(thread)].parent;
        if (parent >= 0 && parent != thread)
            counts[static_cast<size_t>(distance(thread, parent))]++;
    }
    return counts;
}

std::optional<Drawing> make_drawing(const ShapeWish& wish)
{
    bn_shape shape = {};
    bool is_ring = wish.name == "ring" || wish.name == "ring-by-rank";
    if (!is_ring && !bn_shape_parse(wish.name.c_str(), &shape)) {
        complain("--shape " + wish.name +
                 " is not a shape, which is 1 to 5 of flat, binomial, knomial-K, chain, joined "
                 "by dots; distance; ring; ring-by-rank");
        return std::nullopt;
    }
    std::optional<bn_spread> spread = parse_spread(wish);
    Machine machine = spread ? read_machine(wish) : nullptr;
    if (!machine)
        return std::nullopt;
    int thread_count = wish.thread_count > 0 ? wish.thread_count : machine->pu_count * wish.node_count;
    bn_hierarchy* hierarchy = nullptr;
    if (!makes_sense(wish, thread_count) ||
        bn_spread_hierarchy(machine.get(), &*spread, thread_count, &hierarchy) != BN_OK)
        return std::nullopt;
    Drawing drawing;
    drawing.hierarchy.reset(hierarchy);
    drawing.root = wish.root;
    if (is_ring)
        add_ring(drawing, wish.name == "ring" ? BN_RING_BY_DISTANCE : BN_RING_BY_RANK, thread_count);
    else if (!add_tree(drawing, shape, thread_count))
        return std::nullopt;
    drawing.title = describe(wish, drawing);
    return drawing;
}

}  // namespace bn::info
