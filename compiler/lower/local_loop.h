// local_loop.h: a loop over the iterations that this thread owns, while its body is lowered.
#pragma once

#include <map>
#include <set>
#include <string>

#include "lower/affinity_loop.h"
#include "lower/lowerer.h"

namespace bn::lower {

// How far the unit of an element is from the one that the affinity names
struct Distance {
    int64_t constant = 0;
    std::string ahead;  // name of what is added to it in a run of iterations (runs.h); empty if nothing is

    bool operator==(const Distance&) const = default;
    bool is_own() const { return constant == 0 && ahead.empty(); }
    std::string text() const
    {
        if (ahead.empty() || constant == 0)
            return ahead.empty() ? std::to_string(constant) : ahead;
        return ahead + " + (" + std::to_string(constant) + ")";
    }
};

struct LocalLoop {
    // An index that follows the variable in runs of iterations, and the name of its distance from the variable
    struct Follower {
        RunIndex index;
        std::string name;
    };

    // A pointer to this thread's part of an array: the element is base[index], or base[local index] in a cyclic loop.
    // For elements at a distance, it points to the part of the thread that owns them.
    struct Base {
        const sema::Symbol* object;
        uint64_t unit;
        Distance distance;
        std::string name;
    };

    // outer: the variable that says whether another upc_forall controls; empty if none can, or if the loops do not
    // handle that case
    LocalLoop(const AffinityLoop& loop, const std::string& outer, const Lowerer::Indexed* indexed, Lowerer& lowerer);

    // Whether the loops execute all iterations in order when another upc_forall controls
    bool serves_calls() const { return !outer.empty() && plan.owner != AffinityLoop::Owner::Cyclic; }

    // Whether the variable is used below `node` other than in the number of the own unit
    bool needs_variable(const ast::Node* node) const;

    // Adds the condition for the fast form: the pointer points to thread 0, phase 0; or, if all of the data lies on one
    // thread, to this thread.
    void condition_on(const sema::Symbol& pointer, bool is_one_thread);

    const AffinityLoop& plan;
    std::string outer;
    const Lowerer::Indexed* indexed;  // which indices the body loads from memory (indexed.cc); null if none
    std::string index;                // name of n, the 64-bit copy of the variable or of its negation
    std::string step;                 // increment of n: a number or a name
    std::string row;                  // Cyclic: the local number of the unit; Blocked: the struct bn_blocks
    std::string offset_text;          // " + 3": appended to factor * n in the unit number
    std::string offset_number;        // the same without a sign: 3
    std::string near;                 // name of the array of struct bn_beside, which has one entry for each of
    std::vector<Distance> distances;  // the distances at which the body accesses elements
    std::vector<Follower> followers;  // if there are any, the loops go from run to run
    std::vector<std::string> companion_starts;  // names of the first values of plan.companions
    Rope bases;                                 // declarations of the base pointers
    std::vector<Base> base_list;
    Rope row_pointers;  // declarations for the start of the body
    std::vector<Row> row_list;
    std::set<std::string> conditions;
    // elements of the own unit, with their indices within it
    std::map<const ast::Node*, std::vector<const ast::Expr*>> own_places;
    bool is_independent = false;  // has_independent_iterations (independence.h), or the program says so
};

}  // namespace bn::lower
