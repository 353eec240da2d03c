#include <array>

#include "lex/token.h"

namespace bn::lex {

std::string_view spelling(Tok tok)
{
    static constexpr std::array<std::string_view, 256> kSpellings = {
#define BN_TOKEN(name, spelling) spelling,
#include "lex/tokens.def"
    };
    return kSpellings[static_cast<size_t>(tok)];
}

}  // namespace bn::lex
