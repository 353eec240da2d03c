// The graphs of work: first the pieces, then their dependences, from what the stages read
//
// BSD-3-Clause, the Banyan authors.
#include "graph.h"

#include <algorithm>

namespace fmm {
namespace {

// Adds nodes, and records which node has each index of a stage
class Nodes {
  public:
    Nodes(const Stages &stages, Graph &graph) : graph(graph)
    {
        for (fmm_stage stage : {FMM_UP, FMM_DOWN})
            owners[stage].assign(stages.tree.cells.size(), -1);
        for (fmm_stage stage : {FMM_TRANSFORM, FMM_V})
            owners[stage].assign(stages.groups.size(), -1);
        for (fmm_stage stage : {FMM_U, FMM_LEAF})
            owners[stage].assign(stages.tree.leaves.size(), -1);
        graph.first_work.assign(1, 0);
    }
    // Adds work to the node that is still open
    void add(fmm_stage stage, long begin, long end)
    {
        if (begin >= end)
            return;
        std::fill(owners[stage].begin() + begin, owners[stage].begin() + end, static_cast<std::int32_t>(graph.nodes()));
        graph.work.push_back({stage, static_cast<std::int32_t>(begin), static_cast<std::int32_t>(end)});
    }
    // Closes the node; false if it would have no work, and so does not exist
    bool close()
    {
        if (at(graph.first_work.back()) == graph.work.size())
            return false;
        graph.first_work.push_back(static_cast<std::int32_t>(graph.work.size()));
        return true;
    }
    void add_pieces(fmm_stage stage, long begin, long end, long step)
    {
        for (long first = begin; first < end; first += step) {
            add(stage, first, std::min(first + step, end));
            close();
        }
    }
    std::int32_t of(fmm_stage stage, long index) const
    {
        return owners[stage][at(index)];
    }

  private:
    Graph &graph;
    std::vector<std::int32_t> owners[FMM_STAGES];
};

// Calls `add` for everything that index i of a stage depends on
template <typename Add> void each_before(const Stages &stages, fmm_stage stage, long i, const Add &add)
{
    const Tree &tree = stages.tree;
    auto children_of = [&](const Cell &cell) {
        for (std::int32_t child : cell.child) {
            if (child >= 0)
                add(FMM_UP, child);
        }
    };
    switch (stage) {
    case FMM_UP: children_of(tree.cells[at(i)]); break;
    case FMM_TRANSFORM: children_of(tree.cells[at(stages.groups[at(i)].cell)]); break;
    case FMM_V:
        for (std::int32_t source : stages.groups[at(i)].sources) {
            if (source >= 0)
                add(FMM_TRANSFORM, source);
        }
        break;
    case FMM_DOWN: {
        std::int32_t parent = tree.cells[at(i)].parent, group = stages.group_of[at(parent)];
        if (tree.cells[at(parent)].level >= FIRST_FAR_LEVEL)
            add(FMM_DOWN, parent);
        if (group >= 0)
            add(FMM_V, group);
        break;
    }
    case FMM_LEAF: {
        std::int32_t leaf = tree.leaves[at(i)];
        add(FMM_U, static_cast<std::int32_t>(i));
        if (tree.cells[at(leaf)].level >= FIRST_FAR_LEVEL)
            add(FMM_DOWN, leaf);
        for (const std::int32_t *w = tree.w.begin(leaf); w != tree.w.end(leaf); w++)
            add(FMM_UP, *w);
        break;
    }
    default: break;
    }
}

Lists reversed(const Lists &lists)
{
    std::size_t count = lists.first.size() - 1;
    Lists back;
    back.first.assign(count + 1, 0);
    for (std::int32_t to : lists.cells)
        back.first[at(to) + 1]++;
    for (std::size_t i = 0; i < count; i++)
        back.first[i + 1] += back.first[i];
    back.cells.resize(lists.cells.size());
    std::vector<std::int64_t> next(back.first.begin(), back.first.end() - 1);
    for (std::size_t from = 0; from < count; from++) {
        for (std::int64_t e = lists.first[from]; e < lists.first[from + 1]; e++) {
            back.cells[at(next[at(lists.cells[at(e)])]++)] = static_cast<std::int32_t>(from);
        }
    }
    return back;
}

void connect(const Stages &stages, const Nodes &nodes, Graph &graph)
{
    graph.before.first.assign(1, 0);
    std::vector<std::int32_t> found;
    for (std::int32_t node = 0; node < graph.nodes(); node++) {
        found.clear();
        for (const Work *work = graph.begin(node); work != graph.end(node); work++) {
            for (long i = work->begin; i < work->end; i++) {
                each_before(stages, work->stage, i, [&](fmm_stage stage, std::int32_t index) {
                    if (nodes.of(stage, index) != node)
                        found.push_back(nodes.of(stage, index));
                });
            }
        }
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
        graph.before.cells.insert(graph.before.cells.end(), found.begin(), found.end());
        graph.before.first.push_back(static_cast<std::int64_t>(graph.before.cells.size()));
    }
    graph.after = reversed(graph.before);
}

// The consecutive cells of a subtree on each level
struct Subtree {
    std::vector<std::pair<long, long>> cells; // by level, from its root's on
    int level;
};

Subtree subtree_of(const Tree &tree, long root)
{
    Subtree found = {{}, tree.cells[at(root)].level};
    for (long begin = root, end = root + 1; begin < end;) {
        found.cells.emplace_back(begin, end);
        long first = -1, last = -1;
        for (long c = begin; c < end; c++) {
            for (std::int32_t child : tree.cells[at(c)].child) {
                if (child >= 0)
                    first = first < 0 ? child : first, last = child;
            }
        }
        begin = first;
        end = first < 0 ? first : last + 1;
    }
    return found;
}

class Subtrees {
  public:
    Subtrees(const Stages &stages, Graph &graph, Nodes &nodes, int tile)
        : stages(stages), tree(stages.tree), graph(graph), nodes(nodes), tile(tile)
    {
        sizes.assign(tree.cells.size(), 1);
        leaves.assign(tree.cells.size(), 0);
        for (long c = static_cast<long>(tree.cells.size()) - 1; c >= 0; c--) {
            leaves[at(c)] += tree.cells[at(c)].leaf;
            if (tree.cells[at(c)].parent < 0)
                continue;
            sizes[at(tree.cells[at(c)].parent)] += sizes[at(c)];
            leaves[at(tree.cells[at(c)].parent)] += leaves[at(c)];
        }
        graph.starts.assign(tree.cells.size(), -1);
    }
    // Adds nodes for the cell and everything below it, whose first leaf is `leaf`
    void add(long cell, long leaf)
    {
        if (sizes[at(cell)] <= tile || tree.cells[at(cell)].leaf) {
            add_subtree(cell, leaf);
            return;
        }
        for (std::int32_t child : tree.cells[at(cell)].child) {
            if (child < 0)
                continue;
            add(child, leaf);
            leaf += leaves[at(child)];
        }
        bool has_far = tree.cells[at(cell)].level >= FIRST_FAR_LEVEL;
        if (has_far)
            nodes.add(FMM_UP, cell, cell + 1);
        add_groups(cell, cell + 1);
        nodes.close();
        if (has_far)
            nodes.add(FMM_DOWN, cell, cell + 1);
        nodes.close();
    }

