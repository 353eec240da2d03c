// assembler.h: operands of asm statements.
#pragma once

#include <string_view>

#include "ast/ast.h"
#include "lex/token.h"

namespace bn::sema {

// Whether the constraint in front of an operand says that the assembler writes to it: "=r" (x), "+m" (y)
inline bool is_output(const ast::Expr& operand, const lex::TokenList& tokens)
{
    bool result = false;
    for (lex::TokenIndex i = operand.first - 2; tokens[i].kind == lex::Tok::String; --i)  // behind it is a parenthesis
        result |= tokens.text(i).find_first_of("=+") != std::string_view::npos;
    return result;
}

}  // namespace bn::sema
