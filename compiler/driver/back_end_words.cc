#include "driver/back_end_words.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace bn::driver {

namespace {

constexpr std::string_view kOpen = "\u2018";
constexpr std::string_view kClose = "\u2019";
constexpr std::string_view kPrefix = "bn_";

// UPC names for the types of access.h; a preceding "struct " belongs to the name.
constexpr std::pair<std::string_view, std::string_view> kTypes[] = {
    {"struct bn_pointer_to_shared", "pointer-to-shared"},
    {"bn_pts_t", "pointer-to-shared"},
    {"bn_packed_pts_t", "pointer-to-shared"},
    {"struct bn_shared_mem", "shared object"},
    {"bn_shared_t", "shared object"},
    {"bn_u64", "unsigned long"},
    {"bn_i64", "long"},
    {"bn_u32", "unsigned int"},
};

bool is_name_part(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

size_t name_end(std::string_view text, size_t begin)
{
    while (begin < text.size() && is_name_part(text[begin]))
        ++begin;
    return begin;
}

// The start of a name with one of our prefixes
size_t find_prefix(std::string_view text, size_t from)
{
    size_t at = text.find(kPrefix, from);
    while (at != text.npos && at > 0 && is_name_part(text[at - 1]))
        at = text.find(kPrefix, at + 1);
    return at;
}

// Whether a quoted text is a single name
bool is_name(std::string_view text)
{
    return !text.empty() && name_end(text, 0) == text.size();
}

// The length of " {aka 'struct x'}" or " (aka 'struct x')" at the start of the text
size_t aka_length(std::string_view text)
{
    if (!text.starts_with(" {aka ") && !text.starts_with(" (aka "))
        return 0;
    size_t end = text.find(text[1] == '{' ? '}' : ')');
    return end == text.npos ? 0 : end + 1;
}

}  // namespace

std::optional<Quoted> find_quoted(std::string_view text, size_t from)
{
    size_t open = std::min(text.find('\'', from), text.find(kOpen, from));
    if (open == text.npos)
        return std::nullopt;
    std::string_view closing = text[open] == '\'' ? "'" : kClose;
    size_t close = text.find(closing, open + closing.size());
    if (close == text.npos)
        return std::nullopt;
    return Quoted{open + closing.size(), close, closing.size()};
}

bool Words::is_of_the_program(std::string_view name)
{
    if (!own_) {
        own_.emplace();
        for (lex::TokenIndex i = 1; i < tokens_.tokens.size(); ++i) {
            if (tokens_[i].kind == lex::Tok::Identifier && !tokens_[i].in_system_header &&
                tokens_.text(i).starts_with(kPrefix))
                own_->insert(tokens_.text(i));
        }
    }
    return own_->contains(name);
}

bool Words::has_our_name(std::string_view text)
{
    for (size_t at = find_prefix(text, 0); at != text.npos;) {
        size_t end = name_end(text, at);
        if (!is_of_the_program(text.substr(at, end - at)))
            return true;
        at = find_prefix(text, end);
    }
    return false;
}

std::string Words::with_types_named(std::string_view text)
{
    std::string result(text);
    for (auto [name, meaning] : kTypes) {
        for (size_t at = result.find(name); at != result.npos; at = result.find(name, at + 1)) {
            bool is_whole = (at == 0 || !is_name_part(result[at - 1])) &&
                            name_end(result, at + name.rfind(' ') + 1) == at + name.size();
            if (is_whole && !is_of_the_program(name))
                result.replace(at, name.size(), meaning);
        }
    }
    return result;
}

std::string Words::source_of(const diag::Range& range) const
{
    const lex::Token& last = tokens_[range.last];
    uint32_t begin = tokens_[range.first].offset;
    std::string text;
    for (char c : tokens_.source->text().substr(begin, last.offset + last.length - begin)) {
        bool is_space = std::isspace(static_cast<unsigned char>(c)) != 0;
        if (!is_space || (!text.empty() && text.back() != ' '))
            text += is_space ? ' ' : c;
    }
    return text;
}

std::optional<std::string> Words::translate(std::string_view text, const std::optional<diag::Range>& range)
{
    std::string result;
    bool is_told = true;
    size_t at = 0;
    while (std::optional<Quoted> quoted = find_quoted(text, at)) {
        std::string_view inner = text.substr(quoted->begin, quoted->end - quoted->begin);
        std::string named = with_types_named(inner);
        bool is_ours = has_our_name(named);
        is_told = is_told && !(is_ours && is_name(inner));
        result += text.substr(at, quoted->begin - at);
        result += is_ours && range ? source_of(*range) : named;
        result += text.substr(quoted->end, quoted->quote_bytes);
        at = quoted->end + quoted->quote_bytes;
        if (named != inner)
            at += aka_length(text.substr(at));
    }
    result += with_types_named(text.substr(at));
    return is_told ? std::optional(result) : std::nullopt;
}

}  // namespace bn::driver
