#include "driver/macros.h"

#include <algorithm>
#include <map>
#include <unordered_set>

#include "driver/file.h"
#include "lex/chars.h"
#include "lex/lex.h"
#include "source/source.h"

namespace bn::driver {

namespace {

constexpr std::string_view kWords[] = {
#define BN_TOKEN(name, spelling)
#define BN_UPC_KEYWORD(name, spelling) spelling,
#include "lex/tokens.def"
};

bool is_word_of_upc(std::string_view name)
{
    return std::find(std::begin(kWords), std::end(kWords), name) != std::end(kWords);
}

// The name at the start of the text, after blanks
std::string_view first_name(std::string_view text)
{
    size_t begin = 0;
    while (begin < text.size() && lex::is_blank(text[begin]))
        begin++;
    size_t end = begin;
    while (end < text.size() && lex::is_ident_char(text[end]))
        end++;
    return text.substr(begin, end - begin);
}

bool has_name(std::string_view text, std::string_view name)
{
    for (size_t at = 0; at < text.size(); at++) {
        if (!lex::is_ident_start(text[at]))
            continue;
        std::string_view word = first_name(text.substr(at));
        if (word == name)
            return true;
        at += word.size() - 1;
    }
    return false;
}

struct Definition {
    uint32_t line;          // physical line of the output of cc -E -dD
    std::string_view body;  // text after the name, parameters included
};

using Definitions = std::map<std::string_view, Definition>;

// The UPC keywords that are macros at the end of the unit
Definitions last_definitions(const source::Source& source)
{
    Definitions definitions;
    for (uint32_t line = 0; line < source.line_count(); line++) {
        std::string_view rest = source.text().substr(source.line_offset(line));
        std::string_view text = rest.substr(0, rest.find('\n'));
        bool defines = text.starts_with("#define ");
        if (!defines && !text.starts_with("#undef "))
            continue;
        text.remove_prefix(text.find(' '));
        std::string_view name = first_name(text);
        if (!is_word_of_upc(name))
            continue;
        definitions.erase(name);
        std::string_view body = text.substr(name.size() + 1);
        if (defines && !has_name(body, name))
            definitions[name] = {line, body};
    }
    return definitions;
}

lex::Pragma place_of(const lex::TokenList& tokens, uint32_t line)
{
    auto after = std::find_if(tokens.tokens.begin() + 1, tokens.tokens.end() - 1,
                              [=](const lex::Token& token) { return token.line > line; });
    return {.kind = lex::PragmaKind::Malformed,
            .before = static_cast<lex::TokenIndex>(after - tokens.tokens.begin()),
            .offset = tokens.source->line_offset(line),
            .length = 0,
            .line = line};
}

}  // namespace

bool defines_keyword(std::string_view text)
{
    constexpr std::string_view kDefine = "define";
    for (size_t at = 0; (at = text.find(kDefine, at)) != text.npos;) {
        at += kDefine.size();
        if (is_word_of_upc(first_name(text.substr(at))))
            return true;
    }
    return false;
}

bool may_define_keyword(std::string_view preprocessed, const std::vector<std::string>& options)
{
    for (const std::string& option : options) {
        std::string_view definition = option;
        if (definition.starts_with("-D"))
            definition.remove_prefix(2);
        if (is_word_of_upc(first_name(definition)))
            return true;
    }
    std::unordered_set<std::string> known;
    for (size_t at = preprocessed.starts_with('#') ? 0 : preprocessed.find("\n#"); at != preprocessed.npos;
         at = preprocessed.find("\n#", at)) {
        at += preprocessed[at] == '\n';
        std::string_view line = preprocessed.substr(at, preprocessed.find('\n', at) - at);
        std::optional<source::LineMarker> marker = source::parse_line_marker(line);
        if (!marker || marker->in_system_header || marker->quoted_file.data() == nullptr)
            continue;
        auto [name, is_new] = known.insert(source::unescape(marker->quoted_file));
        std::string text;
        if (is_new && is_regular_file(*name) && read_file(*name, text) == 0 && defines_keyword(text))
            return true;
    }
    return false;
}

MacroCheck check_macros(std::string definitions, const std::string& source_name,
                        const std::vector<std::string>& predefined, const diag::Options& options)
{
    const source::Source source(std::move(definitions), source_name);
    const lex::TokenList tokens = lex::lex(source);
    diag::Diagnostics diagnostics(tokens, options);
    std::map<uint32_t, std::string_view> in_order;
    for (const auto& [name, definition] : last_definitions(source)) {
        std::string option =
            "-D" + std::string(name) + "=" + std::string(definition.body.substr(!definition.body.empty()));
        if (std::find(predefined.begin(), predefined.end(), option) == predefined.end())
            in_order[definition.line] = name;
    }
    for (const auto& [line, name] : in_order)
        diagnostics.report(diag::Id::MacroOfKeyword, place_of(tokens, line), {name});
    return {!diagnostics.has_errors(), diagnostics.output(), diagnostics.messages()};
}

}  // namespace bn::driver
