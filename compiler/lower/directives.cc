#include "lower/directives.h"

#include <algorithm>
#include <array>

namespace bn::lower {

using lex::OtherPragma;

namespace {

bool has(std::span<const std::string_view> words, std::string_view wanted)
{
    return std::ranges::find(words, wanted) != words.end();
}

// Calls use(word, number of parentheses around it) for each word behind "#pragma".
template <class Use>
void for_each_word(std::string_view pragma, Use use)
{
    constexpr std::string_view kKeyword = "pragma", kSeparators = " \t\\\n,:()[]";
    int depth = 0;
    for (size_t at = pragma.find(kKeyword) + kKeyword.size(), end; at < pragma.size(); at = end) {
        end = std::min(pragma.find_first_of(kSeparators, at), pragma.size());
        if (end > at)
            use(pragma.substr(at, end - at), depth);
        if (end == at) {
            depth += (pragma[at] == '(') - (pragma[at] == ')');
            ++end;
        }
    }
}

// #pragma omp requires atomic_default_mem_order(seq_cst): what holds for atomic directives without an order
bool orders_atomics(std::string_view pragma)
{
    return is_parallel(pragma) && words(pragma)[1] == "requires" &&
           pragma.find("atomic_default_mem_order") != std::string_view::npos;
}

}  // namespace

std::span<const OtherPragma> pragmas_before(lex::TokenIndex first, lex::TokenIndex last, const lex::TokenList& tokens)
{
    const std::vector<OtherPragma>& all = tokens.other_pragmas;
    auto begin = std::ranges::lower_bound(all, first, {}, &OtherPragma::before);
    auto end = std::ranges::upper_bound(begin, all.end(), last, {}, &OtherPragma::before);
    return {begin, end};
}

std::vector<std::string_view> words(std::string_view pragma)
{
    std::vector<std::string_view> all;
    for_each_word(pragma, [&](std::string_view word, int depth) {
        if (depth == 0 || (all.size() > 1 && all[1] == "metadirective"))
            all.push_back(word);
    });
    return all;
}

bool is_parallel(std::string_view pragma)
{
    std::vector<std::string_view> all = words(pragma);
    return all.size() > 1 && (all[0] == "omp" || all[0] == "acc");
}

// "Implicit Flushes" and "Task Scheduling" in OpenMP 5.2.  Directives that are not listed here count.
bool synchronises(std::string_view pragma, const lex::TokenList& tokens)
{
    constexpr std::array<std::string_view, 5> kOrders = {"seq_cst", "acq_rel", "acquire", "release", "fail"};
    constexpr std::array<std::string_view, 4> kWithBarrier = {"for", "sections", "single", "scope"};
    constexpr std::array<std::string_view, 11> kWithoutBarrier = {
        "distribute", "interchange", "masked", "master", "reverse", "scan",
        "section",    "simd",        "stripe", "tile",   "unroll",
    };
    constexpr std::array<std::string_view, 2> kWithTasks = {"parallel", "taskloop"};  // masked taskloop
    if (!is_parallel(pragma))
        return false;
    std::vector<std::string_view> all = words(pragma);
    std::string_view directive = all[1];
    if (directive == "atomic")
        return has_any(all, kOrders) ||
               (!has(all, "relaxed") && std::ranges::any_of(tokens.other_pragmas, orders_atomics, &OtherPragma::text));
    if (all[0] == "acc")
        return directive != "loop";
    bool is_free = has(kWithBarrier, directive) ? has(all, "nowait") : has(kWithoutBarrier, directive);
    return !is_free || has_any(all, kWithTasks);
}

bool starts_threads(std::string_view pragma)
{
    constexpr std::array<std::string_view, 7> kStarts = {
        "kernels", "parallel", "serial", "target", "task", "taskloop", "teams",
    };
    return is_parallel(pragma) && has_any(words(pragma), kStarts);
}

bool diverts(std::string_view pragma)
{
    constexpr std::array<std::string_view, 3> kForAll = {"atomic", "flush", "simd"};
    return is_parallel(pragma) && !has(kForAll, words(pragma)[1]);
}

bool shares_out(std::string_view pragma)
{
    constexpr std::array<std::string_view, 10> kLoops = {"for",  "simd",   "loop",    "taskloop",    "distribute",
                                                         "tile", "unroll", "reverse", "interchange", "stripe"};
    return is_parallel(pragma) && has_any(words(pragma), kLoops);
}

bool makes_private(std::string_view pragma, std::string_view name)
{
    constexpr std::array<std::string_view, 5> kClauses = {"firstprivate", "lastprivate", "linear", "private",
                                                          "reduction"};
    std::string_view clause;
    bool is_there = false;
    for_each_word(pragma, [&](std::string_view word, int depth) {
        if (depth == 0)
            clause = word;
        is_there |= depth > 0 && word == name && has(kClauses, clause);
    });
    return is_there;
}

}  // namespace bn::lower
