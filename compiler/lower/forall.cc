// forall.cc: upc_forall.
//
// UPC form                                   C form
// upc_forall (i; c; s; e) body               { int outer __attribute__((cleanup(bn_forall_leave))) = bn_forall_enter();
//                                              for (i; c; s) if (outer | (test of e)) { body } }
// the same where nothing inside uses         { const int outer = bn_forall_depth;
// the depth, optimised                         for (i; c; s) if (outer | (test of e)) { body } }
// upc_forall (i; c; s; continue) body        for (i; c; s) body
// setjmp(e), to which a longjmp may come     ({ const volatile int outer = bn_forall_depth;
// from within a upc_forall                      bn_forall_back(outer, setjmp(e)); })
// the same inside another one, in the same function, where e has no effects: for (i; c; s) body
//
// These forms are emitted next to the loops over this thread's iterations (own_loop.cc), if there are any.  Where
// those are correct whenever the call is not within a upc_forall, the general form executes all iterations, and
// accesses elements by calls so that the back end compiles it quickly.  The general form is omitted where no upc_forall
// can be around the loop (nesting.h), and where the loops over blocks, or over data that lies on one thread, execute
// all iterations if another upc_forall controls.
#include <algorithm>

#include "ast/setjmp.h"
#include "lower/nesting.h"
#include "lower/own_loop.h"
#include "lower/restored.h"

namespace bn::lower {

using ast::Kind;
using ast::SimpleStmt;
using namespace sema;

// Test of the affinity expression; evaluated in every iteration (facts 1.12)
Rope Lowerer::affinity_test(Expr* affinity)
{
    if (!is_pts_value(*affinity)) {
        lower(affinity);
        std::optional<Size> size = size_of(affinity->type);
        bool is_wide_unsigned = is_unsigned(affinity->type) && size && size->bytes >= 8;
        if ((size && size->bytes > 8) || kind(affinity->type) == TypeKind::BitInt)
            return rope("bn_here_int((bn_i64)((") << affinity << ") % bn_threads()))";
        return rope(is_wide_unsigned ? "bn_here_uint(" : "bn_here_int(") << affinity << ")";
    }
    Address where = address(affinity);
    uint64_t block = block_size(where.element);
    if (where.object == nullptr || is_generic_pts(value_type(*affinity)))
        return rope("bn_here_pts(") << reference(where) << ")";
    if (where.index.empty())
        return rope("bn_mythread() == 0");
    if (block == 0)
        return rope("bn_here_pts(") << reference(where) << ")";
    Rope out = rope(block == 1 ? "bn_owner_cyclic((bn_u64)(" : "bn_owner_block((bn_u64)(") << where.index << ")";
    if (block > 1)
        out << ", " << block;
    return out << ") == bn_mythread()";
}

// "for (init; condition; step) "; the init precedes the loop if there are several declarators or skip_init is set
Rope Lowerer::loop_head(SimpleStmt& stmt, bool skip_init)
{
    Rope out = rope("for (");
    bool is_declaration = stmt.init != nullptr && stmt.init->kind == Kind::Declaration;
    if (stmt.init != nullptr && !skip_init)
        out << stmt.init;
    if (!is_declaration || skip_init)
        out << ";";
    truth(stmt.condition);
    if (stmt.condition != nullptr)
        out << " " << static_cast<Node*>(stmt.condition);
    out << ";";
    discarded_ = stmt.step;
    lower(stmt.step);
    if (stmt.step != nullptr)
        out << " " << static_cast<Node*>(stmt.step);
    return out << ") ";
}

// Whether the function being lowered is never called from within a upc_forall
bool Lowerer::always_controls()
{
    if (!options_.passes.loops || outermost_function_ == nullptr)
        return false;
    if (!outside_foralls_)
        outside_foralls_ = functions_outside_foralls(unit_, tokens_);
    return outside_foralls_->contains(outermost_function_->symbol);
}

// Whether anything in the loop may read bn_forall_depth: a called function or a controlled inner loop
bool Lowerer::needs_depth(const SimpleStmt& stmt)
{
    auto looks = [&](const Node& node) {
        const auto* inner = node.kind == Kind::Forall ? static_cast<const SimpleStmt*>(&node) : nullptr;
        return inner != nullptr && inner->affinity != nullptr && !has_no_effects(inner->affinity, tokens_);
    };
    Effects effects = effects_of(&stmt, tokens_);
    return effects.calls || effects.is_opaque ||
           std::any_of(stmt.children.begin(), stmt.children.end(),
                       [&](const Node* child) { return any_below(*child, looks); });
}

void Lowerer::remark_on_loop(const SimpleStmt& stmt, const OwnLoop& loop)
{
    if (loop.plan.is_same_for_all) {
        bool is_mythread = without_parens(stmt.affinity)->kind == Kind::MyThread;
        std::string variable = "'" + std::string(loop.plan.variable->name) + "'";
        remark(is_mythread ? diag::Id::LoopOfAll : diag::Id::LoopOfOne, &stmt, {variable});
        return;
    }
    remark(diag::Id::LoopDealt, &stmt, {loop.based_on()});
}

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
    OwnLoop loop(*found, outer, indexed, *this);
    Rope guard = found->guard != nullptr ? lowered_copy(found->guard) : rope();
    for (Expr* value : {found->limit, found->step_value, found->block_value})
        lower(value);
    for (const Companion& one : found->companions)
        lower(one.step);
    Rope loops = loop.iterations(stmt);
    remark_on_loop(stmt, loop);
    unit_.has_own_loops = true;
    Dealt dealt{loops, loop.conditions(), loop.serves_calls()};
    if (found->guard != nullptr)
        dealt.conditions.insert(dealt.conditions.begin(), rope("(") << guard << ")");
    return dealt;
}

