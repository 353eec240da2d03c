// parse_fuzz.cc: the compiler's front end on arbitrary bytes.  The first byte chooses the options, the rest is the
// preprocessed text.  It must not crash, and every tree must satisfy check_structure, with and without errors.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "lex/lex.h"
#include "parse/check.h"
#include "parse/dump.h"
#include "parse/parse.h"

namespace {

void die(const std::string& what)
{
    std::fprintf(stderr, "parse_fuzz: %s\n", what.c_str());
    std::abort();
}

void check_tokens(const bn::lex::TokenList& tokens, std::string_view text)
{
    uint64_t free = 0;
    for (const bn::lex::Token& token : tokens.tokens) {
        if (token.offset < free || token.offset + uint64_t{token.length} > text.size())
            die("a token is out of place");
        free = token.offset + token.length;
        if (token.name >= tokens.names.size())
            die("a token has no name");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    if (size == 0)
        return 0;
    constexpr uint8_t kFullParse = 1, kStrictKeywords = 2, kFewErrors = 4, kC23 = 8;
    const uint8_t choice = data[0];
    bn::source::Source source(std::string(reinterpret_cast<const char*>(data) + 1, size - 1), "fuzz.upc");
    bn::lex::TokenList tokens =
        bn::lex::lex(source, {.gnu_keywords = (choice & kStrictKeywords) == 0, .is_c23 = (choice & kC23) != 0});
    check_tokens(tokens, source.text());
    bn::diag::Options diag_options;
    diag_options.max_errors = (choice & kFewErrors) != 0 ? 2 : 0;
    bn::diag::Diagnostics diagnostics(tokens, diag_options);
    bn::ast::Arena arena;
    bn::ast::Unit* unit = bn::parse::parse(tokens, arena, diagnostics, {.full_parse = (choice & kFullParse) != 0});
    std::string problem = bn::parse::check_structure(*unit, tokens);
    if (!problem.empty())
        die(problem);
    bn::parse::dump(*unit, tokens);
    return 0;
}
