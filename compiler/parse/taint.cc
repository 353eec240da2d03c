#include "parse/taint.h"

#include <algorithm>

namespace bn::parse {

using lex::Tok;
using lex::TokenIndex;

bool Taint::touches(TokenIndex first, TokenIndex end) const
{
    const std::vector<TokenIndex>& keywords = tokens_.upc_keywords;
    auto keyword = std::lower_bound(keywords.begin(), keywords.end(), first);
    if (keyword != keywords.end() && *keyword < end)
        return true;
    if (!any_name_)
        return false;
    return std::any_of(tokens_.tokens.begin() + first, tokens_.tokens.begin() + end,
                       [this](const lex::Token& token) { return is_tainted(token); });
}

Taint::Block Taint::scan_block(TokenIndex open) const
{
    const lex::Token* tokens = tokens_.tokens.data();
    uint32_t depth = 0;
    bool touched = false;
    for (TokenIndex at = open;; at++) {
        switch (tokens[at].kind) {
        case Tok::Identifier: touched |= tainted_[tokens[at].name] != 0; break;
        case Tok::LBrace: depth++; break;
        case Tok::RBrace:
            if (--depth > 0)
                break;
            [[fallthrough]];
        case Tok::End: return {at, touched || touches(open, at)};
        default: break;
        }
    }
}

}  // namespace bn::parse
