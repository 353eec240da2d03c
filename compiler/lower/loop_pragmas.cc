// loop_pragmas.cc: pragmas about the following loop, which C requires directly before "for", "while" or "do".
//
// #pragma GCC ivdep
// upc_forall (i; c; s; e) body               { const int outer = bn_forall_depth;
//                                              #pragma GCC ivdep
//                                              for (i; c; s) if (outer | (test of e)) { body } }
//
// A pragma may be about several loops, one in the body of the other: collapse(2).  The C compiler wants them as the
// program has them, with nothing else between their heads.  Loops within the last of them may have any form.
#include <algorithm>
#include <array>
#include <charconv>
#include <climits>

#include "lower/lowerer.h"

namespace bn::lower {

using ast::Kind;
using ast::Node;
using ast::SimpleStmt;

namespace {

constexpr std::string_view kBlanks = " \t";

struct Line {
    size_t begin;
    size_t end;
    std::string_view text;
};

// The directives between two offsets of the text
std::vector<Line> directives(std::string_view text, size_t from, size_t to)
{
    std::vector<Line> lines;
    for (size_t begin = text.find('#', from); begin < to; begin = text.find('#', begin + 1)) {
        size_t end = std::min(text.find('\n', begin), to);
        lines.push_back({begin, end, text.substr(begin, end - begin)});
        begin = end;
    }
    return lines;
}

std::vector<std::string_view> words(std::string_view line)
{
    constexpr std::string_view kSeparators = " \t(),:";
    std::vector<std::string_view> all;
    for (size_t at = line.find_first_not_of(kSeparators); at != line.npos;
         at = line.find_first_not_of(kSeparators, at)) {
        size_t end = std::min(line.find_first_of(kSeparators, at), line.size());
        all.push_back(line.substr(at, end - at));
        at = end;
    }
    return all;
}

bool is_pragma(std::string_view directive)
{
    size_t word = directive.find_first_not_of(kBlanks, 1);
    return word != directive.npos && directive.substr(word).starts_with("pragma");
}

// A pragma of OpenMP or OpenACC
bool is_parallel(std::string_view directive)
{
    std::vector<std::string_view> all = words(directive.substr(1));
    return is_pragma(directive) && all.size() > 2 && (all[1] == "omp" || all[1] == "acc");
}

// One that divides the iterations of a loop among threads, or that changes the loop
bool shares_out(std::string_view directive)
{
    constexpr std::array<std::string_view, 10> kLoops = {"for",  "simd",   "loop",    "taskloop",    "distribute",
                                                         "tile", "unroll", "reverse", "interchange", "stripe"};
    std::vector<std::string_view> all = words(directive.substr(1));
    return is_parallel(directive) &&
           std::find_first_of(all.begin() + 2, all.end(), kLoops.begin(), kLoops.end()) != all.end();
}

constexpr int kAllLoops = INT_MAX;

// The argument of a clause; 1 if it has none, kAllLoops if it is not a plain number
int number_of(std::string_view clause, std::string_view directive)
{
    std::string_view rest = directive.substr(static_cast<size_t>(clause.data() - directive.data()) + clause.size());
    rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size()));
    if (!rest.starts_with('('))
        return 1;
    std::string_view argument = rest.substr(1, rest.find(')') - 1);
    argument.remove_prefix(std::min(argument.find_first_not_of(kBlanks), argument.size()));
    int number = 0;
    const char* end = argument.data() + argument.size();
    const char* behind = std::from_chars(argument.data(), end, number).ptr;
    bool is_plain = std::string_view(behind, end).find_first_not_of(kBlanks) == std::string_view::npos;
    return is_plain ? number : kAllLoops;
}

// The number of loops, one in the body of the other, that a directive is about; kAllLoops: as many as there are
int loops_of(std::string_view directive)
{
    if (!shares_out(directive))
        return 0;
    int number = 1;
    for (std::string_view word : words(directive)) {
        if (word == "collapse" || word == "ordered")
            number = std::max(number, number_of(word, directive));
        else if (word == "tile" || word == "interchange" || word == "stripe")
            number = kAllLoops;
    }
    return number;
}

// Whether the body of the loop must have a "#pragma omp scan" directly within its braces
bool has_scan(std::string_view directive)
{
    std::vector<std::string_view> all = words(directive);
    return shares_out(directive) && std::ranges::find(all, "inscan") != all.end();
}

bool is_for(const Node& node)
{
    return node.kind == Kind::For || node.kind == Kind::Forall;
}

// The loop that is the body of another one, or stands within its braces; null if there is none
const SimpleStmt* loop_in(const Node& body)
{
    if (is_for(body))
        return static_cast<const SimpleStmt*>(&body);
    if (body.kind == Kind::Compound)
        for (const Node* item : body.children)
            if (const SimpleStmt* loop = loop_in(*item); loop != nullptr)
                return loop;
    return nullptr;
}

