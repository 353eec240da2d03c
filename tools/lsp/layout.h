// layout.h: descriptions in words of where shared objects lie.
#pragma once

#include <string>

#include "ast/ast.h"
#include "lex/token.h"
#include "sema/types.h"

namespace bn::lsp {

// The source text of tokens, on one line of limited length, without attributes and without the underscores of
// __restrict__ and the like.
std::string written(const lex::TokenList& tokens, lex::TokenIndex first, lex::TokenIndex last);

// What a type means for an object: its owner, how its elements are distributed, what pointer arithmetic does.  threads:
// -T N or 0.  `is_static`: the object has static storage.
std::string layout_words(sema::QualType type, int threads, bool is_static);

// The thread of the shared object that an expression designates, in terms of its indices: "thread (i / 4) % THREADS,
// phase i % 4".  Empty if the expression is not a shared object, or if its thread is unknown.
std::string place_words(const ast::Expr& expr, const lex::TokenList& tokens, int threads);

// The threads on which the iterations of a upc_forall run
std::string affinity_words(const ast::SimpleStmt& forall, const lex::TokenList& tokens, int threads);

}  // namespace bn::lsp
