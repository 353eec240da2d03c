// forall.cc: upc_forall.
//
// UPC form                                   C form
// upc_forall (i; c; s; e) body               { int outer __attribute__((cleanup(bn_forall_leave))) = bn_forall_enter();
//                                              for (i; c; s) if (outer | (test of e)) { body } }
// upc_forall (i; c; s; continue) body        for (i; c; s) body
// the same inside another one, in the same function, where e has no effects: for (i; c; s) body
//
// They stand beside the loops over what this thread owns (dealt_loop.cc), if there are any.
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

// "for (init; condition; step) "; the init stands before the loop if there are several declarators or skip_init is set
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
        out << " " << stmt.condition;
    out << ";";
    discarded_ = stmt.step;
    lower(stmt.step);
    if (stmt.step != nullptr)
        out << " " << stmt.step;
    return out << ") ";
}

void Lowerer::forall(SimpleStmt& stmt)
{
    bool has_affinity = stmt.affinity != nullptr;
    // The outer loop controls: no iteration of this one is left out, and what it calls is inside a upc_forall anyhow.
    bool is_inner = has_affinity && foralls_around_ > 0 && options_.passes.loops && has_no_effects(stmt.affinity, tokens_);
    bool is_declaration = stmt.init != nullptr && stmt.init->kind == Kind::Declaration;
    bool is_controlled = has_affinity && !is_inner;
    Rope out = rope("{ ");
    std::string outer = fresh("outer");
    if (is_controlled)
        out << "int " << outer << " __attribute__((cleanup(bn_forall_leave))) = bn_forall_enter(); ";
    if (is_inner)
        remark(diag::Id::LoopInner, &stmt);
    discarded_ = is_declaration ? nullptr : static_cast<Expr*>(stmt.init);
    lower(stmt.init);
    Rope dealt = rope();
    foralls_around_ += has_affinity ? 1 : 0;
    if (is_controlled && options_.passes.loops && foralls_around_ == 1)
        dealt = dealt_loop(stmt, outer);
    bool init_outside = !dealt.empty() || (is_declaration && stmt.init->lowered != nullptr);
    if (init_outside && stmt.init != nullptr)
        out << stmt.init << (is_declaration ? " " : "; ");
    out << dealt << loop_head(stmt, init_outside);
    if (is_controlled)
        out << "if (" << outer << " | (" << affinity_test(stmt.affinity) << ")) { ";
    lower(stmt.then);
    foralls_around_ -= has_affinity ? 1 : 0;
    out << static_cast<Node*>(stmt.then) << (is_controlled ? " } }" : " }");
    set(&stmt, out);
}

}  // namespace bn::lower
