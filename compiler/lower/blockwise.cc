// blockwise.cc: for loops in which one thread goes over the elements of arrays in large blocks.
//
// UPC form                                   C form
// for (init; v < limit; v++) body            { init; for (each block) for (n = first; n < stop; ++n) { v = n; body } }
//   with a[v+k], in blocks of B                base[n + k], with a base pointer into the block of its owner
//
// The loops are those of a upc_forall with the affinity &a[v+k] that runs within another upc_forall (own_loop.cc):
// all blocks in order, in pieces where the body has a[v+k] with several constants k.
#include <algorithm>

#include "lower/own_loop.h"

namespace bn::lower {

using ast::Expr;
using ast::Kind;
using ast::Node;
using ast::SimpleStmt;
using namespace sema;

namespace {

// A quick look, since most loops have no such elements
bool has_blocks(const Node& node)
{
    return any_below(node, [](const Node& part) {
        if (part.kind != Kind::Index)
            return false;
        QualType type = static_cast<const Expr&>(part).type;
        return is_shared(type) && block_size(element_of(type)) > 1;
    });
}

}  // namespace

// The plan of a loop that goes from block to block; nullopt if it stays as it is
std::optional<AffinityLoop> Lowerer::blockwise_plan(const SimpleStmt& stmt)
{
    bool is_wanted = options_.passes.loops && options_.passes.local && !options_.far_threads &&
                     options_.static_threads != 1 && outermost_function_ != nullptr && columns_ == nullptr &&
                     version_.indexed == nullptr && !version_.is_cold && !version_.is_second && !outside_;
    if (!is_wanted || stmt.step == nullptr || !has_blocks(*stmt.then) || is_under_pragma(stmt))
        return std::nullopt;
    std::optional<AffinityLoop> plan = loop_over_blocks(stmt, function_effects(), tokens_, options_.static_threads);
    bool is_always_right = plan && LoopNumbers(*plan, arena_).conditions().empty();
    return is_always_right ? plan : std::nullopt;
}

Rope Lowerer::blockwise(SimpleStmt& stmt)
{
    std::optional<AffinityLoop> plan = blockwise_plan(stmt);
    if (!plan)
        return rope();
    bool is_declaration = stmt.init != nullptr && stmt.init->kind == Kind::Declaration;
    discarded_ = is_declaration ? nullptr : static_cast<Expr*>(stmt.init);
    lower(stmt.init);
    lower(plan->limit);
    Rope out = rope("{ ");
    if (stmt.init != nullptr)
        out << stmt.init << (is_declaration ? " " : "; ");
    OwnLoop loop(*plan, "1", nullptr, *this);
    out << loop.iterations(stmt) << "}";
    stmt.then->visited = true;
    unit_.has_own_loops = true;
    remark(diag::Id::LoopBlockwise, &stmt, {loop.based_on()});
    return out;
}

}  // namespace bn::lower
