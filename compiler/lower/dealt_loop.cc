// dealt_loop.cc: loops over the iterations of a upc_forall that this thread owns.
//
// Dealt out (affinity_loop.h says when; not at -O0): no iteration tests who owns it.  The loops visit only this
// thread's iterations, with `n` the 64-bit copy of v, and with base pointers for the arrays whose elements are then
// known to be local (local.cc).  A loop that counts down counts up over n = -v.  f, k and the step are constant or
// invariant.
// Step of v and affinity, the C form, and the element that the affinity names:
//
// v++;  &a[v+k], cyclic; v+k
//     for (; row < stop; ++row, n += THREADS) { v = n; body }                                        base[row]
// any;  &a[f*v+k], cyclic; f*v+k
//     turns = bn_own_turns(first unit, f * step);
//     for (left = ...; left > 0; --left, n += step * turns.period, row += turns.rows) { ... }        base[row]
// any;  &a[f*v+k], blocks of B
//     for (each own block) for (n = first; n < stop; n += step) { ... }                              base[f * n + k]
// v++;  &a[v+k], blocks of B, and v used in the body only in a[v+k]
//     the same, with all own blocks as one: `if (there is one)` instead of `for`                     base[n + k]
//     (unless the loop may be called from within another upc_forall)
// v++;  &a[v+k], blocks of B, and a[v+k+d] in the body
//     the same in pieces of blocks, chosen so that for each d all a[v+k+d] are in one block  base of d[n + k + d]
// any;  (f*v+k) / B
//     the same, if v is not negative
// any;  (v+k) * THREADS / B
//     the same, with unit number (v+k) * THREADS
// any;  &a[v], indefinite
//     if (MYTHREAD == 0) for (n = ...) { ... }                                                       base[v]
// any;  an affinity that does not depend on v
//     if (test of the affinity) for (n = ...) { ... }
//
// i++, k += 2 is stepped by i, and k is computed from n in each iteration.
//
// x / B % THREADS is x / B, and (x * THREADS) / (B * THREADS) is x / B.
//
// Where another upc_forall may control (`outer` says whether it does), the loops over blocks visit all blocks in order,
// with base pointers into the block of its owner, and iterations that belong to one thread are executed by all.
//
// Otherwise the loops are emitted next to the general form, which runs when the loop is called from within another
// upc_forall, and in any case when a pointer used by the loop does not point to thread 0 and phase 0, when a
// non-constant step or divisor is not positive, when v would exceed the range of its type or of its copy, or when there
// is no iteration and what is evaluated before the loops may divide by zero.
#include <cstdlib>
#include <numeric>

#include "lower/independence.h"
#include "lower/local_loop.h"
#include "lower/loop_numbers.h"
#include "lower/lowerer.h"

namespace bn::lower {

using ast::SimpleStmt;
using namespace sema;
using Owner = AffinityLoop::Owner;

// The loops over this thread's iterations; empty if there are none
Lowerer::Dealt Lowerer::dealt_loop(SimpleStmt& stmt, const std::string& outer, const Indexed* indexed)
{
    Obstacle obstacle;
    std::optional<AffinityLoop> found =
        affinity_loop(stmt, function_effects(), tokens_, options_.static_threads, obstacle);
    if (!found) {
        remark(diag::Id::LoopTested, obstacle.where != nullptr ? obstacle.where : &stmt, {obstacle.reason});
        return {rope(), {}, false};
    }
    LocalLoop loop(*found, outer, indexed, *this);
    Rope guard = found->guard != nullptr ? lowered_copy(found->guard) : rope();
    for (Expr* value : {found->limit, found->step_value, found->block_value})
        lower(value);
    for (const Companion& one : found->companions)
        lower(one.step);
    Rope loops = own_iterations(stmt, loop);
    remark_on_loop(stmt, loop);
    unit_.has_own_loops = true;
    Dealt dealt{loops, LoopNumbers(*found, arena_).conditions(), loop.serves_calls()};
    if (found->guard != nullptr)
        dealt.conditions.insert(dealt.conditions.begin(), rope("(") << guard << ")");
    if (found->pointer != nullptr)
        loop.condition_on(*found->pointer, found->owner == Owner::OneThread);
    for (const std::string& condition : loop.conditions)
        dealt.conditions.push_back(rope(condition));
    return dealt;
}

// What the remark says of the arrays that have base pointers; empty if none has
std::string Lowerer::based_on(const LocalLoop& loop) const
{
    std::set<std::string> names;
    for (const LocalLoop::Base& base : loop.base_list)
        names.insert("'" + std::string(base.object->name) + "'");
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "; plain pointers access the elements of " : ", ") + name;
    return text;
}

