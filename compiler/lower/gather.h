// gather.h: loops that read far elements by index, x[col[k]], which can be fetched before they are read.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "lower/effects.h"

namespace bn::lower {

// for (...; k < limit; k++) where the reads happen in each iteration, and nothing that the loop does changes them,
// which of them there are, or how often it goes round.
struct GatherLoop {
    const sema::Symbol* variable = nullptr;
    std::vector<ast::Expr*> reads;  // relaxed, of shared elements whose index is not affine in the variable
};

struct GatherSearch {
    std::optional<GatherLoop> loop;  // nullopt if it is no such loop, or has no such reads
    const char* obstacle = nullptr;  // why it is no such loop; null if it is one
    // of single reads of such a loop, where it is known more exactly than that not each iteration reads them
    std::unordered_map<const ast::Expr*, const char*> obstacles;
};

GatherSearch gather_loop(const ast::SimpleStmt& stmt, const Effects& function, const lex::TokenList& tokens,
                         int static_threads);

}  // namespace bn::lower
