// outline.cc: addresses that are computed once beside loops of all threads.  They are calls, which take the back end a
// quarter of the time or less; that the program takes some nanoseconds longer for one does not count beside a barrier
// (docs/design/008-loops.md).
//
// UPC form                                C form
// outside of all loops of main, or of a function that has a barrier or a upc_forall and no labels:
// a[i]                                    (*(T *)bn_outlined_elem_block(a, i, B, sizeof(E))), bn_outlined_elem_cyclic
// &a[i], p + i, p[i]                      bn_outlined_add_block(p, i, B, sizeof(E)), p bn_start(a);
// bn_outlined_add_cyclic
//
// At -O0 they are calls everywhere: the runtime is optimised, and its arithmetic with the call faster than what is
// inlined.
//
// The first clause of a for stands outside of it.  Addresses stay inline everywhere else, since other functions may be
// called in a loop, and where the index is a number.
#include <algorithm>
#include <utility>

#include "lower/affine.h"
#include "lower/lowerer.h"

namespace bn::lower {

using ast::Kind;
using ast::Node;
using ast::SimpleStmt;
using namespace sema;

namespace {

template <class Predicate>
bool has_node(const Node& node, const Predicate& is_wanted)
{
    return is_wanted(node) || std::any_of(node.children.begin(), node.children.end(),
                                          [&](const Node* child) { return has_node(*child, is_wanted); });
}

bool is_collective(const Node& node)
{
    bool is_barrier = node.kind == Kind::Barrier || node.kind == Kind::Notify || node.kind == Kind::Wait;
    return is_barrier || (node.kind == Kind::Forall && static_cast<const SimpleStmt&>(node).affinity != nullptr);
}

// With a goto, or in text that is not parsed, more may be a loop than looks like one.
bool may_jump(const Node& node)
{
    return node.kind == Kind::Label || node.kind == Kind::Opaque;
}

}  // namespace

// Whether what stands outside of its loops is executed rarely
bool Lowerer::is_phase(const ast::FunctionDef& def) const
{
    bool is_main = def.symbol != nullptr && def.symbol->name == "main";
    return options_.passes.outline && (is_main || has_node(def, is_collective)) && !has_node(def, may_jump);
}

// A loop begins: what is lowered from now on is executed often, but for its first clause.
bool Lowerer::leave_outside(SimpleStmt& stmt)
{
    if (is_outside_loops_ && stmt.init != nullptr) {
        discarded_ = stmt.init->kind != Kind::Declaration ? static_cast<ast::Expr*>(stmt.init) : nullptr;
        lower(stmt.init);
    }
    return std::exchange(is_outside_loops_, false);
}

bool Lowerer::is_variable(const ast::Expr* index) const
{
    return !literal_value(index, {nullptr, nullptr, nullptr, &tokens_, options_.static_threads});
}

// "outlined_" where the address is computed by a call
const char* Lowerer::outlined(bool has_variable) const
{
    bool is_rare = is_outside_loops_ && has_variable && !outside_;
    return is_rare || options_.calls_for_addresses ? "outlined_" : "";
}

}  // namespace bn::lower
