// outline.cc: computes addresses by calls where few are needed, outside the loops of all threads.  Calls take a quarter
// of the back end's time or less; the few extra nanoseconds per address at run time do not matter next to a barrier
// (docs/design/008-loops.md).
//
// UPC form                 C form
// in main, or in a function that has a barrier or a upc_forall and no labels, outside all loops or in loops with few
// iterations, for (i = 0; i < 4; i++):
// a[i]                     (*(T *)bn_outlined_elem_block(a, i, B, sizeof(E))), bn_outlined_elem_cyclic
// &a[i], p + i, p[i], p++  bn_outlined_add_block(p, i, B, sizeof(E)), p being bn_start(a); bn_outlined_add_cyclic
//
// At -O0 addresses are computed by calls everywhere: the runtime is optimised, so its arithmetic is faster, including
// the call, than inlined code.
//
// The first clause of a for is outside the loop.  Addresses stay inline everywhere else, because other functions may be
// called in a loop, and where the index is a number.
#include <algorithm>

#include "lower/affine.h"
#include "lower/lowerer.h"

namespace bn::lower {

using ast::Kind;
using ast::Node;
using ast::SimpleStmt;
using namespace sema;

namespace {

bool is_collective(const Node& node)
{
    bool is_barrier = node.kind == Kind::Barrier || node.kind == Kind::Notify || node.kind == Kind::Wait;
    return is_barrier || (node.kind == Kind::Forall && static_cast<const SimpleStmt&>(node).affinity != nullptr);
}

// With a goto, or in unparsed text, there may be loops that do not look like loops.
bool may_jump(const Node& node)
{
    return node.kind == Kind::Label || node.kind == Kind::Opaque;
}

constexpr int64_t kFewTurns = 16;

// Whether v++ occurs in the last clause, alone or among others
bool counts_up(const ast::Expr* step, const Symbol* variable)
{
    return std::ranges::any_of(parts_of(step), [&](const ast::Expr* e) {
        bool is_increment = e->kind == Kind::Unary && (e->op == ast::Op::PreInc || e->op == ast::Op::PostInc);
        return is_increment && is_name(e->a, variable);
    });
}

// The number of iterations of for (v = C; v < D; v++); 0 if it is not obvious, or large
int64_t few_turns(const SimpleStmt& stmt, const LoopView& view)
{
    if (stmt.kind != Kind::For || stmt.condition == nullptr || stmt.step == nullptr)
        return 0;
    const ast::Expr* condition = without_parens(stmt.condition);
    bool is_limit = condition->kind == Kind::Binary && (condition->op == ast::Op::Lt || condition->op == ast::Op::Le);
    const Symbol* variable = is_limit ? without_parens(condition->a)->symbol : nullptr;
    if (variable == nullptr || !is_name(condition->a, variable) || !counts_up(stmt.step, variable))
        return 0;
    const ast::Expr* start = start_of(stmt, variable, *view.tokens).value;
    std::optional<int64_t> first = start != nullptr ? literal_value(start, view) : std::nullopt;
    std::optional<int64_t> limit = literal_value(condition->b, view);
    if (!first || !limit || *first < 0 || *limit < *first || *limit - *first > kFewTurns)
        return 0;
    return *limit - *first + (condition->op == ast::Op::Le);
}

}  // namespace

// Whether code outside the function's loops is executed rarely
bool Lowerer::is_phase(const ast::FunctionDef& def) const
{
    bool is_main = def.symbol != nullptr && def.symbol->name == "main";
    return options_.passes.outline && (is_main || any_below(def, is_collective)) && !any_below(def, may_jump);
}

// Enters a loop: all of it except the first clause then counts with the loop's number of iterations.
void Lowerer::enter_loop(SimpleStmt& stmt)
{
    if (turns_ != 0 && stmt.init != nullptr) {
        discarded_ = stmt.init->kind != Kind::Declaration ? static_cast<ast::Expr*>(stmt.init) : nullptr;
        lower(stmt.init);
    }
    int64_t turns = turns_ * few_turns(stmt, {nullptr, nullptr, nullptr, &tokens_, options_.static_threads});
    turns_ = turns <= kFewTurns ? turns : 0;
}

bool Lowerer::is_variable(const ast::Expr* index) const
{
    return !literal_value(index, {nullptr, nullptr, nullptr, &tokens_, options_.static_threads});
}

bool Lowerer::is_rare(bool has_variable) const
{
    return turns_ != 0 && has_variable && !outside_;
}

// "outlined_" if the address is to be computed by a call, otherwise ""
const char* Lowerer::outlined(bool has_variable) const
{
    return is_rare(has_variable) || options_.calls_for_addresses ? "outlined_" : "";
}

}  // namespace bn::lower
