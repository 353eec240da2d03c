// dealt_loop.cc: loops over what this thread owns of a upc_forall.
//
// Dealt out (affinity_loop.h says when; not at -O0): no iteration tests who owns it.  The loops go over what this thread owns, with
// `n` the 64-bit copy of v, and with base pointers for the arrays whose elements are then known to be here (local.cc):
//
// &a[v+k], cyclic or k integer  for (; row < rows; ++row, n += THREADS) { v = n; body }           a[v+k] -> base[row]
// &a[v+k], blocks of B          for (nth own block) for (n = first; n < end; ++n) { v = n; body } a[v+k] -> base[n + k]
// &a[v], indefinite             if (MYTHREAD == 0) for (n = ...) { v = n; body }                  a[v]   -> base[n]
//
// They stand beside the general form, which runs when the loop is called from within another upc_forall, or when a pointer that the
// loop uses does not point to thread 0 and phase 0.
#include "lower/local_loop.h"
#include "lower/lowerer.h"

namespace bn::lower {

using ast::SimpleStmt;
using namespace sema;
using Owner = AffinityLoop::Owner;

// "if (nobody controls from outside) { loops over what this thread owns } else "; empty if the loop is not dealt out
Rope Lowerer::dealt_loop(SimpleStmt& stmt, const std::string& outer)
{
    Obstacle obstacle;
    if (!function_effects_)
        function_effects_ = effects_of(outermost_function_, tokens_);
    std::optional<AffinityLoop> found = affinity_loop(stmt, *function_effects_, tokens_, options_.static_threads, obstacle);
    if (found && found->owner == Owner::Cyclic && found->step != 1) {
        obstacle = {"it goes in steps of " + std::to_string(found->step) + ", and neighbouring iterations belong to different threads",
                    stmt.step};
        found = std::nullopt;
    }
    if (!found) {
        remark(diag::Id::LoopTested, obstacle.where != nullptr ? obstacle.where : &stmt, {obstacle.reason});
        return rope();
    }
    LocalLoop loop(*found, *this);
    lower(found->limit);
    Rope loops = own_iterations(stmt, loop);
    remark_on_loop(stmt, loop);
    Rope out = rope("if (") << outer << " == 0";
    if (found->pointer != nullptr)
        loop.condition_on(*found->pointer, found->owner == Owner::OneThread);
    for (const std::string& condition : loop.conditions)
        out << " && " << condition;
    return out << ") { " << loops << "} else ";
}

void Lowerer::remark_on_loop(const SimpleStmt& stmt, const LocalLoop& loop)
{
    std::set<std::string> names;
    for (const LocalLoop::Base& base : loop.base_list)
        names.insert("'" + std::string(base.object->name) + "'");
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "; plain pointers reach the elements of " : ", ") + name;
    remark(diag::Id::LoopDealt, &stmt, {text});
}

// The text of v + offset in 64 bits
Rope Lowerer::unit_number(const LocalLoop& loop, const std::string& variable)
{
    return rope(variable) << loop.offset_text;
}

// The limit in 64 bits, exclusive
Rope Lowerer::limit_of(const AffinityLoop& plan)
{
    Rope out = rope("(bn_i64)");
    if (plan.compares_unsigned)
        out << "(__typeof__(" << plan.variable->emitted << " + (" << plan.limit << ")))";
    return out << "(" << plan.limit << ")" << (plan.is_inclusive ? " + 1" : "");
}

Rope Lowerer::own_iterations(SimpleStmt& stmt, LocalLoop& loop)
{
    const AffinityLoop& plan = loop.plan;
    std::string variable(plan.variable->emitted);
    Rope type = c_value_type(plan.variable->type);
    std::string start = fresh("start");
    Rope out = rope("const bn_i64 ") << start << " = (bn_i64)" << variable << "; ";
    Rope end = rope("(") << limit_of(plan) << ")";
    std::string next;   // one past the last iteration that was executed, where the limit may have sunk below it
    if (plan.limit_may_change && !plan.declares_variable) {
        next = fresh("next");
        out << "bn_i64 " << next << " = " << start << "; ";
    } else if (!plan.limit_may_change) {
        std::string name = fresh("end");
        out << "const bn_i64 " << name << " = " << limit_of(plan) << "; ";
        end = rope(name);
    }
    out << offset_of(loop);

    local_loops_.push_back(&loop);
    lower(stmt.then);
    local_loops_.pop_back();
    Rope body = rope("{ ") << variable << " = (" << type << ")" << loop.index << "; ";
    if (!next.empty())
        body << next << " = " << loop.index << " + " << static_cast<uint64_t>(plan.step) << "; ";
    body << frozen(stmt.then) << " } ";
    forget(stmt.then);

    out << own_loop(loop, start, end, body);
    if (!plan.declares_variable)
        out << variable << " = (" << type << ")bn_next_step(" << start << ", "
            << (next.empty() ? end : rope("bn_max(") << end << ", " << next << ")") << ", " << static_cast<uint64_t>(plan.step) << "); ";
    return out;
}

