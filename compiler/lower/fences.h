// fences.h: which fences of strict accesses have nothing to wait for.
#pragma once

#include <unordered_set>

#include "ast/ast.h"
#include "lex/token.h"

namespace bn::lower {

// A thread is settled while every shared write that it has made is visible to all: after a full fence or a strict
// access, until it may write shared memory again otherwise.  A strict access that begins where the thread is settled
// needs no full fence before it.
struct Fences {
    std::unordered_set<const ast::Expr*> settled;      // strict reads, and the lvalues of strict op=, ++ and --
    std::unordered_set<const ast::SimpleStmt*> loops;  // to be preceded by a fence: their turns are settled then
};

// Of a function that is not nested in another one, and of those nested in it.
Fences fences_of(const ast::FunctionDef& function, const lex::TokenList& tokens);

// Whether a write of shared memory that no full fence follows is somewhere in it, or a call that may do one.
bool may_write_shared(const ast::Node* node, const lex::TokenList& tokens);

}  // namespace bn::lower