void Lowerer::remark_on_loop(const SimpleStmt& stmt, const LocalLoop& loop)
{
    if (loop.plan.is_same_for_all) {
        bool is_mythread = without_parens(stmt.affinity)->kind == ast::Kind::MyThread;
        std::string variable = "'" + std::string(loop.plan.variable->name) + "'";
        remark(is_mythread ? diag::Id::LoopOfAll : diag::Id::LoopOfOne, &stmt, {variable});
        return;
    }
    remark(diag::Id::LoopDealt, &stmt, {based_on(loop)});
}

// The 64-bit unit number of n
Rope Lowerer::unit_number(const LocalLoop& loop, const std::string& copy)
{
    const AffinityLoop& plan = loop.plan;
    int64_t factor = plan.copy_factor();
    if (factor == 1 && !plan.times_threads)
        return rope(copy) << loop.offset_text;
    Rope out = rope();
    if (factor == -1 && !plan.times_threads)
        out << "-" << copy;
    else
        out << LoopNumbers(plan, arena_).factor(factor) << " * " << copy;
    return out << loop.offset_text;
}

// Lowers the body of a loop, with its base pointers
void Lowerer::based_body(SimpleStmt& stmt, LocalLoop& loop)
{
    bool is_forall = stmt.kind == ast::Kind::Forall;
    if (is_forall)
        local_loops_.push_back(&loop);
    else
        all_blocks_ = &loop;
    const Indexed* around = indexed_;
    if (loop.indexed != nullptr)
        indexed_ = loop.indexed;
    lower(stmt.then);
    indexed_ = around;
    if (is_forall)
        local_loops_.pop_back();
    else
        all_blocks_ = nullptr;
}

namespace {

// Whether the sum of steps is computed in the variable's own type, where it overflows only if the program does
bool sums_in_own_type(const Companion& one)
{
    QualType type = one.variable->type;
    auto bytes = [](QualType t) { return size_of(t).value_or(Size{16, false}).bytes; };
    return is_pointer(type) ||
           (!is_unsigned(type) && bytes(type) >= 4 &&
            (one.step == nullptr || (!is_unsigned(one.step->type) && bytes(one.step->type) <= bytes(type))));
}

}  // namespace

// Keeps the first values of the companions.
Rope Lowerer::companions_begin(LocalLoop& loop)
{
    Rope out = rope();
    for (const Companion& one : loop.plan.companions) {
        loop.companion_starts.push_back(fresh_for(*one.variable));
        out << "const __typeof__(" << one.variable->emitted << ") " << loop.companion_starts.back() << " = "
            << one.variable->emitted << "; ";
    }
    return out;
}

// Gives the companions their values where the copy of the variable has come from `start` to `copy`:
// k = (T)(first + steps * by).  Those that the loop declares have none after it.
Rope Lowerer::companions_at(const LocalLoop& loop, const std::string& start, const std::string& copy, bool is_after)
{
    Rope out = rope();
    for (size_t i = 0; i < loop.companion_starts.size(); ++i) {
        const Companion& one = loop.plan.companions[i];
        if (is_after && one.is_declared)
            continue;
        const char* wide = sums_in_own_type(one) ? "(bn_i64)" : "(bn_u64)";
        Rope steps = rope(wide) << "(" << copy << " - " << start << ")" << (loop.step != "1" ? " / " + loop.step : "");
        if (one.step != nullptr)
            steps << " * " << wide << "(" << one.step << ")";
        const char* sign = one.is_negative ? " - " : " + ";
        out << one.variable->emitted << " = ";
        if (is_pointer(one.variable->type))
            out << loop.companion_starts[i] << sign << steps << "; ";
        else
            out << "(" << c_value_type(one.variable->type) << ")(" << wide << loop.companion_starts[i] << sign << steps
                << "); ";
    }
    return out;
}

// What the variable and its companions hold after the loop.  `end` is where it stopped.
Rope Lowerer::variables_after(const LocalLoop& loop, const std::string& start, const Rope& end)
{
    const AffinityLoop& plan = loop.plan;
    Rope last = rope("bn_next_step(") << start << ", " << end << ", " << loop.step << ")";
    Rope out = rope();
    if (!plan.companions.empty()) {
        std::string name = fresh("last");
        out << "const bn_i64 " << name << " = " << last << "; " << companions_at(loop, start, name, true);
        last = rope(name);
    }
    if (!plan.declares_variable)
        out << plan.variable->emitted << " = (" << c_value_type(plan.variable->type) << ")"
            << (plan.counts_down ? "-" : "") << last << "; ";
    return out;
}

