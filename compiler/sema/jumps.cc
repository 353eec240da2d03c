// jumps.cc: jumps and labels: none may leave or enter a upc_forall (facts 1.12).
#include "sema/checker.h"

namespace bn::sema {

using ast::Kind;
using ast::SimpleStmt;
using diag::Id;

void Checker::label(const SimpleStmt& stmt)
{
    flow_.labels.push_back({tokens_[stmt.name].name, stmt.name, flow_.foralls});
}

void Checker::jump(SimpleStmt& stmt)
{
    if (stmt.kind == Kind::Break && !flow_.foralls.empty() && flow_.breakable == 0)
        diags_.report(Id::LeavesForall, stmt.first, {"break"});
    if (stmt.kind == Kind::Goto && stmt.name != 0)
        flow_.gotos.push_back({tokens_[stmt.name].name, stmt.name, flow_.foralls});
    if (stmt.value != nullptr)
        expr(stmt.value);
}

// goto out of or into a upc_forall: checked once the function is complete
void Checker::check_gotos()
{
    for (const Place& from : flow_.gotos)
        for (const Place& to : flow_.labels) {
            if (to.name != from.name || to.foralls == from.foralls)
                continue;
            bool leaves = !from.foralls.empty() &&
                          (to.foralls.size() < from.foralls.size() || to.foralls.back() != from.foralls.back());
            diags_.report(leaves ? Id::LeavesForall : Id::EntersForall, from.token, {"goto"});
        }
}

}  // namespace bn::sema
