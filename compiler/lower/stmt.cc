// stmt.cc: statements.
//
// UPC form                                   C form
// upc_forall (i; c; s; e) body               { int outer __attribute__((cleanup(bn_forall_leave))) = bn_forall_enter();
//                                              for (i; c; s) if (outer | (test of e)) { body } }
// upc_forall (i; c; s; continue) body        for (i; c; s) body
// upc_barrier; upc_barrier e;                bn_barrier(); bn_barrier_value(e);      notify and wait alike
// upc_fence;                                 bn_fence();
// if (p), while (p), ... with a PTS p        if ((p).addr != 0)
#include "lower/lowerer.h"

namespace bn::lower {

using ast::Kind;
using ast::SimpleStmt;
using namespace sema;

// Affinity of an expression; evaluated in every iteration (facts 1.12)
Rope Lowerer::affinity_test(Expr* affinity)
{
    if (!is_pts_value(*affinity)) {
        lower(affinity);
        std::optional<Size> size = size_of(affinity->type);
        bool is_wide_unsigned = is_unsigned(affinity->type) && size && size->bytes >= 8;
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

void Lowerer::forall(SimpleStmt& stmt)
{
    bool has_affinity = stmt.affinity != nullptr;
    Rope out = rope();
    std::string outer = fresh("outer");
    out << "{ ";
    if (has_affinity)
        out << "int " << outer << " __attribute__((cleanup(bn_forall_leave))) = bn_forall_enter(); ";
    bool is_declaration = stmt.init != nullptr && stmt.init->kind == Kind::Declaration;
    lower(stmt.init);
    bool init_outside = is_declaration && stmt.init->lowered != nullptr;
    if (init_outside)
        out << stmt.init << " ";
    out << "for (";
    if (stmt.init != nullptr && !init_outside)
        out << stmt.init;
    if (!is_declaration || init_outside)
        out << ";";
    truth(stmt.condition);
    if (stmt.condition != nullptr)
        out << " " << stmt.condition;
    out << ";";
    discarded_ = stmt.step;
    lower(stmt.step);
    if (stmt.step != nullptr)
        out << " " << stmt.step;
    out << ") ";
    if (has_affinity)
        out << "if (" << outer << " | (" << affinity_test(stmt.affinity) << ")) { ";
    lower(stmt.then);
    out << static_cast<Node*>(stmt.then) << (has_affinity ? " } }" : " }");
    set(&stmt, out);
}

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

void Lowerer::statement(SimpleStmt& stmt)
{
    switch (stmt.kind) {
    case Kind::Forall: forall(stmt); return;
    case Kind::Barrier:
    case Kind::Notify:
    case Kind::Wait: barrier(stmt); return;
    case Kind::ExprStmt:
        discarded_ = &stmt != value_statement_ ? stmt.value : nullptr;
        break;
    case Kind::Fence: set(&stmt, rope("bn_fence();")); return;
    case Kind::If:
    case Kind::While:
    case Kind::DoWhile:
        truth(stmt.condition);
        break;
    case Kind::For: {
        truth(stmt.condition);
        discarded_ = stmt.step;
        lower_children(&stmt);
        // Declarators of one declaration can become several in C: they move in front of the loop.
        if (stmt.init != nullptr && stmt.init->kind == Kind::Declaration && stmt.init->lowered != nullptr) {
            Node* init = self(stmt.init);
            set(stmt.init, rope(";"));
            set(&stmt, rope("{ ") << init << " " << self(&stmt) << " }");
        }
        return;
    }
    default:
        break;
    }
    lower_children(&stmt);
}

}  // namespace bn::lower
