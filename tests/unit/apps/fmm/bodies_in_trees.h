// Several kinds of bodies, and which of them act on a leaf of a tree
#ifndef TESTS_FMM_BODIES_IN_TREES_H
#define TESTS_FMM_BODIES_IN_TREES_H

#include "bodies.h"
#include "fmm/index.h"
#include "fmm/tree.h"

#include <algorithm>
#include <string>

inline std::vector<double> places_of(const char* kind, long count)
{
    std::vector<double> places = std::string(kind) == "uneven" ? uneven_places(count, 7) : numbers(3 * count, 7);
    for (long i = 0; i < count; i++) {
        for (int d = 0; d < 3; d++) {
            double& x = places[fmm::at(3 * i + d)];
            if (std::string(kind) == "point")
                x = 0.25;
            else if (std::string(kind) == "line")
                x = places[fmm::at(3 * i)];
            else if (std::string(kind) == "clusters" && d == 0)
                x += i % 2 ? 1000 : 0;
        }
    }
    return places;
}

// Counts how often each body, of which the tree may hold only some, acts on a leaf, through any list
inline std::vector<int> acts_on(const fmm::Tree& tree, std::int32_t leaf)
{
    std::vector<int> times(fmm::at(tree.cells[0].count));
    auto add = [&](std::int32_t c) {
        const fmm::Cell& cell = tree.cells[fmm::at(c)];
        for (long i = cell.first; i < cell.first + cell.count; i++)
            times[fmm::at(i)]++;
    };
    std::for_each(tree.u.begin(leaf), tree.u.end(leaf), add);
    std::for_each(tree.w.begin(leaf), tree.w.end(leaf), add);
    for (std::int32_t c = leaf; tree.cells[fmm::at(c)].level >= 2; c = tree.cells[fmm::at(c)].parent) {
        std::for_each(tree.x.begin(c), tree.x.end(c), add);
        const auto& own = tree.colleagues[fmm::at(c)];
        for (std::int32_t above : tree.colleagues[fmm::at(tree.cells[fmm::at(c)].parent)]) {
            for (int k = 0; k < 8 && above >= 0; k++) {
                std::int32_t child = tree.cells[fmm::at(above)].child[k];  // in the V list, unless it touches c
                if (child >= 0 && std::find(own.begin(), own.end(), child) == own.end())
                    add(child);
            }
        }
    }
    return times;
}

#endif
