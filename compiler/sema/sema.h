// sema.h: gives every expression its type and applies the rules of UPC.
//
// What only concerns C is left to the back end, which has better words for it; sema types C expressions because the type
// of an operand decides what UPC means by an operator.  Where C cannot be typed (exotic builtins) the type is Unknown.
#pragma once

#include "ast/arena.h"
#include "ast/ast.h"
#include "diag/diagnostics.h"
#include "lex/token.h"
#include "sema/types.h"

namespace bn::sema {

struct Options {
    int static_threads = 0;  // 0: dynamic environment
};

// A shared object with static storage that this unit defines (tentatively or not), or a private static object whose
// initial value needs code.  In the order of their declarations.
struct StaticObject {
    const Symbol* symbol = nullptr;
    ast::InitDeclarator* declarator = nullptr;
    ast::Declaration* declaration = nullptr;
    ast::FunctionDef* function = nullptr;  // outermost function it is local to; null at file scope
    bool is_shared = false;
    bool needs_code = false;  // has an initialiser that must run before main
};

struct Analysis {
    std::vector<StaticObject> statics;
    std::vector<Record*> records;          // defined outside of functions, in the order of their ends
};

// Annotates the tree in place and reports what is wrong.
Analysis check(ast::Unit& unit, const lex::TokenList& tokens, ast::Arena& arena, diag::Diagnostics& diags,
               const Options& options);

}  // namespace bn::sema
