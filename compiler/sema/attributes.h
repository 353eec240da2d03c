// attributes.h: the few GNU attributes that change the size or alignment of types.
#pragma once

#include <span>
#include <string_view>

#include "ast/ast.h"
#include "lex/token.h"

namespace bn::sema {

// Turns "__name__" into "name"
inline std::string_view without_underscores(std::string_view name)
{
    return name.size() > 4 && name.starts_with("__") && name.ends_with("__") ? name.substr(2, name.size() - 4) : name;
}

// Finds the attribute under either spelling, name or __name__
inline const ast::Attribute* find_attribute(std::span<ast::Attribute> attributes, const lex::TokenList& tokens,
                                            std::string_view name)
{
    for (const ast::Attribute& attribute : attributes) {
        if (without_underscores(tokens.text(attribute.name)) == name)
            return &attribute;
    }
    return nullptr;
}

}  // namespace bn::sema
