// layout.h: where shared objects lie, in words.
#pragma once

#include <string>

#include "ast/ast.h"
#include "lex/token.h"
#include "sema/types.h"

namespace bn::lsp {

// Tokens as they are written, in one line that is not too long; attributes, and what __restrict__ and the like have in
// front of and behind their words, are left out.
std::string written(const lex::TokenList& tokens, lex::TokenIndex first, lex::TokenIndex last);

// What a type means for an object of it: whose it is, how it is dealt out, what a pointer's steps do.  threads: -T N or
// 0.  `is_static`: it has static storage.
std::string layout_words(sema::QualType type, int threads, bool is_static);

// With which thread the shared object that an expression designates is, by its indices: "thread (i / 4) % THREADS,
// phase i % 4".  Empty of expressions that are no shared objects, or of which that cannot be said.
std::string place_words(const ast::Expr& expr, const lex::TokenList& tokens, int threads);

// On which threads the iterations of a upc_forall run
std::string affinity_words(const ast::SimpleStmt& forall, const lex::TokenList& tokens, int threads);

}  // namespace bn::lsp
