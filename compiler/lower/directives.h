// directives.h: the program's pragmas, and what those of OpenMP and OpenACC mean.  They count whether the C compiler
// heeds them or not.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "lex/token.h"

namespace bn::lower {

// The pragmas before the tokens from `first` to `last`, in order; takes no time where the program has none
std::span<const lex::OtherPragma> pragmas_before(lex::TokenIndex first, lex::TokenIndex last,
                                                 const lex::TokenList& tokens);

// The words behind "#pragma", without those in parentheses (except of `metadirective`, which has directives there)
std::vector<std::string_view> words(std::string_view pragma);

inline bool has_any(std::span<const std::string_view> words, std::span<const std::string_view> wanted)
{
    return std::ranges::find_first_of(words, wanted) != words.end();
}

// Whether it is a pragma of OpenMP or OpenACC
bool is_parallel(std::string_view pragma);

// Whether a thread may wait for others, or may see what they have written, where it meets this pragma or in the
// statement behind it
bool synchronises(std::string_view pragma, const lex::TokenList& tokens);

// Whether other threads may execute the statement behind it, too
bool starts_threads(std::string_view pragma);

// Whether a thread may skip the statement behind it, or execute others there
bool diverts(std::string_view pragma);

// Whether it divides the iterations of a loop among threads, or changes the loop
bool shares_out(std::string_view pragma);

// Whether a clause gives each thread a variable of its own for the one of this name
bool makes_private(std::string_view pragma, std::string_view name);

}  // namespace bn::lower
