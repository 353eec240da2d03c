// attributes.h: the few GNU attributes that change the size or alignment of types.
#pragma once

#include <span>
#include <string_view>

#include "ast/ast.h"
#include "lex/token.h"

namespace bn::sema {

// name or __name__
inline const ast::Attribute* find_attribute(std::span<ast::Attribute> attributes, const lex::TokenList& tokens,
                                            std::string_view name)
{
    for (const ast::Attribute& attribute : attributes) {
        std::string_view text = tokens.text(attribute.name);
        if (text.size() == name.size() + 4 && text.starts_with("__") && text.ends_with("__"))
            text = text.substr(2, name.size());
        if (text == name)
            return &attribute;
    }
    return nullptr;
}

}  // namespace bn::sema
