// helpers.h: calls of short functions in loops, written out.
//
//     static inline double get(int i) { return a[i]; }
//     static int place(int i, int j) { return i * M + j; }
//     upc_forall (i...) c[i] = get(i + 1) + b[place(i, 2)];     is lowered like      c[i] = a[i + 1] + b[i * M + 2];
//
// The passes about loops then see which elements the functions name.
#pragma once

#include <unordered_set>

#include "ast/arena.h"
#include "ast/ast.h"
#include "lex/token.h"

namespace bn::lower {

// The definition in this unit of the static function that is called by its name, if its body is a single statement;
// otherwise null
ast::FunctionDef* short_function(const ast::Expr* callee, const ast::Unit& unit);

// Replaces calls in the loops of `function` by what they stand for: of static functions without attributes, defined
// before it in this unit, that are only `return expression;` without effects, or only `lvalue = value;`.  Not in plain
// C, and not where the meaning might differ: where arguments have effects or would be evaluated twice, where the
// function that calls declares a name that the called one uses, beside other effects in the same expression, and where
// a product could be contracted with a sum.  New nodes are marked `displaced`.  The definitions of the functions are
// added to `used`.
void write_out_calls(ast::FunctionDef& function, const ast::Unit& unit, const lex::TokenList& tokens, ast::Arena& arena,
                     std::unordered_set<ast::FunctionDef*>& used);

}  // namespace bn::lower
