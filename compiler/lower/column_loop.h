// column_loop.h: loops along the columns of a shared matrix whose inner loop walks down each column.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "lower/effects.h"

namespace bn::lower {

// for (...; j < limit; j++) { ... for (k ...) s += a[i][k] * b[k][j]; ... c[i][j] = s; }
//
// Several iterations can be executed together because none reads or writes what another one writes:
//
// - An array that is written is an array of the program, accessed by name, and the body accesses it at one index only,
//   which contains j and nothing else that the body changes.
// - Private variables that are written cannot be reached through pointers, and each iteration sets them before reading
//   them.
// - Nothing is read or written through a pointer, which might point to such an array.
// - There are no calls except of pure functions, no strict accesses and no other ordering constraints. The inner loops
//   have the same trip counts and the same values of their variables in all iterations.
//
// Each iteration keeps the order of its own operations, so floating-point sums are unchanged.
struct ColumnLoop {
    struct Written {
        ast::Expr* lvalue;  // an element
        bool is_set_first;  // each iteration gives it a value before reading it
    };

    const sema::Symbol* variable = nullptr;  // j
    ast::Expr* limit = nullptr;              // has the same value in all iterations
    std::vector<ast::Node*> items;  // statements and declarations of the body; inner loops contain no further loops
    std::vector<const sema::Symbol*> outside;  // variables that are set but declared outside the body
    std::vector<Written> written;              // one for each array
    // loops that must execute at least once for some of these to be written
    std::vector<const ast::SimpleStmt*> writing_loops;
};

struct ColumnSearch {
    std::optional<ColumnLoop> loop;
    // variable of a loop that does not qualify; null if there is nothing to report
    const sema::Symbol* variable = nullptr;
    std::string_view hindrance;  // why it does not qualify, and what to do
};

// Finds the loop if it qualifies and an inner loop goes from row to row of an array whose rows lie in blocks: the work
// of locating a row is then shared by several columns.  A hindrance is reported only where an inner loop does so.
ColumnSearch column_loop(const ast::SimpleStmt& stmt, const Effects& function, const lex::TokenList& tokens,
                         int static_threads);

}  // namespace bn::lower
