// assembler.h: operands of asm statements.
#pragma once

#include <string_view>

#include "ast/ast.h"
#include "lex/token.h"

namespace bn::sema {

// Whether the constraint before an operand says that the assembler writes it: "=r" (x), "+m" (y)
inline bool is_output(const ast::Expr& operand, const lex::TokenList& tokens)
{
    bool result = false;
    // the constraint is followed by a parenthesis
    for (lex::TokenIndex i = operand.first - 2; tokens[i].kind == lex::Tok::String; --i)
        result |= tokens.text(i).find_first_of("=+") != std::string_view::npos;
    return result;
}

}  // namespace bn::sema
