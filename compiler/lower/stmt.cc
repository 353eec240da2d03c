// stmt.cc: statements.
//
// UPC form                                   C form
// upc_barrier; upc_barrier e;                bn_barrier(); bn_barrier_value(e);      notify and wait alike
// upc_fence;                                 bn_fence();
// if (p), while (p), ... with a PTS p        if ((p).addr != 0)
// while, do and for whose iterations are settled if the loop is entered settled (fences.h)     { bn_fence(); while
// (...) ... }
#include "lower/lowerer.h"

namespace bn::lower {

using ast::Kind;
using ast::SimpleStmt;
using namespace sema;

void Lowerer::barrier(SimpleStmt& stmt)
{
    std::string_view name = stmt.kind == Kind::Barrier ? "barrier" : stmt.kind == Kind::Notify ? "notify" : "wait";
    Rope out = rope(options_.checks ? "bn_check_" : "bn_") << name;
    if (stmt.value == nullptr) {
        set(&stmt, out << "(" << (options_.checks ? place_in_source(&stmt) : rope()) << ");");
        return;
    }
    lower(stmt.value);
    out << "_value((int)(" << stmt.value << ")";
    if (options_.checks)
        out << at(&stmt);
    set(&stmt, out << ");");
}

// for (...) body -> for (...) { T *const row = address; body }, where accesses in the body need row pointers (local.cc)
void Lowerer::for_body(SimpleStmt& stmt, ForLoop& loop)
{
    if (!options_.passes.local || options_.far_threads || outermost_function_ == nullptr)
        return;
    for_loops_.push_back(std::move(loop));
    lower(stmt.then);
    loop = std::move(for_loops_.back());
    for_loops_.pop_back();
    if (!loop.declarations.empty())
        set(stmt.then, rope("{ ") << loop.declarations << self(stmt.then) << " }");
}

void Lowerer::for_loop(SimpleStmt& stmt)
{
    if (Rope blocks = blockwise(stmt); !blocks.empty()) {
        set(&stmt, blocks);
        return;
    }
    Rope first_loop = columns(stmt);
    if (stmt.init != nullptr && stmt.init->kind != Kind::Declaration)
        discarded_ = static_cast<ast::Expr*>(stmt.init);
    lower(stmt.init);
    truth(stmt.condition);
    discarded_ = stmt.step;
    lower(stmt.step);
    std::optional<Strip> strip = strip_of(stmt);
    if (strip)
        strips_.push_back(&*strip);
    ForLoop loop(&stmt, arena_);
    for_body(stmt, loop);
    lower_children(&stmt);
    if (strip) {
        strips_.pop_back();
        set(stmt.then, rope("{ ") << strip_fetch(*strip, stmt) << self(stmt.then) << " }");
        stmt.touched = true;
    }
    if (is_unrolled(stmt))
        set(&stmt, rope("\n#pragma GCC unroll 4\n") << self(&stmt));
    if (!first_loop.empty() && stmt.init != nullptr) {
        bool is_declaration = stmt.init->kind == Kind::Declaration;
        first_loop = rope() << self(stmt.init) << (is_declaration ? " " : "; ") << first_loop;
        set(stmt.init, rope(is_declaration ? ";" : " "));
    }
    if (!first_loop.empty())
        set(&stmt, rope("{ ") << first_loop << self(&stmt) << " }");
    else if (!loop.fits.empty())
        set(&stmt, in_rows(stmt, loop));
    // One declaration may become several in C: they move before the loop.
    else if (stmt.init != nullptr && stmt.init->kind == Kind::Declaration && stmt.init->lowered != nullptr) {
        Node* init = self(stmt.init);
        set(stmt.init, rope(";"));
        set(&stmt, rope("{ ") << init << " " << take_loop_pragmas(stmt) << self(&stmt) << " }");
    }
    if (strip)
        loop.before = strip_declarations(*strip);
    if (!loop.before.empty())
        set(&stmt, rope("{ ") << loop.before << self(&stmt) << " }");
}

void Lowerer::statement(SimpleStmt& stmt)
{
    switch (stmt.kind) {
    case Kind::Forall: in_loop(stmt); return;
    case Kind::Barrier:
    case Kind::Notify:
    case Kind::Wait: barrier(stmt); return;
    case Kind::ExprStmt: discarded_ = &stmt != value_statement_ ? stmt.value : nullptr; break;
    case Kind::Fence: set(&stmt, rope("bn_fence();")); return;
    case Kind::If: truth(stmt.condition); break;
    case Kind::While:
    case Kind::DoWhile:
    case Kind::For: in_loop(stmt); break;
    default: break;
    }
    lower_children(&stmt);
    if (fences_.loops.contains(&stmt))
        set(&stmt, rope("{ bn_fence(); ") << take_loop_pragmas(stmt) << self(&stmt) << " }");
}

}  // namespace bn::lower
