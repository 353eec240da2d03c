// effects.h: what a piece of a program does to its variables, for the optimisation passes.
#pragma once

#include <span>
#include <unordered_set>
#include <vector>

#include "ast/ast.h"
#include "lex/token.h"
#include "sema/types.h"

namespace bn::lower {

struct Effects {
    // private variables that are written, in whole or in part, or declared
    std::unordered_set<const sema::Symbol*> assigned;
    std::unordered_set<const sema::Symbol*> declared;
    std::unordered_set<const sema::Symbol*> address_taken;  // private variables that something may point to
    // private variables that other threads of OpenMP write by name: declared outside of what these execute, and common
    std::unordered_set<const sema::Symbol*> stored_by_threads;
    std::vector<ast::QualType> shared_stores;  // accessed_type of shared objects that are written
    // calls a function that is not known to be pure, also when a variable goes out of scope, or contains assembler
    bool calls = false;
    bool waits = false;                   // a pragma or _Atomic may let it see what other threads of C write
    bool stores_through_pointer = false;  // to private memory
    bool is_opaque = false;               // asm goto, va_arg, nested functions, unparsed text: may do anything
    bool loops = false;
    bool is_strict = false;  // accesses shared objects strictly, or has a fence
    // it declares labels (including those of assembler), static objects or types, so the emitted C may contain it only
    // once
    bool cannot_repeat = false;
    bool ignores_types = false;  // of a whole function: Options::ignores_types, or that of the function
};

// Whether functions run when a variable goes out of scope
bool has_cleanup(const ast::Node& node, const lex::TokenList& tokens);

// The effects of everything below `node`, with the pragmas before it
Effects effects_of(const ast::Node* node, const lex::TokenList& tokens);

// Whether a variable can be read or written other than by its name in the function with these effects
bool can_be_reached(const sema::Symbol& variable, const Effects& function);

// Whether a private variable may be written while `body` runs, other than by its name there
bool may_change_unseen(const sema::Symbol& variable, const Effects& body, const Effects& function);

// Whether an expression has no effects and the same value at each evaluation, also outside `body`, as long as only
// `body` runs in between.
// `function` holds the effects of the whole function.
bool is_invariant(const ast::Expr* e, const Effects& body, const Effects& function);

// The type that C looks at to tell whether two lvalues may denote the same object (6.5p7): that of the outermost union,
// vector or complex number of which the lvalue is a part, otherwise its own
ast::QualType accessed_type(const ast::Expr* lvalue);

// Whether a store may change what is read, as far as these types of theirs, given by accessed_type, tell
bool may_change(ast::QualType stored, ast::QualType read, const Effects& function);

// Whether a private object that is reached through a pointer and read by this lvalue may be written.  It may be part of
// a variable or of shared memory.
bool may_write_pointed_to(const ast::Expr* lvalue, const Effects& body, const Effects& function);

// The parts of x, y, z
std::vector<const ast::Expr*> parts_of(const ast::Expr* clause);

struct LoopStart {
    ast::Expr* value = nullptr;  // null if the first clause does not give the variable one, or changes it by name later
    bool is_alone = false;       // the clause does nothing else
};

// The value with which a loop starts a variable: v = value, alone or among others, or T v = value
LoopStart start_of(const ast::SimpleStmt& loop, const sema::Symbol* variable, const lex::TokenList& tokens);

// Whether an expression is the name of the variable, in parentheses or not
bool is_name(const ast::Expr* e, const sema::Symbol* variable);

// Whether one of the variables is named anywhere below `node`; text that was not parsed may name any.
bool mentions(const ast::Node* node, std::span<const sema::Symbol* const> variables);
inline bool mentions(const ast::Node* node, const sema::Symbol* variable)
{
    return mentions(node, {&variable, 1});
}

// ++ or --
bool is_step(const ast::Expr& e);

// Whether a private variable is written by name, through any of its declarations
bool is_assigned(const sema::Symbol& variable, const Effects& effects);

// Whether a call is of a C library function that only computes a value
bool is_pure_call(const ast::Expr& call, const lex::TokenList& tokens);

// Whether evaluating the expression only yields a value: no calls, no stores, no strict accesses.
bool has_no_effects(const ast::Expr* e, const lex::TokenList& tokens);

// Whether two expressions have the same form: same operators, variables and constants.  For expressions without
// effects.
bool is_same_form(const ast::Expr* a, const ast::Expr* b, const lex::TokenList& tokens);

// The private variable that an lvalue denotes, wholly or in part; null if it is reached through a pointer.
const sema::Symbol* root_variable(const ast::Expr* lvalue);

// Whether the called function is known not to change anything that programs keep in shared memory
bool writes_nothing_shared(const ast::Expr& call, const lex::TokenList& tokens);

}  // namespace bn::lower
