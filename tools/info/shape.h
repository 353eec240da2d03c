// shape.h: the peers of each thread in a tree or ring of runtime/coll/shape.h, for drawing.
#pragma once

#include "info/handles.h"

#include "coll/shape.h"
#include "topology/spread.h"

#include <optional>
#include <string>
#include <vector>

namespace bn::info {

// The most threads that are drawn, as text
enum { SHAPE_THREADS_MAX = 1 << 20 };

// What --shape and the options beside it ask for
struct ShapeWish {
    std::string name;     // as bn_shape_parse reads it, or "ring", or "ring-by-rank"
    std::string machine;  // as bn_machine_read reads it; empty: this machine
    std::string order = "block";
    std::string format = "text";
    int thread_count = 0;  // 0: one for each pu
    int node_count = 1;
    int nodes_per_switch = 0;
    int root = 0;
};

// One thread's view
struct Vertex {
    int parent = -1;            // of a ring: the one before
    int depth = 0;              // of a ring: index in it
    std::vector<int> children;  // of a ring: the next one
};

struct Drawing {
    std::string title;  // one line
    bool is_ring = false;
    int root = 0;
    int depth = 0;
    Hierarchy hierarchy{nullptr, free};
    std::vector<int> order;        // of threads from left to right, in which subtrees are contiguous; round the ring
    std::vector<Vertex> vertices;  // by thread

    int thread_count() const { return static_cast<int>(vertices.size()); }
    bn_level distance(int a, int b) const;
    // How many edges join threads that share a level and none below it
    std::vector<int> edges_by_level() const;
};

// Nothing, with a message on standard error, if the wish makes no sense.
std::optional<Drawing> make_drawing(const ShapeWish& wish);

// The ways to draw; all end with a newline.
std::string draw_text(const Drawing& drawing);
std::string draw_dot(const Drawing& drawing);
std::string draw_svg(const Drawing& drawing);

// "0-3 7 9-10": threads in the order given, runs put together.
std::string ranges_text(const std::vector<int>& threads);

}  // namespace bn::info
