// jumps.cc: jumps and labels: none may leave or enter a upc_forall (facts 1.12).
#include <algorithm>
#include <optional>

#include "sema/checker.h"

namespace bn::sema {

using ast::Kind;
using ast::SimpleStmt;
using diag::Id;

// GNU: "__label__ a, b;" makes these labels local to the block.  Functions nested in it may jump to them.
void Checker::local_labels(const ast::Node& declaration)
{
    for (lex::TokenIndex i = declaration.first + 1; i < declaration.last; ++i)
        if (tokens_[i].kind == lex::Tok::Identifier)
            local_labels_.push_back({tokens_[i].name, ++next_local_label_});
}

Checker::Place Checker::place(lex::TokenIndex label) const
{
    Place result{tokens_[label].name, 0, false, label, flow_.foralls};
    for (size_t i = local_labels_.size(); i-- > 0;) {
        if (local_labels_[i].name != result.name)
            continue;
        result.local = local_labels_[i].id;
        result.is_of_outer_function = i < flow_.outer_local_labels;
        break;
    }
    return result;
}

void Checker::label(const SimpleStmt& stmt)
{
    Place here = place(stmt.name);
    if (here.is_of_outer_function)  // which has another label of this name
        here.local = 0;
    flow_.labels.push_back(here);
}

void Checker::jump(SimpleStmt& stmt)
{
    if (stmt.kind == Kind::Break && !flow_.foralls.empty() && flow_.breakable == 0)
        diags_.report(Id::LeavesForall, stmt.first, {"break"});
    if (stmt.kind == Kind::Goto && stmt.name != 0)
        flow_.gotos.push_back(place(stmt.name));
    if (stmt.value != nullptr)
        expr(stmt.value);
}

const Checker::Place* Checker::target(const Place& jump) const
{
    auto find = [&](int local) {
        auto found = std::find_if(flow_.labels.begin(), flow_.labels.end(),
                                  [&](const Place& to) { return to.name == jump.name && to.local == local; });
        return found == flow_.labels.end() ? nullptr : &*found;
    };
    return find(jump.is_of_outer_function ? 0 : jump.local);
}

// goto out of or into a upc_forall: checked once the function is complete
void Checker::check_gotos()
{
    for (const Place& from : flow_.gotos) {
        const Place* to = target(from);
        if (to == nullptr || to->foralls == from.foralls)
            continue;
        bool leaves = !from.foralls.empty() &&
                      std::find(to->foralls.begin(), to->foralls.end(), from.foralls.back()) == to->foralls.end();
        diags_.report(leaves ? Id::LeavesForall : Id::EntersForall, from.token, {"goto"});
    }
}

}  // namespace bn::sema
