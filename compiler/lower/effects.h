// effects.h: what a piece of a program does to its variables, for the passes that make UPC fast.
#pragma once

#include <unordered_set>

#include "ast/ast.h"
#include "lex/token.h"
#include "sema/types.h"

namespace bn::lower {

struct Effects {
    // private variables that are written, in whole or in part, or declared
    std::unordered_set<const sema::Symbol*> assigned;
    std::unordered_set<const sema::Symbol*> address_taken;  // private variables that something may point to
    bool calls = false;                                     // a function that is not known to be pure, or assembler
    bool stores_through_pointer = false;                    // to private memory
    bool is_opaque = false;  // asm goto, va_arg, nested functions, text that is not parsed: may do anything
    bool loops = false;
    // labels (of assembler, too), static objects or types are declared in it: it must stand once in the C
    bool cannot_repeat = false;
};

// Of everything below node.
Effects effects_of(const ast::Node* node, const lex::TokenList& tokens);

// Whether a variable can be read or written in any way other than by its name in this function, whose effects are
// given.
bool can_be_reached(const sema::Symbol& variable, const Effects& function);

// Whether an expression has the same value whenever it is evaluated, and no effects, as long as only `body` runs in
// between. `function` has the effects of the whole function.
bool is_invariant(const ast::Expr* e, const Effects& body, const Effects& function);

// ++ or --
bool is_step(const ast::Expr& e);

// Whether a private variable is written by its name, by any of its declarations.
bool is_assigned(const sema::Symbol& variable, const Effects& effects);

// Of a call: a function of the C library that does nothing but compute.
bool is_pure_call(const ast::Expr& call, const lex::TokenList& tokens);

// Equal in form: same operators, same variables, same constants.  For expressions without effects.
bool is_same_form(const ast::Expr* a, const ast::Expr* b, const lex::TokenList& tokens);

// The private variable that an lvalue is, or is a part of; null if it is reached through a pointer.
const sema::Symbol* root_variable(const ast::Expr* lvalue);

// Of a call: the function is known to change nothing that programs keep in shared memory.
bool writes_nothing_shared(const ast::Expr& call, const lex::TokenList& tokens);

}  // namespace bn::lower