Rope Lowerer::own_loop(const LocalLoop& loop, const std::string& start, const Rope& end, const Rope& body)
{
    const AffinityLoop& plan = loop.plan;
    const std::string& index = loop.index;
    const std::string& row = loop.row;
    std::string step = plan.step == 1 ? "++" + index : index + " += " + std::to_string(plan.step);
    Rope out = rope();
    switch (plan.owner) {
    case Owner::Cyclic: {
        out << "bn_i64 " << index << " = bn_first_cyclic(" << unit_number(loop, start) << ")" << loop.minus_offset_text << "; bn_i64 " << row
            << " = bn_floor_threads(" << unit_number(loop, index) << "); " << loop.bases;
        if (plan.limit_may_change)
            return out << "for (; " << index << " < " << end << "; ++" << row << ", " << index << " += bn_threads()) " << body;
        std::string stop = fresh("stop");   // counted in rows, lest the back end must know that THREADS is positive
        return out << "const bn_i64 " << stop << " = " << row << " + bn_turns(" << index << ", " << end << "); for (; " << row << " < " << stop
                   << "; ++" << row << ", " << index << " += bn_threads()) " << body;
    }
    case Owner::Blocked: {
        Rope stop = rope("bn_min(") << end << ", (" << row << " + 1) * " << plan.block << loop.minus_offset_text << ")";
        out << "bn_i64 " << row << "; for (" << row << " = bn_first_block(" << unit_number(loop, start) << ", " << plan.block << "); " << row
            << " * " << plan.block << " < " << end << loop.offset_text << "; " << row << " += bn_threads()) { ";
        if (!plan.limit_may_change) {
            std::string name = fresh("stop");
            out << "const bn_i64 " << name << " = " << stop << "; ";
            stop = rope(name);
        }
        return out << loop.bases << "bn_i64 " << index << " = bn_next_step(" << start << ", " << row << " * " << plan.block
                   << loop.minus_offset_text << ", " << static_cast<uint64_t>(plan.step) << "); for (; " << index << " < " << stop << "; "
                   << step << ") " << body << "} ";
    }
    case Owner::OneThread:
        out << "if (" << (plan.pointer != nullptr ? "bn_here_pts(" + std::string(plan.pointer->emitted) + ")" : "bn_mythread() == 0")
            << ") { " << loop.bases << "bn_i64 " << index << " = " << start << "; for (; " << index << " < " << end << "; " << step << ") "
            << body << "} ";
        break;
    }
    return out;
}

// Declares the part of the offset that is no constant, and notes how v + offset and - offset are written.
Rope Lowerer::offset_of(LocalLoop& loop)
{
    const Affine& offset = loop.plan.offset;
    Rope out = rope();
    if (loop.plan.owner == Owner::OneThread)
        return out;
    if (offset.terms.empty()) {
        if (offset.constant != 0) {
            loop.offset_text = " + " + std::to_string(offset.constant);
            loop.minus_offset_text = " - " + std::to_string(offset.constant);
            if (offset.constant < 0) {
                loop.offset_text = " - " + std::to_string(-offset.constant);
                loop.minus_offset_text = " + " + std::to_string(-offset.constant);
            }
        }
        return out;
    }
    std::string name = fresh("offset");
    out << "const bn_i64 " << name << " = " << std::to_string(offset.constant);
    for (const Affine::Term& term : offset.terms) {
        Expr* value = const_cast<Expr*>(term.value);
        lower(value);
        out << " + (bn_i64)(" << value << ")";
        if (term.factor != 1)
            out << " * " << (term.factor < 0 ? "(" + std::to_string(term.factor) + ")" : std::to_string(term.factor));
    }
    loop.offset_text = " + " + name;
    loop.minus_offset_text = " - " + name;
    return out << "; ";
}

// A copy of a lowered tree that stays as it is when the tree is lowered again
Node* Lowerer::frozen(const Node* node)
{
    Node* copy = self(node);
    if (!node->touched)
        return copy;
    if (node->lowered != nullptr) {
        ast::Lowered* lowered = arena_.make<ast::Lowered>();
        for (const ast::Piece& piece : node->lowered->pieces)
            lowered->pieces.push_back({piece.text, piece.node != nullptr ? frozen(piece.node) : nullptr});
        copy->lowered = lowered;
        return copy;
    }
    std::vector<Node*> children;
    for (const Node* child : node->children)
        children.push_back(frozen(child));
    copy->children = arena_.copy(children);
    return copy;
}

// Makes a tree as it was before it was lowered.
void Lowerer::forget(Node* node)
{
    node->visited = false;
    node->touched = false;
    node->lowered = nullptr;
    for (Node* child : node->children)
        forget(child);
}

}  // namespace bn::lower