  private:
    // For cells of one level
    void add_groups(long begin, long end)
    {
        int level = tree.cells[at(begin)].level;
        auto first = stages.groups.begin() + stages.group_first[at(level)];
        auto last = stages.groups.begin() + stages.group_first[at(level) + 1];
        auto from = std::partition_point(first, last, [&](const Group &g) { return g.cell < begin; });
        auto to = std::partition_point(from, last, [&](const Group &g) { return g.cell < end; });
        nodes.add(FMM_TRANSFORM, from - stages.groups.begin(), to - stages.groups.begin());
    }
    void add_subtree(long cell, long leaf)
    {
        Subtree subtree = subtree_of(tree, cell);
        int depth = static_cast<int>(subtree.cells.size());
        for (int d = depth - 1; d >= 0; d--) {
            auto [begin, end] = subtree.cells[at(d)];
            if (subtree.level + d >= FIRST_FAR_LEVEL)
                nodes.add(FMM_UP, begin, end);
            add_groups(begin, end);
        }
        graph.starts[at(cell)] = static_cast<std::int32_t>(graph.nodes());
        nodes.close();
        nodes.add(FMM_U, leaf, leaf + leaves[at(cell)]);
        nodes.close();
        for (int d = 0; d < depth; d++) {
            if (subtree.level + d >= FIRST_FAR_LEVEL)
                nodes.add(FMM_DOWN, subtree.cells[at(d)].first, subtree.cells[at(d)].second);
        }
        nodes.add(FMM_LEAF, leaf, leaf + leaves[at(cell)]);
        nodes.close();
    }

    const Stages &stages;
    const Tree &tree;
    Graph &graph;
    Nodes &nodes;
    const int tile;
    std::vector<long> sizes, leaves; // per cell, for its subtree
};

} // namespace

Graph make_tiles(const Stages &stages, Sizes sizes)
{
    Graph graph;
    Nodes nodes(stages, graph);
    each_range(stages,
               [&](fmm_stage stage, long begin, long end) { nodes.add_pieces(stage, begin, end, sizes.of(stage)); });
    connect(stages, nodes, graph);
    return graph;
}

Graph make_subtrees(const Stages &stages, Sizes sizes)
{
    Graph graph;
    Nodes nodes(stages, graph);
    Subtrees(stages, graph, nodes, sizes.tile).add(0, 0);
    for (int level = 0; level < stages.tree.levels(); level++)
        nodes.add_pieces(FMM_V, stages.group_first[at(level)], stages.group_first[at(level) + 1], sizes.v_block);
    connect(stages, nodes, graph);
    // A cell of the first level with a far field whose parent has nothing around it can go down without waiting for
    // anything.
    for (std::int32_t node = 0; node < graph.nodes(); node++) {
        fmm_stage stage = graph.begin(node)->stage;
        bool waits = graph.before.begin(node) != graph.before.end(node);
        if (!waits && (stage == FMM_DOWN || stage == FMM_LEAF))
            graph.others.push_back(node);
    }
    return graph;
}

Graph make_phases(const Stages &stages, Sizes sizes)
{
    Graph graph;
    Nodes nodes(stages, graph);
    graph.before.first.assign(1, 0);
    std::int32_t barrier = -1;
    each_range(stages, [&](fmm_stage stage, long begin, long end) {
        long first = graph.nodes();
        nodes.add_pieces(stage, begin, end, sizes.of(stage));
        for (long node = first; node < graph.nodes(); node++) {
            if (barrier >= 0)
                graph.before.cells.push_back(barrier);
            graph.before.first.push_back(static_cast<std::int64_t>(graph.before.cells.size()));
        }
        if (first == graph.nodes())
            return;
        for (long node = first; node < graph.nodes(); node++)
            graph.before.cells.push_back(static_cast<std::int32_t>(node));
        graph.before.first.push_back(static_cast<std::int64_t>(graph.before.cells.size()));
        barrier = static_cast<std::int32_t>(graph.nodes());
        graph.first_work.push_back(graph.first_work.back());
    });
    graph.after = reversed(graph.before);
    return graph;
}

} // namespace fmm