Rope Lowerer::own_iterations(SimpleStmt& stmt, LocalLoop& loop)
{
    const AffinityLoop& plan = loop.plan;
    std::string variable(plan.variable->emitted);
    std::string sign = plan.counts_down ? "-" : "";
    Rope type = c_value_type(plan.variable->type);
    std::string start = fresh("start");
    Rope out = rope("const bn_i64 ") << start << " = " << sign << "(bn_i64)" << variable << "; ";
    Rope end = rope("(") << LoopNumbers(plan, arena_).end() << ")";
    std::string next;  // one past the last executed iteration; the limit may have dropped below it
    if (plan.limit_may_change && plan.is_seen_after()) {
        next = fresh("next");
        out << "bn_i64 " << next << " = " << start << "; ";
    } else if (!plan.limit_may_change) {
        std::string name = fresh("end");
        out << "const bn_i64 " << name << " = " << LoopNumbers(plan, arena_).end() << "; ";
        end = rope(name);
    }
    loop.step = plan.step_value == nullptr ? std::to_string(plan.step) : fresh("step");
    if (plan.step_value != nullptr)
        out << "const bn_i64 " << loop.step << " = " << LoopNumbers(plan, arena_).step() << "; ";
    out << companions_begin(loop);
    out << offset_of(loop);

    loop.is_independent =
        options_.passes.independent &&
        (is_called_independent(stmt) ||
         has_independent_iterations(plan, stmt.then, tokens_, options_.static_threads, options_.far_threads));
    based_body(stmt, loop);
    Rope body = rope("{ ") << variable << " = (" << type << ")" << sign << loop.index << "; ";
    if (!next.empty())
        body << next << " = " << loop.index << " + " << loop.step << "; ";
    if (plan.owner == Owner::Cyclic)  // in other loops next_of steps them, as the back end knows it from C
        body << companions_at(loop, start, loop.index, false);
    body << loop.row_pointers << frozen(stmt.then) << " } ";
    bool is_joined = stmt.kind == ast::Kind::Forall && joins_blocks(loop, stmt.then);
    std::string from = start;
    Rope to = end;
    if (!loop.followers.empty()) {
        std::string run = fresh("run");
        out << from_run_to_run(loop, run, start, end);
        from = run + ".n";
        to = rope(run + ".stop");
    }
    forget(stmt.then);

    switch (plan.owner) {
    case Owner::Cyclic:
        out << (plan.copy_factor() == 1 && plan.step == 1 ? own_units(loop, from, to, body)
                                                          : own_turns(loop, from, to, body));
        break;
    case Owner::Blocked: out << own_blocks(loop, from, to, body, is_joined); break;
    case Owner::OneThread: out << own_loop(stmt, loop, from, to, body); break;
    }
    out << (loop.followers.empty() ? "" : "} ");
    if (plan.is_seen_after())
        out << variables_after(loop, start, next.empty() ? end : rope("bn_max(") << end << ", " << next << ")");
    return out;
}

// "++n" or "n += step", in loops over consecutive iterations, and the same for the companions
Rope Lowerer::next_of(const LocalLoop& loop)
{
    Rope out = rope(loop.step == "1" ? "++" + loop.index : loop.index + " += " + loop.step);
    for (const Companion& one : loop.plan.companions) {
        out << ", " << one.variable->emitted << (one.is_negative ? " -= " : " += ");
        out << (one.step != nullptr ? rope("(") << one.step << ")" : rope("1"));
    }
    return out;
}

// Starts the loop that executes the body; a pragma needs a line of its own.
Rope Lowerer::for_of(const LocalLoop& loop)
{
    return rope(loop.is_independent ? "\n#pragma GCC ivdep\n" : "") << "for (; ";
}

// The step to the next iteration of this thread.  A loop may end less than that from the greatest number: one that
// compares the index stops there, and one that counts otherwise does not look at what the last step leaves.
Rope Lowerer::advance(const LocalLoop& loop, const std::string& distance)
{
    std::string sum = loop.plan.limit_may_change ? "bn_ahead" : "bn_wrapping_sum";
    return rope(loop.index) << " = " << sum << "(" << loop.index << ", " << distance << ")";
}

// The unit of an iteration that need not be executed, so that it must not overflow
Rope Lowerer::first_unit(const LocalLoop& loop, const std::string& iteration)
{
    bool is_same = loop.plan.copy_factor() == 1 && !loop.plan.times_threads && loop.offset_text.empty();
    return is_same ? rope(iteration) : rope("(bn_i64)(") << unit_number(loop, "(bn_u64)" + iteration) << ")";
}

