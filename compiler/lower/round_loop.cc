// round_loop.cc: for loops that go over a thread's own elements, one in each round of all threads.
//
// UPC form                                        C form
// for (i = MYTHREAD; c; i += THREADS) a[i] = 0;   { bn_i64 turn = 0; for (i = MYTHREAD; c; (i += THREADS, turn += 1))
//                                                     own elements of a[turn] = 0; }
//
// i is MYTHREAD + turn * THREADS all the time, so that a[i] is what a[turn*THREADS + MYTHREAD] is (local.cc,
// rounds.cc).

#include "lower/lowerer.h"
#include "lower/rounds.h"

namespace bn::lower {

using ast::Kind;
using ast::Op;
using ast::SimpleStmt;
using namespace sema;

namespace {

// The variable of i += e, i -= e or i = e; null for anything else
const Symbol* assigned_variable(const Expr* e)
{
    bool is_sum = e->kind == Kind::Assign && (e->op == Op::None || e->op == Op::Add || e->op == Op::Sub);
    const Expr* variable = is_sum ? without_parens(e->a) : nullptr;
    return variable != nullptr && variable->kind == Kind::Ident ? variable->symbol : nullptr;
}

// Whether an index of a shared element below `node` contains the variable
bool has_index(const Node* node, const Symbol* variable)
{
    return any_below(*node, [&](const Node& part) {
        return part.kind == Kind::Index && is_shared(static_cast<const Expr&>(part).type) && mentions(&part, variable);
    });
}

bool is_counter(QualType type)
{
    return is_as_wide(type) && !is_shared(type) && !canonical(type).quals.is_volatile;
}

}  // namespace

// nullopt unless the variable is only changed by its steps, all of the same number of whole rounds
std::optional<RoundLoop> Lowerer::round_loop(const SimpleStmt& stmt)
{
    bool has_clauses = stmt.init != nullptr && stmt.step != nullptr;
    if (!options_.passes.local || outermost_function_ == nullptr || outside_ || !has_clauses || is_under_pragma(stmt))
        return std::nullopt;
    LoopView view{nullptr, nullptr, nullptr, &tokens_, options_.static_threads};
    const Expr* step = without_parens(stmt.step);
    const Symbol* variable = assigned_variable(step);
    if (variable == nullptr || !is_counter(variable->type))
        return std::nullopt;
    LoopStart start = start_of(stmt, variable, tokens_);
    if (start.value == nullptr || !start.is_alone || !has_index(stmt.then, variable))
        return std::nullopt;
    auto is_narrowed = [&](const Expr* e) { return size_of(e->type)->bytes > size_of(variable->type)->bytes; };
    if (is_narrowed(start.value) || is_narrowed(step->b))
        return std::nullopt;
    Rounds first(start.value, 1, 1, view);
    Rounds per_step(step->b, 1, 1, view);
    bool is_whole = step->op == Op::None ? per_step.others.size() == 1 && !per_step.others[0].is_negative &&
                                               without_parens(per_step.others[0].value)->symbol == variable
                                         : per_step.others.empty();
    if (!first.is_own() || !is_whole || !first.constant_turns() || !per_step.constant_turns())
        return std::nullopt;
    for (const Node* part : {static_cast<const Node*>(stmt.condition), static_cast<const Node*>(stmt.then)}) {
        Effects effects = part != nullptr ? effects_of(part, tokens_) : Effects{};
        if (effects.cannot_repeat || effects.is_opaque || is_assigned(*variable, effects) ||
            may_change_unseen(*variable, effects, function_effects()))
            return std::nullopt;
    }
    if (function_effects().is_opaque || can_be_reached(*variable, function_effects()))
        return std::nullopt;
    auto* thread = arena_.make<Expr>();
    thread->kind = Kind::MyThread;
    auto* turn = arena_.make<Expr>();
    turn->kind = Kind::Ident;
    set(turn, rope(fresh("turn")));
    return RoundLoop{variable, *first.constant_turns(), *per_step.constant_turns() * (step->op == Op::Sub ? -1 : 1),
                     thread, turn};
}

// A for loop, and the count of its rounds if it goes over own elements
void Lowerer::count_turns(SimpleStmt& stmt)
{
    std::optional<RoundLoop> loop = round_loop(stmt);
    if (!loop) {
        for_loop(stmt);
        return;
    }
    discarded_ = stmt.step;
    lower(stmt.step);
    set(stmt.step,
        rope("(") << self(stmt.step) << ", " << loop->turn << " += " << std::to_string(loop->per_step) << ")");
    round_loops_.push_back(*loop);
    for_loop(stmt);
    round_loops_.pop_back();
    set(&stmt, rope("{ bn_i64 ") << loop->turn << " = " << std::to_string(loop->first) << "; " << self(&stmt) << " }");
}

}  // namespace bn::lower
