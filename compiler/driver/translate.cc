#include "driver/translate.h"

#include <algorithm>
#include <utility>

#include "ast/arena.h"
#include "driver/stack.h"
#include "emit/emit.h"
#include "lex/lex.h"
#include "lex/offers.h"
#include "lower/lower.h"
#include "parse/c_names.h"
#include "parse/parse.h"
#include "sema/sema.h"
#include "source/source.h"

namespace bn::driver {

namespace {

// Fills in everything in `result` except its origin
void translate_tokens(TranslateResult& result, const TranslateOptions& options, uint32_t max_height)
{
    const lex::TokenList& tokens = result.origin->tokens;
    diag::Diagnostics diags(tokens, options.diagnostics);
    auto tree = std::make_unique<Tree>();
    ast::Arena& arena = tree->arena;
    // With -pthreads, functions and files that use no UPC may have static objects, too.
    bool parses_all = options.full_parse || options.own_objects;
    ast::Unit* unit =
        parse::parse(tokens, arena, diags, {parses_all, options.old_words, options.keeps_tree, max_height});
    if (!diags.gave_up()) {
        sema::Analysis analysis = sema::check(*unit, tokens, arena, diags,
                                              {.static_threads = options.static_threads,
                                               .own_objects = options.own_objects,
                                               .far_threads = options.far_threads,
                                               .ms_extensions = options.ms_extensions,
                                               .machine = options.machine});
        if (!diags.has_errors()) {
            const ast::Lowered* tail = lower::lower(*unit, analysis, tokens, arena, diags, options);
            if (!diags.has_errors()) {
                emit::Emitted emitted = emit::emit(*unit, *tail, tokens);
                result.c = std::move(emitted.c);
                result.origin->parts = std::move(emitted.parts);
            }
        }
    }
    result.uses_upc = unit->uses_upc;
    result.is_plain_c = !unit->uses_upc && options.static_threads == 0 && !options.own_objects;
    result.has_own_loops = unit->has_own_loops;
    result.ok = !diags.has_errors();
    result.messages = diags.output();
    result.told = diags.messages();
    if (options.keeps_tree) {
        tree->unit = unit;
        result.tree = std::move(tree);
    }
}

bool has_qualifiers_only(const lex::TokenList& tokens)
{
    return std::all_of(tokens.upc_keywords.begin(), tokens.upc_keywords.end(),
                       [&](lex::TokenIndex i) { return tokens[i].kind <= lex::Tok::KwRelaxed; });
}

// "'MYTHREAD' and 'shared'": the UPC keywords that are ordinary names
std::string list_of_names(const lex::TokenList& tokens)
{
    std::vector<std::string_view> words;
    for (uint32_t name : tokens.names_of_c)
        words.push_back(tokens.names[name]);
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    std::string list;
    for (size_t i = 0; i < words.size(); ++i)
        list.append(i == 0 ? "'" : i + 1 < words.size() ? ", '" : " and '").append(words[i]).append("'");
    return list;
}

}  // namespace

TranslateResult translate(std::string preprocessed, const TranslateOptions& options)
{
    const lex::Options lex_options{options.gnu_keywords, options.is_c23, options.old_words};
    std::string text = lex::settle_offers(std::move(preprocessed), options.source_name, lex_options);
    TranslateResult result;
    result.origin =
        std::make_unique<Origin>(Origin{.source = {std::move(text), options.source_name}, .tokens = {}, .parts = {}});
    if (!options.edited_file.empty())
        result.origin->source.set_file(options.edited_file, options.edited_text);
    lex::TokenList& tokens = result.origin->tokens;
    tokens = lex::lex(result.origin->source, lex_options);
    const uint32_t max_height = grow_stack();
    parse::settle_c_code(tokens, max_height);
    translate_tokens(result, options, max_height);
    // Text that makes no sense as UPC may be C that uses UPC keywords as names: all of it, or some of its headers.
    if (!result.ok && parse::settle_c_files(tokens, options.may_be_c || has_qualifiers_only(tokens), max_height))
        translate_tokens(result, options, max_height);
    result.names_of_c = list_of_names(tokens);
    return result;
}

}  // namespace bn::driver
