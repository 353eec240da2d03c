// own_loop.h: a loop over the iterations that this thread owns, while its body is lowered.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "lower/affinity_loop.h"
#include "lower/loop_numbers.h"
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

class OwnLoop {
public:
    // outer: the variable that says whether another upc_forall controls; empty if none can, or if the loops do not
    // handle that case
    // indexed: which indices the body loads from memory (indexed.cc); null if none
    OwnLoop(const AffinityLoop& loop, const std::string& outer, const Lowerer::Indexed* indexed, Lowerer& lowerer);

    // Lowers the body, and writes the loops around it.  Once; the clauses of stmt must have been lowered.
    Rope iterations(ast::SimpleStmt& stmt);
    // The conditions under which the loops are correct; after iterations()
    std::vector<Rope> conditions();
    // Whether the loops execute all iterations in order when another upc_forall controls
    bool serves_calls() const { return !outer_.empty() && plan.owner != AffinityLoop::Owner::Cyclic; }
    // What the remark says of the arrays that have base pointers; empty if none has
    std::string based_on() const;

    // For accesses in the body.  The element; empty if it is not known where it lies.
    // lvalue: the expression that gets this place; null for a mere query
    Rope place(const Element& element, const Expr* lvalue);
    // The name of a pointer to the row of the element, set at the start of the body; empty if the row may change within
    // the body
    std::string row_pointer(const Element& element);
    // Requires of the pointer that it points to thread 0, phase 0; or, if all of the data lies on one thread, to this
    // thread.
    void condition_on(const sema::Symbol& pointer, bool is_one_thread);
    void condition_on_phase(const sema::Symbol& pointer);  // that it be 0

    const AffinityLoop& plan;

private:
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

    // ---- own_loop.cc ----
    void based_body(ast::SimpleStmt& stmt);
    bool needs_variable(const ast::Node* node) const;
    Rope companions_begin();
    Rope companions_at(const std::string& copy, bool is_after);
    Rope variables_after(const std::string& start, const Rope& end);
    Rope own_units();
    Rope own_turns();
    bool joins_blocks(const ast::Node* body) const;
    Rope stop_of_piece(bool is_joined);
    Rope own_blocks(bool is_joined);
    Rope own_loop(ast::SimpleStmt& stmt);
    Rope for_of();
    Rope next_of();
    Rope advance(const std::string& distance);
    Rope first_unit(const std::string& iteration);
    Rope offset_of();
    Rope unit_number(const std::string& copy);
    Rope terms_of(const Affine& form);

    // ---- own_loop_places.cc ----
    bool has_near(const Distance& distance);
    std::string base_of(const Element& element, uint64_t unit, const Distance& distance);
    Rope cyclic_base(const Element& element, uint64_t unit, const Distance& distance);
    std::string follower(const Expr* index);
    Rope from_run_to_run(const std::string& run);

    Rope rope(std::string_view text = "") { return lowerer_.rope(text); }
    std::string fresh(const char* name) { return lowerer_.fresh(name); }

    Lowerer& lowerer_;
    LoopNumbers numbers_;
    std::string outer_;
    const Lowerer::Indexed* indexed_;
    std::string index_;   // name of n, the 64-bit copy of the variable or of its negation
    std::string turn_;    // Cyclic: name of the local number of the unit, `row` in C
    std::string pieces_;  // Blocked: name of the struct bn_blocks
    std::string start_;   // first value of n; in runs of iterations, that in the run
    Rope end_;            // likewise, where it ends
    Rope body_;
    std::string step_;                 // increment of n: a number or a name
    std::string offset_text_;          // " + 3": appended to factor * n in the unit number
    std::string offset_number_;        // the same without a sign: 3
    std::string near_;                 // name of the array of struct bn_beside, which has one entry for each of
    std::vector<Distance> distances_;  // the distances at which the body accesses elements
    std::vector<Follower> followers_;  // if there are any, the loops go from run to run
    std::vector<std::string> companion_starts_;  // names of the first values of plan.companions
    Rope base_declarations_;
    std::vector<Base> bases_;
    Rope row_declarations_;  // for the start of the body
    std::vector<Row> rows_;
    std::set<std::string> conditions_;
    // elements of the own unit, with their indices within it
    std::map<const ast::Node*, std::vector<const ast::Expr*>> own_places_;
    bool is_independent_ = false;  // has_independent_iterations (independence.h), or the program says so
};

}  // namespace bn::lower
