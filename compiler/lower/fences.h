// fences.h: finds strict accesses whose fences have nothing to wait for.
#pragma once

#include <unordered_set>

#include "ast/ast.h"
#include "lex/token.h"

namespace bn::lower {

// A thread is settled while all of its shared writes are visible to all threads: from a full fence or a strict access
// until it may write shared memory by a relaxed access.  A strict access needs no full fence before it if the thread is
// settled there.
struct Fences {
    std::unordered_set<const ast::Expr*> settled;      // strict reads, and the lvalues of strict op=, ++ and --
    std::unordered_set<const ast::SimpleStmt*> loops;  // to be preceded by a fence: their turns are settled then
};

// Of a function that is not nested in another one, and of those nested in it.
Fences fences_of(const ast::FunctionDef& function, const lex::TokenList& tokens);

// Whether a write of shared memory that no full fence follows is somewhere in it, or a call that may do one.
bool may_write_shared(const ast::Node* node, const lex::TokenList& tokens);

}  // namespace bn::lower