// Every THREADS-th unit, in sequence
Rope Lowerer::own_units(const LocalLoop& loop, const std::string& start, const Rope& end, const Rope& body)
{
    const std::string& index = loop.index;
    const std::string& row = loop.row;
    Rope out = rope("bn_i64 ") << index << " = bn_first_cyclic(" << start << ", " << first_unit(loop, start)
                               << "); bn_i64 " << row << " = bn_floor_threads(" << first_unit(loop, index) << "); "
                               << loop.bases;
    if (loop.plan.limit_may_change)
        return out << for_of(loop) << index << " < " << end << "; ++" << row << ", " << advance(loop, "bn_threads()")
                   << ") " << body;
    std::string stop = fresh("stop");  // counted in rows, so that the back end need not know that THREADS is positive
    return out << "const bn_i64 " << stop << " = " << row << " + bn_turns(" << index << ", " << end << "); "
               << for_of(loop) << row << " < " << stop << "; ++" << row << ", " << advance(loop, "bn_threads()") << ") "
               << body;
}

// Units of cyclic layouts that are not consecutive, or that are visited downwards
Rope Lowerer::own_turns(const LocalLoop& loop, const std::string& start, const Rope& end, const Rope& body)
{
    const AffinityLoop& plan = loop.plan;
    const std::string& index = loop.index;
    std::string turns = fresh("turns");
    std::string stride = fresh("stride");
    Rope per_step = LoopNumbers(plan, arena_).factor(plan.copy_factor()) << " * " << loop.step;
    std::string period = turns + ".period";
    std::string rows = turns + ".rows";
    if (plan.step_value == nullptr) {  // evaluate known parts here instead of leaving them to the back end
        int64_t units = plan.copy_factor() * plan.step;
        int64_t common = std::gcd(units, int64_t{options_.static_threads});
        if (options_.static_threads > 0) {
            period = std::to_string(options_.static_threads / common);
            rows = std::to_string(units / common);
        } else if (units == 1 || units == -1) {
            period = "bn_threads()";
            rows = std::to_string(units);
        }
    }
    Rope out = rope("const struct bn_turns ")
               << turns << " = bn_own_turns(" << first_unit(loop, start) << ", " << per_step << "); if (" << turns
               << ".period > 0) { const bn_i64 " << stride << " = " << loop.step << " * " << period << "; bn_i64 "
               << index << " = bn_ahead(" << start << ", " << turns << ".first * " << loop.step << "); bn_i64 "
               << loop.row << " = bn_floor_threads(" << first_unit(loop, index) << "); " << loop.bases;
    Rope next = advance(loop, stride) << ", " << loop.row << " += " << rows << ") " << body << "} ";
    if (plan.limit_may_change)
        return out << for_of(loop) << index << " < " << end << "; " << next;
    std::string left = fresh("left");
    return out << "bn_i64 " << left << " = bn_steps(" << index << ", " << end << ", " << stride << "); " << for_of(loop)
               << left << " > 0; --" << left << ", " << next;
}

// Whether one loop can cover all blocks of this thread, which lie one after the other: the iteration number must not be
// used.
bool Lowerer::joins_blocks(const LocalLoop& loop, const Node* body)
{
    const AffinityLoop& plan = loop.plan;
    return plan.owner == Owner::Blocked && plan.has_units_in_order() && loop.distances.empty() &&
           !plan.limit_may_change && plan.companions.empty() && !can_be_reached(*plan.variable, *plan.function) &&
           !loop.needs_variable(body);
}

// The end of a piece.  For whole blocks the expression shows the back end that they are whole: a count that is
// constant, or known to be even, needs no code for a remainder after the vector loop, which would be a fifth of the
// time of such a loop.
Rope Lowerer::stop_of_piece(const LocalLoop& loop, bool is_joined)
{
    std::string first = loop.row + ".n";
    std::string stop = loop.row + ".stop";
    uint64_t block = loop.plan.block;
    if (!loop.plan.has_whole_blocks || !loop.distances.empty() || (is_joined && block % 2 != 0))
        return rope(stop);
    if (!is_joined)
        return rope(first) << " + " << block;
    return rope(first) << " + (bn_i64)((bn_u64)(" << stop << " - " << first << ") / " << block << " * " << block << ")";
}

