// local_loop.h: a loop over what this thread owns, while its body is lowered.
#pragma once

#include <map>
#include <set>
#include <string>

#include "lower/affinity_loop.h"
#include "lower/lowerer.h"

namespace bn::lower {

struct LocalLoop {
    // A pointer to this thread's part of an array, such that the element is base[its index], or base[local index] in a
    // cyclic loop; for elements at a distance, to the part of whoever owns them
    struct Base {
        const sema::Symbol* object;
        uint64_t unit;
        int64_t distance;  // from the unit that the affinity names
        std::string name;
    };

    // The address of a row, which is computed once in an iteration
    struct Row {
        const sema::Symbol* object;
        const ast::Expr* number;
        std::string name;
    };

    // outer: the variable that says whether another upc_forall controls; empty if none can, or if the loops are not for
    // that
    LocalLoop(const AffinityLoop& loop, const std::string& outer, const Lowerer::Indexed* indexed, Lowerer& lowerer);

    // Whether the loops execute all iterations, in their order, where another upc_forall controls.
    bool serves_calls() const { return !outer.empty() && plan.owner != AffinityLoop::Owner::Cyclic; }

    // Whether the variable stands below the node elsewhere than in the number of the own unit.
    bool needs_variable(const ast::Node* node) const;

    // The fast form is right only if the pointer points to thread 0, phase 0; or, of what lies on one thread, to this
    // thread.
    void condition_on(const sema::Symbol& pointer, bool is_one_thread);

    const AffinityLoop& plan;
    std::string outer;
    const Lowerer::Indexed* indexed;  // what the body takes from memory as indices (indexed.cc); null for nothing
    std::string index;                // name of n, the 64-bit copy of the variable, or of what it is the negative of
    std::string step;                 // what is added to it: a number or a name
    std::string row;                  // Cyclic: the local number of the unit; Blocked: the struct bn_blocks
    std::string offset_text;          // " + 3": what follows factor * n in the unit number
    std::string offset_number;        // 3, without a sign before it
    std::string near;                 // name of the array of struct bn_beside, one for each of
    std::vector<int64_t> distances;   // at which the body has elements
    Rope bases;                       // declarations of the base pointers
    std::vector<Base> base_list;
    Rope row_pointers;  // declarations for the beginning of the body
    std::vector<Row> row_list;
    std::set<std::string> conditions;
    // elements of the unit, with their indices inside of it
    std::map<const ast::Node*, std::vector<const ast::Expr*>> own_places;
    bool is_independent = false;  // has_independent_iterations (independence.h), or the program says so
};

}  // namespace bn::lower
