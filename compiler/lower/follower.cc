// follower.cc: loops that go from run to run of the indices that follow their variable (runs.h).
//
// UPC form                                   C form
// a[(v+1) % N] in a loop that is dealt out   struct bn_loop_run r = { start, end };
//                                            for (; r.n < end; r.n = r.stop, r.stop = end) {
//                                                const bn_i64 ahead = bn_run_remainder(&r, r.n + 1, N, 0);
//                                                the loops from r.n to r.stop, with a base pointer for elements at the
//                                                distance `ahead` }
// a[v > 0 ? v - 1 : N - 1]                   ahead = bn_run_choice(&r, r.n, 0, 4, 0) ? -1 : bn_run_single(&r, N - 1);
//
// The functions return how far the index is ahead of v in the run, and shorten the run to where that holds.
#include <algorithm>

#include "lower/local_loop.h"
#include "lower/lowerer.h"

namespace bn::lower {

using ast::Expr;
using namespace sema;

// The name of the distance of an index from the variable; empty if there is no index
std::string Lowerer::follower(LocalLoop& loop, const Expr* index)
{
    if (index == nullptr)
        return "";
    for (const LocalLoop::Follower& one : loop.followers)
        if (is_same_form(one.index.index, index, tokens_))
            return one.name;
    std::optional<RunIndex> found = run_index(index, loop.plan.view_of_runs(tokens_, options_.static_threads));
    loop.followers.push_back({*found, fresh("ahead")});
    return loop.followers.back().name;
}

// The head of the loop over the runs, and what its body declares
Rope Lowerer::from_run_to_run(const LocalLoop& loop, const std::string& run, const std::string& start, const Rope& end)
{
    auto value = [&](const Affine& form) { return rope() << std::to_string(form.constant) << terms_of(form); };
    auto distance = [&](const Affine& form) {
        return form.factor == 1 ? value(form) : rope("bn_run_single(&") << run << ", " << value(form) << ")";
    };
    Rope out = rope("struct bn_loop_run ")
               << run << " = { " << start << ", " << end << " }; for (; " << run << ".n < " << end << "; " << run
               << ".n = " << run << ".stop, " << run << ".stop = " << end << ") { ";
    for (const LocalLoop::Follower& one : loop.followers) {
        const RunIndex& index = one.index;
        bool is_choice = index.relation != 0;
        out << "const bn_i64 " << one.name << " = " << (is_choice ? "bn_run_choice(&" : "bn_run_remainder(&") << run
            << ", " << run << ".n + " << value(index.left) << ", " << value(index.right) << ", ";
        if (is_choice)
            out << index.relation << ", ";
        out << (index.is_unsigned ? "1)" : "0)");
        if (is_choice)
            out << " ? " << distance(index.chosen) << " : " << distance(index.other);
        out << "; ";
    }
    return frozen(out);  // the operands also occur in the body, which may be lowered twice
}

}  // namespace bn::lower
