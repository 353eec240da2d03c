#include "lower/index_origin.h"

#include <algorithm>

namespace bn::lower {

using ast::Expr;
using ast::Kind;
using ast::Node;
using ast::Op;
using sema::Symbol;

namespace {

bool is_expression(const Node* node)
{
    return node->kind <= Kind::ImplicitCast;
}

void add_variables(const Node* node, std::unordered_set<const Symbol*>& found)
{
    if (node->kind == Kind::Ident && static_cast<const Expr*>(node)->symbol != nullptr)
        found.insert(static_cast<const Expr*>(node)->symbol);
    for (const Node* child : node->children)
        add_variables(child, found);
}

// Whether the value is a multiple of what the variable was, or has one as a part
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
    return std::any_of(e->children.begin(), e->children.end(), [&](const Node* child) { return scales(child, variable); });
}

}  // namespace

IndexOrigins::IndexOrigins(const Node* loop, const lex::TokenList& tokens) : effects_(effects_of(loop, tokens))
{
    for (const Symbol* variable : effects_.address_taken)
        origins_[variable] = IndexOrigin::Computed;
    collect(loop);
    settle();
}

// Notes what variables are set to.
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

// Finds the origins of the variables: each can make others go up only, so that this ends.
void IndexOrigins::settle()
{
    for (bool is_changed = true; is_changed;) {
        is_changed = false;
        for (const Value& value : values_) {
            IndexOrigin origin = of(value.value);
            if (value.is_computed)
                origin = std::max(origin, IndexOrigin::Computed);
            IndexOrigin& known = origins_[value.variable];
            is_changed |= origin > known;
            known = std::max(origin, known);
        }
    }
    // i = next[i], and by way of others: n = next[i]; i = n
    std::unordered_map<const Symbol*, Variables> sources;
    for (const Value& value : values_)
        add_variables(value.value, sources[value.variable]);
    for (auto& [variable, origin] : origins_) {
        Variables reached = sources[variable];
        for (size_t count = 0; count != reached.size();) {
            count = reached.size();
            for (const Symbol* source : Variables(reached))
                if (sources.contains(source))
                    reached.insert(sources[source].begin(), sources[source].end());
        }
        if (origin == IndexOrigin::Memory && reached.contains(variable))
            origin = IndexOrigin::Carried;
    }
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
    case Op::Comma:
        counts = true;
        break;
    case Op::Mul:
        counts = !varies(e->a) || !varies(e->b);
        break;
    case Op::Shl:
        counts = !varies(e->b);
        break;
    default:
        counts = !varies(e);
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
    case Kind::Binary:
        return of_binary(e);
    case Kind::Assign: {
        bool counts = e->op == Op::None || e->op == Op::Add || e->op == Op::Sub;
        return counts ? of_children(e) : std::max(of_children(e), IndexOrigin::Computed);
    }
    case Kind::Conditional:
        return std::max(of(e->b != nullptr ? e->b : e->a), of(e->c));
    case Kind::Call:
        return std::max(of_children(e), IndexOrigin::Computed);
    case Kind::Index:
    case Kind::Member:
        return sema::is_array(e->type) ? of_children(e) : std::max(of_children(e), IndexOrigin::Memory);
    case Kind::Unary:
        return e->op == Op::Deref && !sema::is_array(e->type) ? std::max(of_children(e), IndexOrigin::Memory) : of_children(e);
    default:
        return of_children(e);
    }
}

}  // namespace bn::lower
