// element.h: shared lvalues taken apart into an array and its indices.
#pragma once

#include <optional>
#include <vector>

#include "lower/affine.h"

namespace bn::lower {

// a[e0][e1]... or *(a + e0), where a is a static shared array or a variable that is a pointer-to-shared
struct Element {
    const sema::Symbol* object = nullptr;
    bool is_pointer = false;
    std::vector<ast::Expr*> indices;  // outermost dimension first; at least one
    std::vector<uint64_t> units;      // ultimate elements that one step of each index passes
    size_t by_threads = 0;            // so many indices, from the first on, pass THREADS times their units
    ast::QualType element;            // ultimate element type with its layout
};

enum class Dimensions : uint8_t {
    Constant,
    MayBeThreads,  // a[j][MYTHREAD] of an array T a[n][THREADS] with THREADS known at run time
};

// nullopt for anything else, and where a dimension that an index passes is not constant.
std::optional<Element> element_of_array(ast::Expr* lvalue, Dimensions dimensions = Dimensions::Constant);

// Where an element lies as seen from a loop: in a unit whose number is affine in the variable, where a unit is a row or
// an element.
struct UnitIndex {
    Affine offset;                 // with the factor of the variable
    uint64_t unit = 1;             // ultimate elements per unit
    uint64_t units_per_block = 1;  // 0: indefinite
    size_t inner = 0;              // indices from here on count within the unit
};

// nullopt if the index is not affine, or if it does not depend on the variable.  Elements that follow each other are
// preferred to rows, and whole rows to elements that are apart.
std::optional<UnitIndex> unit_index(const Element& element, const LoopView& view);

}  // namespace bn::lower