void Lowerer::forall(SimpleStmt& stmt)
{
    bool has_affinity = stmt.affinity != nullptr;
    // The outer loop controls: no iteration of this one is skipped, and calls in it are inside a upc_forall anyway.
    bool is_inner =
        has_affinity && foralls_around_ > 0 && options_.passes.loops && has_no_effects(stmt.affinity, tokens_);
    bool is_declaration = stmt.init != nullptr && stmt.init->kind == Kind::Declaration;
    bool is_controlled = has_affinity && !is_inner;
    bool is_outermost = is_controlled && foralls_around_ == 0 && always_controls();
    Rope out = rope("{ ");
    std::string outer = fresh("outer");
    if (is_controlled && (!options_.passes.loops || needs_depth(stmt)))
        out << "int " << outer << " __attribute__((cleanup(bn_forall_leave))) = bn_forall_enter(); ";
    else if (is_controlled && !is_outermost)
        out << "const int " << outer << " = bn_forall_depth; ";
    if (is_inner)
        remark(diag::Id::LoopInner, &stmt);
    discarded_ = is_declaration ? nullptr : static_cast<Expr*>(stmt.init);
    lower(stmt.init);
    Dealt dealt{rope(), {}, false};
    Restored foralls(foralls_around_, foralls_around_ + (has_affinity ? 1 : 0));
    Rope pointers = rope();
    if (is_controlled && options_.passes.loops && foralls_around_ == 1 && !is_shared_out(stmt)) {
        std::vector<MemberPointer> members = member_pointers(stmt, function_effects(), tokens_);
        pointers = bind(members, stmt);
        // other threads' elements may be far
        dealt = indexed_forall(stmt, is_outermost || options_.far_threads ? "" : outer);
        unbind(members);
    }
    bool is_dealt = !dealt.loops.empty();
    bool is_for_calls = is_dealt && dealt.conditions.empty();  // the general form runs only within another upc_forall
    bool is_alone = is_for_calls && (is_outermost || dealt.serves_calls);
    bool init_outside = is_dealt || (is_declaration && stmt.init->lowered != nullptr);
    if (init_outside && stmt.init != nullptr)
        out << stmt.init << (is_declaration ? " " : "; ");
    if (is_dealt)
        out << pointers << dealt_form(dealt, is_outermost || is_alone ? "" : outer);
    Restored version(version_);
    version_.is_cold |= is_for_calls;
    version_.is_second |= is_dealt;
    version_.is_beside_dealt |= is_dealt;
    Rope pragmas = take_loop_pragmas(stmt);
    if (is_alone)
        out << "}";
    else
        out << pragmas << general_form(stmt, init_outside, is_controlled && !is_for_calls, is_outermost ? "" : outer)
            << " }";
    set(&stmt, out);
}

// "if (no outer loop controls && further conditions) { loops over this thread's iterations } else "
Rope Lowerer::dealt_form(const Dealt& dealt, const std::string& outer)
{
    Rope condition = rope();
    if (!outer.empty())
        condition << outer << " == 0";
    for (const Rope& one : dealt.conditions)
        condition << (condition.empty() ? "" : " && ") << one;
    Rope loops = rope("{ ") << dealt.loops << "} ";
    return condition.empty() ? loops : rope("if (") << condition << ") " << loops << "else ";
}

// All iterations, each with an affinity test unless all are known to be executed
Rope Lowerer::general_form(SimpleStmt& stmt, bool skip_init, bool is_tested, const std::string& outer)
{
    Rope out = loop_head(stmt, skip_init);
    if (is_tested) {
        Rope test = affinity_test(stmt.affinity);
        out << "if (" << (outer.empty() ? test : rope(outer) << " | (" << test << ")") << ") { ";
    }
    lower(stmt.then);
    return out << body_with_pragmas(stmt) << (is_tested ? " }" : "");
}

// Lowers a call of setjmp; returns false for others
bool Lowerer::setjmp_call(Expr& call)
{
    const Expr* callee = without_parens(call.a);
    if (callee->kind != Kind::Ident || callee->symbol == nullptr || !in_function_ ||
        callee->symbol->kind != Symbol::Kind::Function || !ast::is_setjmp(callee->symbol->name))
        return false;
    lower_children(&call);
    std::string outer = fresh("outer");
    set(&call, rope("(__extension__ ({ const volatile int ")
                   << outer << " = bn_forall_depth; bn_forall_back(" << outer << ", " << self(&call) << "); }))");
    return true;
}

}  // namespace bn::lower
