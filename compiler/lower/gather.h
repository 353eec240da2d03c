// gather.h: loops that read far elements by index, x[col[k]], which can be fetched in advance.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "lower/effects.h"

namespace bn::lower {

// for (...; k < limit; k++) in which every iteration executes the reads, and nothing in the loop changes the elements
// read, the choice of elements or the number of iterations
struct GatherLoop {
    const sema::Symbol* variable = nullptr;
    std::vector<ast::Expr*> reads;  // relaxed, of shared elements whose index is not affine in the variable
};

struct GatherSearch {
    std::optional<GatherLoop> loop;  // nullopt if the loop does not qualify or has no such reads
    const char* obstacle = nullptr;  // why it does not qualify; null if it does
    // for single reads of a qualifying loop, where a more exact reason is known than "not read in every iteration"
    std::unordered_map<const ast::Expr*, const char*> obstacles;
};

GatherSearch gather_loop(const ast::SimpleStmt& stmt, const Effects& function, const lex::TokenList& tokens,
                         int static_threads);

}  // namespace bn::lower
