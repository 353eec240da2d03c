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
    flow_.labels.push_back(place(stmt.name));
}

void Checker::jump(SimpleStmt& stmt)
{
    if (stmt.kind == Kind::Break && !flow_.foralls.empty() && flow_.breakable == 0)
        diags_.report(Id::LeavesForall, stmt.first, {"break"});
    if (stmt.kind == Kind::Goto && stmt.name != 0)
        flow_.gotos.push_back(place(stmt.name));
    if (stmt.value != nullptr)
        expr(stmt.value);
    if (stmt.kind == Kind::Goto && stmt.name == 0)
        flow_.computed_gotos.push_back({0, 0, false, stmt.first, flow_.foralls});
}

// Null if the label is not in this function
const Checker::Place* Checker::target(const Place& jump) const
{
    auto found = std::find_if(flow_.labels.begin(), flow_.labels.end(),
                              [&](const Place& label) { return label.name == jump.name && label.local == jump.local; });
    return found == flow_.labels.end() ? nullptr : &*found;
}

namespace {

using Foralls = std::vector<int>;

std::optional<Id> fault(const Foralls& from, const Foralls& to)
{
    if (from == to)
        return std::nullopt;
    bool leaves = !from.empty() && std::find(to.begin(), to.end(), from.back()) == to.end();
    return leaves ? Id::LeavesForall : Id::EntersForall;
}

}  // namespace

// goto out of or into a upc_forall: checked once the function is complete
void Checker::check_gotos()
{
    for (const Place& from : flow_.gotos) {
        const Place* to = target(from);
        std::optional<Id> wrong;
        if (to != nullptr)
            wrong = fault(from.foralls, to->foralls);
        else if (from.is_of_outer_function && !from.foralls.empty())
            wrong = Id::LeavesForall;
        if (wrong)
            diags_.report(*wrong, from.token, {"goto"});
    }
    for (const Place& from : flow_.computed_gotos)
        check_computed_goto(from);
}

// goto *e: wrong for certain if it would be wrong for each label whose address the function takes
void Checker::check_computed_goto(const Place& from)
{
    std::optional<Id> wrong;
    for (const Place& address : flow_.addresses) {
        const Place* to = target(address);
        wrong = to != nullptr ? fault(from.foralls, to->foralls) : std::nullopt;
        if (!wrong)
            return;
    }
    if (wrong)
        diags_.report(*wrong, from.token, {"goto"});
}

}  // namespace bn::sema
