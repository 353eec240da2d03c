// column_loop.h: loops that go along the columns of a shared matrix, with a loop inside that goes down each of them.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "lower/effects.h"

namespace bn::lower {

// for (...; j < limit; j++) { ... for (k ...) s += a[i][k] * b[k][j]; ... c[i][j] = s; }
//
// Several turns can be taken at once: no turn reads or writes what another one writes.
//
// - An array that is written is one of the program's own, by its name, and the body reaches it at one index alone,
// which
//   has j in it and nothing else that the body changes.
// - Private variables that are written are out of the reach of pointers, and each turn sets them before it reads them.
// - Nothing is read or written through a pointer, which might point to such an array.
// - There are no calls but of pure functions, no strict accesses and no other order to be kept. How often the loops
//   inside go round, and what they count, is the same in all turns.
//
// Each turn does what it does in the order of the program, so that sums of floating numbers are the same.
struct ColumnLoop {
    struct Written {
        ast::Expr* lvalue;  // an element
        bool is_set_first;  // each turn gives it a value before it reads it
    };

    const sema::Symbol* variable = nullptr;    // j
    ast::Expr* limit = nullptr;                // has the same value in all turns
    std::vector<ast::Node*> items;             // statements and declarations of the body; loops have no loops in them
    std::vector<const sema::Symbol*> outside;  // variables that are set, but declared outside of the body
    std::vector<Written> written;              // one for each array
    std::vector<const ast::SimpleStmt*> writing_loops;  // that must go round at all for some of these to be written
};

struct ColumnSearch {
    std::optional<ColumnLoop> loop;
    const sema::Symbol* variable = nullptr;  // what a loop that is none counts; null if there is nothing to say
    std::string_view hindrance;              // why it is none, and what to do
};

// The loop, if it is one, and if a loop inside goes from row to row of an array whose rows lie in blocks: what it takes
// to find a row then serves several columns.  What hinders is told of where a loop inside does so.
ColumnSearch column_loop(const ast::SimpleStmt& stmt, const Effects& function, const lex::TokenList& tokens,
                         int static_threads);

// The start of for (k = start; ...), declared there or not; null if the loop has no such form
ast::Expr* start_of(const ast::SimpleStmt& loop);

}  // namespace bn::lower
