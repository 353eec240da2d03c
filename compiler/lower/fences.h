// fences.h: finds strict accesses whose fences would have nothing to wait for.
#pragma once

#include <unordered_set>

#include "ast/ast.h"
#include "lex/token.h"

namespace bn::lower {

// A thread is settled while all of its shared writes are visible to all threads: from a full fence or a strict access
// until it may next write shared memory by a relaxed access.  A strict access that a settled thread executes needs no
// full fence before it.
struct Fences {
    std::unordered_set<const ast::Expr*> settled;  // strict reads, and the lvalues of strict op=, ++ and --
    // to be preceded by a fence, so that their iterations start settled
    std::unordered_set<const ast::SimpleStmt*> loops;
};

// Analyses a function that is not nested in another one, together with the functions nested in it.
// No fence precedes the loops in `nested`.
Fences fences_of(const ast::FunctionDef& function, const std::unordered_set<const ast::Node*>& nested,
                 const lex::TokenList& tokens);

// Whether `node` may write shared memory, itself or in a call, without a full fence after the write
bool may_write_shared(const ast::Node* node, const lex::TokenList& tokens);

}  // namespace bn::lower
