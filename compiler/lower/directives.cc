#include "lower/directives.h"

#include <algorithm>

namespace bn::lower {

using lex::OtherPragma;

std::span<const OtherPragma> pragmas_before(lex::TokenIndex first, lex::TokenIndex last, const lex::TokenList& tokens)
{
    const std::vector<OtherPragma>& all = tokens.other_pragmas;
    auto begin = std::ranges::lower_bound(all, first, {}, &OtherPragma::before);
    auto end = std::ranges::upper_bound(begin, all.end(), last, {}, &OtherPragma::before);
    return {begin, end};
}

std::vector<std::string_view> words(std::string_view pragma)
{
    constexpr std::string_view kKeyword = "pragma", kSeparators = " \t\\\n,:()";
    std::vector<std::string_view> all;
    int depth = 0;
    for (size_t at = pragma.find(kKeyword) + kKeyword.size(), end; at < pragma.size(); at = end) {
        end = std::min(pragma.find_first_of(kSeparators, at), pragma.size());
        if (end > at && depth == 0)
            all.push_back(pragma.substr(at, end - at));
        if (end == at) {
            depth += (pragma[at] == '(') - (pragma[at] == ')');
            ++end;
        }
    }
    return all;
}

bool is_parallel(std::string_view pragma)
{
    std::vector<std::string_view> all = words(pragma);
    return all.size() > 1 && (all[0] == "omp" || all[0] == "acc");
}

}  // namespace bn::lower
