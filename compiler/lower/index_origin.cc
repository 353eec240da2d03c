#include "lower/index_origin.h"

#include <algorithm>
#include <numeric>

namespace bn::lower {

using ast::Expr;
using ast::Kind;
using ast::Node;
using ast::Op;
using sema::Symbol;

namespace {

void add_variables(const Node* node, std::unordered_set<const Symbol*>& found)
{
    if (node->kind == Kind::Ident && static_cast<const Expr*>(node)->symbol != nullptr)
        found.insert(static_cast<const Expr*>(node)->symbol);
    for (const Node* child : node->children)
        add_variables(child, found);
}

// Whether the value is, or contains, a product with the variable as a factor
bool scales(const Node* node, const Symbol* variable)
{
    if (!is_expression(node))
        return false;
    const auto* e = static_cast<const Expr*>(node);
    if (e->kind == Kind::Binary && (e->op == Op::Mul || e->op == Op::Shl)) {
        std::unordered_set<const Symbol*> factors;
        add_variables(e, factors);
        return factors.contains(variable);
    }
    return std::any_of(e->children.begin(), e->children.end(),
                       [&](const Node* child) { return scales(child, variable); });
}

}  // namespace

IndexOrigins::IndexOrigins(const Node* loop, const lex::TokenList& tokens) : effects_(effects_of(loop, tokens))
{
    for (const Symbol* variable : effects_.address_taken)
        origins_[variable] = IndexOrigin::Computed;
    collect(loop);
    settle();
}

// Records the values assigned to variables.
void IndexOrigins::collect(const Node* node)
{
    if (node->kind == Kind::InitDeclarator) {
        const auto* declarator = static_cast<const ast::InitDeclarator*>(node);
        if (declarator->init != nullptr)
            values_.push_back({declarator->symbol, declarator->init, false});
    } else if (node->kind == Kind::Assign) {
        const auto* e = static_cast<const Expr*>(node);
        const Symbol* variable = root_variable(e->a);
        bool counts = e->op == Op::None || e->op == Op::Add || e->op == Op::Sub;
        if (variable != nullptr && !sema::is_shared(e->a->type))
            values_.push_back({variable, e->b, !counts || scales(e->b, variable)});
    }
    for (const Node* child : node->children)
        collect(child);
}

// Finds the origins of the variables.  New facts about one can only raise the origins of others, so the iteration ends.
void IndexOrigins::settle()
{
    // for each variable, the indices of the values that mention it
    std::unordered_map<const Symbol*, std::vector<size_t>> users;
    for (size_t i = 0; i < values_.size(); ++i) {
        Variables& named = sources_[values_[i].variable];
        Variables sources;
        add_variables(values_[i].value, sources);
        for (const Symbol* source : sources)
            users[source].push_back(i);
        named.insert(sources.begin(), sources.end());
    }
    std::vector<size_t> open(values_.size());
    std::iota(open.begin(), open.end(), size_t{0});
    while (!open.empty()) {
        const Value& value = values_[open.back()];
        open.pop_back();
        IndexOrigin origin =
            std::max(of(value.value), value.is_computed ? IndexOrigin::Computed : IndexOrigin::Counted);
        IndexOrigin& known = origins_[value.variable];
        if (origin <= known)
            continue;
        known = origin;
        const std::vector<size_t>& next = users[value.variable];
        open.insert(open.end(), next.begin(), next.end());
    }
    for (auto& [variable, origin] : origins_)
        if (origin == IndexOrigin::Memory && follows_itself(variable))
            origin = IndexOrigin::Carried;
}

// i = next[i], also through other variables: n = next[i]; i = n
bool IndexOrigins::follows_itself(const Symbol* variable) const
{
    Variables reached;
    std::vector<const Symbol*> open{variable};
    while (!open.empty()) {
        auto sources = sources_.find(open.back());
        open.pop_back();
        if (sources == sources_.end())
            continue;
        for (const Symbol* source : sources->second) {
            if (source == variable)
                return true;
            if (reached.insert(source).second)
                open.push_back(source);
        }
    }
    return false;
}

// Whether the value may change in the loop
bool IndexOrigins::varies(const Node* node) const
{
    if (!is_expression(node))
        return false;
    const auto* e = static_cast<const Expr*>(node);
    if (e->kind == Kind::Call)
        return true;
    if (e->kind == Kind::Ident)
        return e->symbol != nullptr && sets(*e->symbol);
    return std::any_of(e->children.begin(), e->children.end(), [&](const Node* child) { return varies(child); });
}

IndexOrigin IndexOrigins::of_children(const Expr* e) const
{
    IndexOrigin result = IndexOrigin::Counted;
    for (const Node* child : e->children)
        if (is_expression(child))
            result = std::max(result, of(static_cast<const Expr*>(child)));
    return result;
}

IndexOrigin IndexOrigins::of_binary(const Expr* e) const
{
    bool counts = false;
    switch (e->op) {
    case Op::Add:
    case Op::Sub:
    case Op::Comma: counts = true; break;
    case Op::Mul: counts = !varies(e->a) || !varies(e->b); break;
    case Op::Shl: counts = !varies(e->b); break;
    default: counts = !varies(e);
    }
    return counts ? of_children(e) : std::max(of_children(e), IndexOrigin::Computed);
}

IndexOrigin IndexOrigins::of(const Expr* e) const
{
    switch (e->kind) {
    case Kind::Ident: {
        auto origin = origins_.find(e->symbol);
        return origin != origins_.end() ? origin->second : IndexOrigin::Counted;
    }
    case Kind::Binary: return of_binary(e);
    case Kind::Assign: {
        bool counts = e->op == Op::None || e->op == Op::Add || e->op == Op::Sub;
        return counts ? of_children(e) : std::max(of_children(e), IndexOrigin::Computed);
    }
    case Kind::Conditional: return std::max(of(e->b != nullptr ? e->b : e->a), of(e->c));
    case Kind::Call: return std::max(of_children(e), IndexOrigin::Computed);
    case Kind::Index:
    case Kind::Member: return sema::is_array(e->type) ? of_children(e) : std::max(of_children(e), IndexOrigin::Memory);
    case Kind::Unary:
        return e->op == Op::Deref && !sema::is_array(e->type) ? std::max(of_children(e), IndexOrigin::Memory)
                                                              : of_children(e);
    default: return of_children(e);
    }
}

}  // namespace bn::lower