// Blocks that are distributed round-robin among the threads
Rope Lowerer::own_blocks(const LocalLoop& loop, const std::string& start, const Rope& end, const Rope& body,
                         bool is_joined)
{
    const AffinityLoop& plan = loop.plan;
    const std::string& index = loop.index;
    const std::string& pieces = loop.row;
    bool is_plain = plan.has_units_in_order();
    Rope block = plan.block_value != nullptr ? rope("(bn_i64)(") << plan.block_value << ")" : rope() << plan.block;
    Rope out = rope("struct bn_blocks ") << pieces << "; ";
    if (!loop.distances.empty()) {
        out << "struct bn_beside " << loop.near << "[] = { ";
        for (const Distance& distance : loop.distances)
            out << "{ " << distance.text() << ", 0, 0 }, ";
        out << "}; ";
    }
    // If the limit may change, the pieces ignore it.
    Rope last = plan.limit_may_change ? rope("(bn_i64)1 << 62") : end;
    const char* form = !is_plain ? "_apart" : is_joined ? "_joined" : loop.distances.empty() ? "" : "_beside";
    bool is_one = is_joined && loop.outer.empty();  // one piece for all blocks: no loop for the back end to analyse
    out << (is_one ? "" : "for (") << "bn_first_piece" << form << "(&" << pieces << ", " << start << ", " << last
        << ", " << loop.offset_number << ", " << block << ", " << (loop.outer.empty() ? "0" : loop.outer);
    if (!is_plain)
        out << ", " << loop.step << ", " << LoopNumbers(plan, arena_).factor(plan.copy_factor());
    else if (!loop.distances.empty())
        out << ", " << loop.near << ", " << loop.distances.size();
    Rope stop = stop_of_piece(loop, is_joined);
    out << "); " << (is_one ? "if (" : "") << pieces << ".n < "
        << (plan.limit_may_change ? end : rope(pieces) << ".stop");
    out << (is_one ? rope() : rope("; bn_next_piece(&") << pieces << ")") << ") { ";
    if (plan.limit_may_change) {
        stop = rope("bn_min(") << end << ", " << stop << ")";
    } else {
        std::string name = fresh("stop");
        out << "const bn_i64 " << name << " = " << stop << "; ";
        stop = rope(name);
    }
    return out << loop.bases << "bn_i64 " << index << " = " << pieces << ".n; "
               << companions_at(loop, start, index, false) << for_of(loop) << index << " < " << stop << "; "
               << next_of(loop) << ") " << body << "} ";
}

// One thread executes all iterations or none
Rope Lowerer::own_loop(SimpleStmt& stmt, const LocalLoop& loop, const std::string& start, const Rope& end,
                       const Rope& body)
{
    const AffinityLoop& plan = loop.plan;
    Rope out = rope("if (") << (loop.outer.empty() ? "" : loop.outer + " || ");
    if (plan.is_same_for_all)
        out << affinity_test(stmt.affinity);
    else if (plan.pointer != nullptr)
        out << "bn_here_pts(" << plan.pointer->emitted << ")";
    else
        out << "bn_mythread() == 0";
    return out << ") { " << loop.bases << "bn_i64 " << loop.index << " = " << start << "; "
               << companions_at(loop, start, loop.index, false) << "for (; " << loop.index << " < " << end << "; "
               << next_of(loop) << ") " << body << "} ";
}

// " + (bn_i64)(k) * 3": what is neither the variable nor constant
Rope Lowerer::terms_of(const Affine& form)
{
    Rope out = rope();
    for (const Affine::Term& term : form.terms) {
        Expr* value = const_cast<Expr*>(term.value);
        lower(value);
        out << " + (bn_i64)(" << value << ")";
        if (term.factor != 1)
            out << " * " << (term.factor < 0 ? "(" + std::to_string(term.factor) + ")" : std::to_string(term.factor));
    }
    return out;
}

// Declares the non-constant part of the offset, and notes how "+ offset" is written.
Rope Lowerer::offset_of(LocalLoop& loop)
{
    const Affine& offset = loop.plan.offset;
    Rope out = rope();
    if (loop.plan.owner == Owner::OneThread)
        return out;
    if (offset.terms.empty() && (!loop.plan.times_threads || offset.constant == 0)) {
        loop.offset_number = std::to_string(offset.constant);
        if (offset.constant != 0)
            loop.offset_text = (offset.constant < 0 ? " - " : " + ") + std::to_string(std::abs(offset.constant));
        return out;
    }
    std::string name = fresh("offset");
    out << "const bn_i64 " << name << " = " << (loop.plan.times_threads ? "bn_threads() * (" : "")
        << std::to_string(offset.constant) << terms_of(offset);
    loop.offset_number = name;
    loop.offset_text = " + " + name;
    return out << (loop.plan.times_threads ? "); " : "; ");
}

}  // namespace bn::lower
