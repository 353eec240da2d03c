// loop_pragmas.cc: pragmas about the following loop, which C requires directly before "for", "while" or "do".
//
// #pragma GCC ivdep
// upc_forall (i; c; s; e) body               { const int outer = bn_forall_depth;
//                                              #pragma GCC ivdep
//                                              for (i; c; s) if (outer | (test of e)) { body } }
#include <algorithm>
#include <array>

#include "lower/lowerer.h"

namespace bn::lower {

using ast::Node;

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
    constexpr std::string_view kSeparators = " \t()";
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

// A "#pragma omp" that divides the iterations of a loop among threads
bool shares_out(std::string_view directive)
{
    constexpr std::array<std::string_view, 5> kLoops = {"for", "simd", "loop", "taskloop", "distribute"};
    std::vector<std::string_view> all = words(directive.substr(1));
    return is_pragma(directive) && all.size() > 2 && all[1] == "omp" &&
           std::find_first_of(all.begin() + 2, all.end(), kLoops.begin(), kLoops.end()) != all.end();
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

// Whether a pragma of the program precedes the node, such as `#pragma GCC unroll 4` before a loop, which must stay a
// single loop
bool Lowerer::follows_pragma(const Node& node) const
{
    return std::ranges::any_of(directives_before(node), is_pragma);
}

// Whether OpenMP is to divide the iterations, which requires the loop as it was written
bool Lowerer::is_shared_out(const Node& loop) const
{
    return std::ranges::any_of(directives_before(loop), shares_out);
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

}  // namespace bn::lower
