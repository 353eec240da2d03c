// shape.h: the peers of each thread in a tree or ring of runtime/coll/shape.h, for drawing.
#pragma once

#include "info/handles.h"

#include "coll/shape.h"
#include "topology/spread.h"

#include <optional>
#include <string>
#include <vector>

namespace bn::info {

// The largest number of threads that is drawn, as text
enum { SHAPE_THREADS_MAX = 1 << 20 };

// What --shape and its companion options ask for
struct ShapeWish {
    std::string name;     // as bn_shape_parse reads it, or "ring", or "ring-by-rank"
    std::string machine;  // as bn_machine_read reads it; empty: this machine
    std::string order = "block";
    std::string format = "text";
    int thread_count = 0;  // 0: one per processing unit
    int node_count = 1;
    int nodes_per_switch = 0;
    int root = 0;
};

// One thread's view
struct Vertex {
    int parent = -1;            // in a ring: the previous thread
    int depth = 0;              // in a ring: index in the ring
    std::vector<int> children;  // in a ring: the next thread
};

struct Drawing {
    std::string title;  // a single line
    bool is_ring = false;
    int root = 0;
    int depth = 0;
    Hierarchy hierarchy{nullptr, free};
    std::vector<int> order;        // threads from left to right, subtrees contiguous; in a ring: around it
    std::vector<Vertex> vertices;  // by thread

    int thread_count() const { return static_cast<int>(vertices.size()); }
    bn_level distance(int a, int b) const;
    // The number of edges whose ends share that level but no level below it
    std::vector<int> edges_by_level() const;
};

// Nothing, with a message on standard error, if the request makes no sense.
std::optional<Drawing> make_drawing(const ShapeWish& wish);

// The output formats; all end with a newline.
std::string draw_text(const Drawing& drawing);
std::string draw_dot(const Drawing& drawing);
std::string draw_svg(const Drawing& drawing);

// "0-3 7 9-10": threads in the order given, runs combined.
std::string ranges_text(const std::vector<int>& threads);

}  // namespace bn::info
