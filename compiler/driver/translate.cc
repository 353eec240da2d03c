#include "driver/translate.h"

#include "ast/arena.h"
#include "emit/emit.h"
#include "lex/lex.h"
#include "lex/offers.h"
#include "lower/lower.h"
#include "parse/parse.h"
#include "sema/sema.h"
#include "source/source.h"

namespace bn::driver {

TranslateResult translate(std::string preprocessed, const TranslateOptions& options)
{
    const lex::Options lex_options{options.gnu_keywords};
    std::string text = lex::settle_offers(std::move(preprocessed), options.source_name, lex_options);
    TranslateResult result;
    result.origin =
        std::make_unique<Origin>(Origin{.source = {std::move(text), options.source_name}, .tokens = {}, .parts = {}});
    lex::TokenList& tokens = result.origin->tokens;
    tokens = lex::lex(result.origin->source, lex_options);
    diag::Diagnostics diags(tokens, options.diagnostics);
    ast::Arena arena;
    ast::Unit* unit = parse::parse(tokens, arena, diags, {options.full_parse});
    if (!diags.gave_up()) {
        sema::Analysis analysis = sema::check(*unit, tokens, arena, diags, {options.static_threads});
        if (!diags.has_errors()) {
            const ast::Lowered* tail =
                lower::lower(*unit, analysis, tokens, arena, diags,
                             {options.static_threads, options.source_name, options.checks, options.passes,
                              options.far_threads, options.calls_for_addresses, options.debugger_script});
            if (!diags.has_errors()) {
                emit::Emitted emitted = emit::emit(*unit, *tail, tokens);
                result.c = std::move(emitted.c);
                result.origin->parts = std::move(emitted.parts);
            }
        }
    }
    result.is_plain_c = !unit->uses_upc && options.static_threads == 0;
    result.has_own_loops = unit->has_own_loops;
    result.ok = !diags.has_errors();
    result.messages = diags.output();
    return result;
}

}  // namespace bn::driver
