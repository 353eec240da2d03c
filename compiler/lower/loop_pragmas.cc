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

#include "lower/directives.h"
#include "lower/lowerer.h"

namespace bn::lower {

using ast::Kind;
using ast::Node;
using ast::SimpleStmt;
using lex::OtherPragma;

namespace {

constexpr int kAllLoops = INT_MAX;
constexpr std::string_view kBlanks = " \t";

// The argument of a clause; 1 if it has none, kAllLoops if it is not a plain number
int number_of(std::string_view clause, std::string_view pragma)
{
    std::string_view rest = pragma.substr(static_cast<size_t>(clause.data() - pragma.data()) + clause.size());
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

// The number of loops, one in the body of the other, that a pragma is about; kAllLoops: as many as there are
int loops_of(std::string_view pragma)
{
    if (!shares_out(pragma))
        return 0;
    int number = 1;
    for (std::string_view word : words(pragma)) {
        if (word == "collapse" || word == "ordered")
            number = std::max(number, number_of(word, pragma));
        else if (word == "tile" || word == "interchange" || word == "stripe")
            number = kAllLoops;
    }
    return number;
}

// Whether the body of the loop must have a "#pragma omp scan" directly within its braces
bool has_scan(std::string_view pragma)
{
    return shares_out(pragma) && pragma.find("inscan") != pragma.npos;
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

bool is_about_loop(std::string_view pragma)
{
    constexpr std::array<std::string_view, 3> kOfGcc = {"ivdep", "unroll", "novector"};
    constexpr std::array<std::string_view, 4> kOfClang = {"unroll", "nounroll", "unroll_and_jam", "nounroll_and_jam"};
    std::vector<std::string_view> all = words(pragma);
    if (all.empty())
        return false;
    std::string_view second = all.size() > 1 ? all[1] : std::string_view();
    return shares_out(pragma) || std::ranges::find(kOfClang, all[0]) != kOfClang.end() ||
           (all[0] == "GCC" && std::ranges::find(kOfGcc, second) != kOfGcc.end()) ||
           (all[0] == "clang" && second == "loop");
}

bool is_ivdep(std::string_view pragma)
{
    std::vector<std::string_view> all = words(pragma);
    return all.size() > 1 && all[0] == "GCC" && all[1] == "ivdep";
}

}  // namespace

// The pragmas between a node and the preceding token
std::span<const OtherPragma> Lowerer::pragmas_before(const Node& node) const
{
    return lower::pragmas_before(node.first, node.first, tokens_);
}

// Notes the statements below a node that a pragma before a loop around them is about as well: further loops, and a body
// with a "#pragma omp scan".
void Lowerer::find_nests(const Node& node)
{
    if (is_for(node)) {
        int loops = 0;
        bool scans = false;
        for (const OtherPragma& pragma : pragmas_before(node)) {
            loops = std::max(loops, loops_of(pragma.text));
            scans |= has_scan(pragma.text);
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
    return nested_.contains(&node) || !pragmas_before(node).empty();
}

// Whether OpenMP is to divide the iterations, which requires the loop as it was written
bool Lowerer::is_shared_out(const Node& loop) const
{
    return nested_.contains(&loop) || std::ranges::any_of(pragmas_before(loop), shares_out, &OtherPragma::text);
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
    return std::ranges::any_of(
        lower::pragmas_before(loop.then->first, loop.then->last, tokens_),
        [](std::string_view pragma) { return is_parallel(pragma) && words(pragma)[1] != "simd"; }, &OtherPragma::text);
}

// Whether the program states that iterations are independent: `#pragma GCC ivdep`
bool Lowerer::is_called_independent(const Node& loop) const
{
    return std::ranges::any_of(pragmas_before(loop), is_ivdep, &OtherPragma::text);
}

// Removes the pragmas about a loop from where they stand and returns them as lines to put before the emitted loop.
Rope Lowerer::take_loop_pragmas(const Node& loop)
{
    Rope out = rope();
    for (const OtherPragma& pragma : pragmas_before(loop)) {
        if (!is_about_loop(pragma.text))
            continue;
        uint32_t offset = tokens_.offset(pragma);
        auto place = std::ranges::lower_bound(unit_.pragmas, offset, {}, &ast::Pragma::offset);
        if (place == unit_.pragmas.end() || place->offset != offset)
            unit_.pragmas.insert(
                place, {loop.first, lex::PragmaKind::OfLoop, offset, static_cast<uint32_t>(pragma.text.size())});
        out << "\n" << std::string(pragma.text) << "\n";
    }
    return out;
}

// The body of a loop for a form that leaves out the text between head and body, behind the pragmas there; those that
// the body has taken are in its own form.
Rope Lowerer::body_with_pragmas(const SimpleStmt& loop)
{
    Rope out = rope();
    for (const OtherPragma& pragma : pragmas_before(*loop.then)) {
        bool is_taken = std::ranges::binary_search(unit_.pragmas, tokens_.offset(pragma), {}, &ast::Pragma::offset);
        if (!is_taken && (is_parallel(pragma.text) || is_about_loop(pragma.text)))
            out << "\n" << std::string(pragma.text) << "\n";
    }
    return out << static_cast<Node*>(loop.then);
}

}  // namespace bn::lower
