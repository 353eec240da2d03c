#include "lex/offers.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <vector>

#include "lex/chars.h"

namespace bn::lex {

namespace {

constexpr std::string_view kBegin = "\n#pragma banyan offer\n";
constexpr std::string_view kEnd = "\n#pragma banyan end\n";

// Every name that our headers offer starts with this, or with a 'b' or 'p' before it.
constexpr std::string_view kPrefix = "upc_";

struct Range {
    size_t begin;
    size_t end;
};

struct Offer {
    Range text;  // up to and including its semicolon
    std::string_view name;
    bool is_used = false;
    bool is_declared = false;  // by the program
};

class Offers {
public:
    explicit Offers(const std::string& text) : text_(text) {}

    // Finds the offers; returns whether the text has any
    bool find();

    // Whether an offered name occurs in the text of the program, possibly in a string
    bool may_be_used() const;

    // Determines which offers the tokens of the program use, and which they declare
    void look_at(const TokenList& list);

    // Marks as used the offers on which used ones depend.
    void keep_parts();

    std::string with_those_that_stay() const;

private:
    void read_region(Range region);
    std::string_view word_at(size_t at) const;
    Offer* offer_of(std::string_view name);
    bool is_offered(size_t at) const;

    const std::string& text_;
    std::vector<Range> regions_;
    std::vector<Offer> offers_;
    std::unordered_map<std::string_view, size_t> by_name_;
};

bool Offers::find()
{
    for (size_t at = 0; (at = text_.find(kBegin, at)) != text_.npos;) {
        size_t end = text_.find(kEnd, at + kBegin.size() - 1);
        if (end == text_.npos)
            break;
        regions_.push_back({at + 1, end + kEnd.size()});
        read_region({at + kBegin.size(), end + 1});
        at = end;
    }
    return !regions_.empty();
}

std::string_view Offers::word_at(size_t at) const
{
    size_t end = at;
    while (end < text_.size() && is_ident_char(text_[end]))
        end++;
    return std::string_view(text_).substr(at, end - at);
}

// The name of a declaration is its last word outside brackets, not counting __asm__ and the like.
void Offers::read_region(Range region)
{
    int depth = 0;
    Offer offer{{region.begin, 0}, {}};
    for (size_t at = region.begin; at < region.end; at++) {
        char c = text_[at];
        if (c == '#' && text_[at - 1] == '\n') {
            at = text_.find('\n', at);
        } else if (c == '/' && text_[at + 1] == '*') {  // under cc -E -C
            at = text_.find("*/", at + 2) + 1;
        } else if (is_ident_start(c)) {
            std::string_view word = word_at(at);
            if (depth == 0 && !word.starts_with("__"))
                offer.name = word;
            at += word.size() - 1;
        } else if (c == '(' || c == '[' || c == '{') {
            depth++;
        } else if (c == ')' || c == ']' || c == '}') {
            depth--;
        } else if (c == ';' && depth == 0) {
            offer.text.end = at + 1;
            by_name_.emplace(offer.name, offers_.size());
            offers_.push_back(offer);
            offer = {{at + 1, 0}, {}};
        }
    }
}

Offer* Offers::offer_of(std::string_view name)
{
    auto entry = by_name_.find(name);
    return entry == by_name_.end() ? nullptr : &offers_[entry->second];
}

bool Offers::may_be_used() const
{
    size_t begin = 0;
    for (size_t region = 0; region <= regions_.size(); region++) {
        size_t end = region < regions_.size() ? regions_[region].begin : text_.size();
        std::string_view part = std::string_view(text_).substr(begin, end - begin);
        for (size_t at = 0; (at = part.find(kPrefix, at)) != part.npos; at += kPrefix.size()) {
            size_t start = begin + at;
            if (at > 0 && (part[at - 1] == 'b' || part[at - 1] == 'p'))
                start--;
            bool begins_word = start == begin || !is_ident_char(text_[start - 1]);
            if (begins_word && by_name_.contains(word_at(start)))
                return true;
        }
        begin = region < regions_.size() ? regions_[region].end : end;
    }
    return false;
}

bool Offers::is_offered(size_t at) const
{
    auto after = std::upper_bound(regions_.begin(), regions_.end(), at,
                                  [](size_t offset, const Range& region) { return offset < region.begin; });
    return after != regions_.begin() && at < std::prev(after)->end;
}

// Whether the token after a name at file scope shows that the name is being declared; "(*" follows the type of a
// pointer to function.
bool ends_declarator(const TokenList& list, TokenIndex name)
{
    Tok after = list[name + 1].kind;
    switch (after) {
    case Tok::LParen: return list[name + 2].kind != Tok::Star;
    case Tok::LBracket:
    case Tok::Semicolon:
    case Tok::Comma:
    case Tok::Equal:
    case Tok::KwAsm:
    case Tok::KwAttribute: return true;
    default: return false;
    }
}

bool is_tag(const TokenList& list, TokenIndex name)
{
    Tok before = list[name - 1].kind;
    return before == Tok::KwStruct || before == Tok::KwUnion || before == Tok::KwEnum;
}

void Offers::look_at(const TokenList& list)
{
    std::vector<Offer*> offer_of_name(list.names.size());
    for (size_t i = 0; i < list.names.size(); i++)
        offer_of_name[i] = offer_of(list.names[i]);
    int depth = 0;
    bool in_initialiser = false;
    for (TokenIndex i = 1; list[i].kind != Tok::End; i++) {
        switch (list[i].kind) {
        case Tok::LParen:
        case Tok::LBracket:
        case Tok::LBrace: depth++; break;
        case Tok::RParen:
        case Tok::RBracket:
        case Tok::RBrace: depth--; break;
        case Tok::Semicolon:
        case Tok::Comma: in_initialiser &= depth > 0; break;
        case Tok::Equal: in_initialiser |= depth == 0; break;
        case Tok::Identifier: {
            Offer* offer = offer_of_name[list[i].name];
            if (offer == nullptr || is_tag(list, i) || is_offered(list[i].offset))
                break;
            bool is_declared = depth == 0 && !in_initialiser && ends_declarator(list, i);
            (is_declared ? offer->is_declared : offer->is_used) = true;
            break;
        }
        default: break;
        }
    }
}

// From last to first, because each declaration depends only on earlier ones
void Offers::keep_parts()
{
    for (auto offer = offers_.rbegin(); offer != offers_.rend(); ++offer) {
        if (!offer->is_used || offer->is_declared)
            continue;
        for (size_t at = offer->text.begin; at < offer->text.end; at++) {
            if (!is_ident_start(text_[at]))
                continue;
            std::string_view word = word_at(at);
            if (Offer* part = offer_of(word))
                part->is_used = true;
            at += word.size() - 1;
        }
    }
}

// Of omitted text, newlines and line markers are kept, so that line numbers stay correct.
void append_lines(std::string& result, std::string_view left_out)
{
    for (size_t at = 0; at < left_out.size(); at++) {
        size_t end = left_out.find('\n', at);
        end = end == left_out.npos ? left_out.size() : end + 1;
        bool is_marker = left_out[at] == '#' && at > 0 && !left_out.substr(at).starts_with("#pragma");
        result += is_marker ? left_out.substr(at, end - at) : left_out.substr(end - 1, left_out[end - 1] == '\n');
        at = end - 1;
    }
}

std::string Offers::with_those_that_stay() const
{
    std::string result;
    result.reserve(text_.size());
    std::string_view text = text_;
    size_t done = 0;
    auto copy_to = [&](size_t end) {
        result += text.substr(done, end - done);
        done = end;
    };
    auto leave_out_to = [&](size_t end) {
        append_lines(result, text.substr(done, end - done));
        done = end;
    };
    auto offer = offers_.begin();
    for (const Range& region : regions_) {
        copy_to(region.begin);
        for (; offer != offers_.end() && offer->text.begin < region.end; ++offer) {
            leave_out_to(offer->text.begin);
            if (offer->is_used && !offer->is_declared)
                copy_to(offer->text.end);
        }
        leave_out_to(region.end);
    }
    copy_to(text.size());
    return result;
}

}  // namespace

std::string settle_offers(std::string preprocessed, const std::string& name, const Options& options)
{
    Offers offers(preprocessed);
    if (!offers.find())
        return preprocessed;
    if (offers.may_be_used()) {
        source::Source source(preprocessed, name);
        offers.look_at(lex(source, options));
        offers.keep_parts();
    }
    return offers.with_those_that_stay();
}

}  // namespace bn::lex
