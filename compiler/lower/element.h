// element.h: shared lvalues decomposed into an array and its indices.
#pragma once

#include <optional>
#include <vector>

#include "lower/affine.h"

namespace bn::lower {

// a[e0][e1]... or *(a + e0), where a is a static shared array or a pointer-to-shared variable
struct Element {
    const sema::Symbol* object = nullptr;
    bool is_pointer = false;
    std::vector<ast::Expr*> indices;  // outermost dimension first; at least one
    std::vector<uint64_t> units;      // ultimate elements per step of each index
    size_t by_threads = 0;            // number of leading indices whose units are also multiplied by THREADS
    ast::QualType element;            // ultimate element type with its layout
};

// Whether the program, too, computes a number where the C does
enum class Reached : bool { No, Yes };

enum class Dimensions : uint8_t {
    Constant,
    MayBeThreads,  // a[j][MYTHREAD] of an array T a[n][THREADS] with THREADS known at run time
};

// nullopt for any other lvalue, and where a dimension stepped over by an index is not constant
std::optional<Element> element_of_array(ast::Expr* lvalue, Dimensions dimensions = Dimensions::Constant);

// A part of an index: `unit` elements times a value
struct IndexPart {
    ast::Expr* value;  // null for 1
    uint64_t unit;
    bool is_negative;
    bool is_by_threads = false;  // times THREADS as well
};

// By how many elements of one thread a step of the index moves where it passes each thread the same number of times,
// and so stays on its thread.  nullopt where it does not.
std::optional<uint64_t> local_step(const Element& element, size_t index, int static_threads);

// Whether indices that step over multiples of THREADS elements stay on their thread: only then is it known, before the
// program runs, what the other indices do.
bool has_known_steps(const Element& element, int static_threads);

// How many of the first indices select a row that lies in one block and that the others stay in; 0 if there is none
size_t row_indices(const Element& element);
std::vector<ast::Expr*> row_numbers(const Element& element);  // these indices

// The number of the element, counted from the array or pointer; nullopt if an index has no affine form
std::optional<Affine> flat_form(const Element& element, const LoopView& view);

// Where an element lies as seen from a loop: in a unit (a row or an element) whose number is affine in the loop
// variable
struct UnitIndex {
    Affine offset;                 // includes the factor of the variable
    uint64_t unit = 1;             // ultimate elements per unit
    uint64_t units_per_block = 1;  // 0: indefinite
    // what else counts elements of the unit's owner: indices within the unit, and those that step over whole rounds
    std::vector<IndexPart> within;
    // from unit_beside: an index of a row or an element that follows the variable in runs of iterations (runs.h); null
    // if there is none
    const ast::Expr* follower = nullptr;
};

// nullopt if the index is not affine or does not depend on the variable.  Indices that do not change the thread may be
// anything.  Prefers consecutive elements to rows, and whole rows to elements that are not adjacent.
std::optional<UnitIndex> unit_index(const Element& element, const LoopView& view);

}  // namespace bn::lower