bool is_about_loop(std::string_view directive)
{
    constexpr std::array<std::string_view, 3> kOfGcc = {"ivdep", "unroll", "novector"};
    constexpr std::array<std::string_view, 4> kOfClang = {"unroll", "nounroll", "unroll_and_jam", "nounroll_and_jam"};
    std::vector<std::string_view> all = words(directive.substr(1));
    if (!is_pragma(directive) || all.size() < 2)
        return false;
    std::string_view second = all.size() > 2 ? all[2] : std::string_view();
    return shares_out(directive) || std::ranges::find(kOfClang, all[1]) != kOfClang.end() ||
           (all[1] == "GCC" && std::ranges::find(kOfGcc, second) != kOfGcc.end()) ||
           (all[1] == "clang" && second == "loop");
}

}  // namespace

// The directives in the text between a node and the preceding token
std::vector<std::string_view> Lowerer::directives_before(const Node& node) const
{
    const lex::Token& before = tokens_[node.first - 1];
    std::vector<std::string_view> all;
    for (const Line& line :
         directives(tokens_.source->text(), before.offset + before.length, tokens_[node.first].offset))
        all.push_back(line.text);
    return all;
}

// Notes the statements below a node that a pragma before a loop around them is about as well: further loops, and a body
// with a "#pragma omp scan".
void Lowerer::find_nests(const Node& node)
{
    if (is_for(node)) {
        int loops = 0;
        bool scans = false;
        for (std::string_view directive : directives_before(node)) {
            loops = std::max(loops, loops_of(directive));
            scans |= has_scan(directive);
        }
        const auto* last = static_cast<const SimpleStmt*>(&node);
        for (const SimpleStmt* inner; loops > 1 && (inner = loop_in(*last->then)) != nullptr; --loops, last = inner)
            nested_.insert(inner);
        if (scans)
            nested_.insert(last->then);
    }
    for (const Node* child : node.children)
        find_nests(*child);
}

// Whether a pragma of the program is about the node, such as `#pragma GCC unroll 4` before a loop, which must stay a
// single loop, directly behind the pragma or the head of the loop around it
bool Lowerer::is_under_pragma(const Node& node) const
{
    return nested_.contains(&node) || std::ranges::any_of(directives_before(node), is_pragma);
}

// Whether OpenMP is to divide the iterations, which requires the loop as it was written
bool Lowerer::is_shared_out(const Node& loop) const
{
    return nested_.contains(&loop) || std::ranges::any_of(directives_before(loop), shares_out);
}

// Whether nothing may precede what the body of a loop begins with
bool Lowerer::has_fixed_body(const SimpleStmt& loop) const
{
    return is_under_pragma(*loop.then) || nested_.contains(loop_in(*loop.then));
}

// Whether a pragma in the body makes threads share its work or exclude each other: its order and accesses matter then.
// A barrier may precede nothing but the end of the body.
bool Lowerer::has_parallel_parts(const SimpleStmt& loop) const
{
    const lex::Token &before = tokens_[loop.then->first - 1], &last = tokens_[loop.then->last];
    std::vector<Line> all = directives(tokens_.source->text(), before.offset + before.length, last.offset);
    return std::ranges::any_of(
        all, [](const Line& line) { return is_parallel(line.text) && words(line.text.substr(1))[2] != "simd"; });
}

// Whether the program states that iterations are independent: `#pragma GCC ivdep`
bool Lowerer::is_called_independent(const Node& loop) const
{
    return std::ranges::any_of(directives_before(loop), [](std::string_view directive) {
        std::vector<std::string_view> all = words(directive.substr(1));
        return is_pragma(directive) && all.size() > 2 && all[1] == "GCC" && all[2] == "ivdep";
    });
}

// Removes the pragmas about a loop from where they stand and returns them as lines to put before the emitted loop.
Rope Lowerer::take_loop_pragmas(const Node& loop)
{
    std::string_view text = tokens_.source->text();
    Rope out = rope();
    for (std::string_view line : directives_before(loop)) {
        if (!is_about_loop(line))
            continue;
        auto offset = static_cast<uint32_t>(line.data() - text.data());
        auto place = std::ranges::lower_bound(unit_.pragmas, offset, {}, &ast::Pragma::offset);
        if (place == unit_.pragmas.end() || place->offset != offset)
            unit_.pragmas.insert(place,
                                 {loop.first, lex::PragmaKind::OfLoop, offset, static_cast<uint32_t>(line.size())});
        out << "\n" << std::string(line) << "\n";
    }
    return out;
}

// The body of a loop for a form that leaves out the text between head and body, behind the pragmas there; those that
// the body has taken are in its own form.
Rope Lowerer::body_with_pragmas(const SimpleStmt& loop)
{
    std::string_view text = tokens_.source->text();
    Rope out = rope();
    for (std::string_view line : directives_before(*loop.then)) {
        auto offset = static_cast<uint32_t>(line.data() - text.data());
        bool is_taken = std::ranges::binary_search(unit_.pragmas, offset, {}, &ast::Pragma::offset);
        if (!is_taken && (is_parallel(line) || is_about_loop(line)))
            out << "\n" << std::string(line) << "\n";
    }
    return out << static_cast<Node*>(loop.then);
}

}  // namespace bn::lower
