#include "lower/affinity_loop.h"

namespace bn::lower {

using ast::Expr;
using ast::Kind;
using ast::Node;
using ast::Op;
using ast::SimpleStmt;
using namespace sema;

namespace {

class Recogniser {
public:
    Recogniser(const SimpleStmt& stmt, const Effects& function, const lex::TokenList& tokens, int static_threads, Obstacle& obstacle)
        : stmt_(stmt), tokens_(tokens), static_threads_(static_threads), obstacle_(obstacle)
    {
        loop_.function = &function;
        loop_.body = effects_of(stmt.then, tokens);
    }

    std::optional<AffinityLoop> run()
    {
        if (!body() || !step() || !variable() || !condition() || !affinity())
            return std::nullopt;
        return loop_;
    }

private:
    bool no(const Node* where, std::string reason)
    {
        obstacle_ = {std::move(reason), where};
        return false;
    }

    std::string name() const { return "'" + std::string(loop_.variable->name) + "'"; }

    LoopView view() const { return loop_.view(tokens_, static_threads_); }

    bool body()
    {
        if (loop_.body.is_opaque || loop_.function->is_opaque)
            return no(stmt_.then, "the function holds assembler, va_arg or a nested function");
        if (loop_.body.cannot_repeat)
            return no(stmt_.then, "the body has labels, or declares types or static objects");
        return true;
    }

    // v++, ++v, v += n, v = v + n
    bool step()
    {
        if (stmt_.step == nullptr)
            return no(&stmt_, "the loop has no step");
        const Expr* e = without_parens(stmt_.step);
        const Expr* target = nullptr;
        const Expr* by = nullptr;
        if (e->kind == Kind::Unary && (e->op == Op::PreInc || e->op == Op::PostInc)) {
            target = e->a;
        } else if (e->kind == Kind::Assign && e->op == Op::Add) {
            target = e->a;
            by = e->b;
        } else if (e->kind == Kind::Assign && e->op == Op::None) {
            const Expr* sum = without_parens(e->b);
            if (sum->kind == Kind::Binary && sum->op == Op::Add) {
                target = e->a;
                bool is_first = is_same_form(sum->a, target, tokens_);
                by = is_first ? sum->b : sum->a;
                if (!is_same_form(is_first ? sum->a : sum->b, target, tokens_))
                    target = nullptr;
            }
        }
        if (target == nullptr || without_parens(target)->kind != Kind::Ident || without_parens(target)->symbol == nullptr)
            return no(stmt_.step, "the step does not add a positive constant to a variable");
        loop_.variable = without_parens(target)->symbol;
        std::optional<int64_t> value = by != nullptr ? literal_value(by, view()) : 1;
        if (!value || *value <= 0)
            return no(stmt_.step, "the step does not add a positive constant to a variable");
        loop_.step = *value;
        return true;
    }

    bool variable()
    {
        const Symbol& v = *loop_.variable;
        TypeKind k = kind(v.type);
        bool is_wide = k == TypeKind::Int || k == TypeKind::UInt || k == TypeKind::Long || k == TypeKind::ULong ||
                       k == TypeKind::LLong || k == TypeKind::ULLong;
        if (!is_wide || canonical(v.type).quals.is_volatile || canonical(v.type).quals.is_atomic || is_shared(v.type))
            return no(stmt_.step, name() + " is no private variable of type int, long or long long");
        if (loop_.body.assigned.contains(&v))
            return no(stmt_.then, name() + " is changed in the body");
        bool can_be_reached = v.at_file_scope || v.is_static || v.is_extern || loop_.function->address_taken.contains(&v);
        if (can_be_reached && (loop_.body.calls || loop_.body.stores_through_pointer))
            return no(stmt_.then, "functions that are called, or stores through pointers, may change " + name());
        if (stmt_.init != nullptr && stmt_.init->kind == Kind::Declaration)
            for (const ast::InitDeclarator* init : static_cast<const ast::Declaration*>(stmt_.init)->declarators)
                loop_.declares_variable |= init->symbol == &v;
        loop_.body.assigned.insert(&v);   // it is not invariant
        return true;
    }

    // The first value of v if it is a constant
    std::optional<int64_t> start() const
    {
        if (stmt_.init == nullptr)
            return std::nullopt;
        const Expr* value = nullptr;
        if (stmt_.init->kind == Kind::Declaration) {
            for (const ast::InitDeclarator* init : static_cast<const ast::Declaration*>(stmt_.init)->declarators)
                if (init->symbol == loop_.variable)
                    value = init->init;
        } else {
            const Expr* e = without_parens(static_cast<const Expr*>(stmt_.init));
            if (e->kind == Kind::Assign && e->op == Op::None && without_parens(e->a)->symbol == loop_.variable)
                value = e->b;
        }
        return value != nullptr ? literal_value(value, view()) : std::nullopt;
    }

    bool mentions_variable(const Node* node) const
    {
        if (node->kind == Kind::Ident && static_cast<const Expr*>(node)->symbol == loop_.variable)
            return true;
        for (const Node* child : node->children)
            if (mentions_variable(child))
                return true;
        return false;
    }

    // v < limit, v <= limit, v != limit, or the other way round
    bool condition()
    {
        if (stmt_.condition == nullptr)
            return no(&stmt_, "the loop has no condition");
        const Expr* e = without_parens(stmt_.condition);
        auto is_variable = [&](const Expr* side) {
            side = without_parens(side);
            return side->kind == Kind::Ident && side->symbol == loop_.variable;
        };
        bool is_comparison = e->kind == Kind::Binary && (e->op == Op::Lt || e->op == Op::Le || e->op == Op::Gt || e->op == Op::Ge ||
                                                         (e->op == Op::Ne && loop_.step == 1));
        if (!is_comparison || is_variable(e->a) == is_variable(e->b))
            return no(stmt_.condition, "the condition does not compare " + name() + " with a limit");
        bool is_left = is_variable(e->a);
        bool is_upper = e->op == Op::Ne || ((e->op == Op::Lt || e->op == Op::Le) == is_left);
        if (!is_upper)
            return no(stmt_.condition, "the loop does not count up to a limit");
        loop_.limit = is_left ? e->b : e->a;
        loop_.is_inclusive = e->op == Op::Le || e->op == Op::Ge;
        if (!is_integer(loop_.limit->type) || size_of(loop_.limit->type).value_or(Size{16, false}).bytes > 8)
            return no(loop_.limit, "the limit is no integer");
        loop_.limit_may_change = !is_invariant(loop_.limit, loop_.body, *loop_.function);
        if (loop_.limit_may_change && (!has_no_effects(loop_.limit, tokens_) || mentions_variable(loop_.limit)))
            return no(loop_.limit, "the limit has side effects or depends on " + name());
        uint64_t width = size_of(loop_.variable->type)->bytes;
        uint64_t limit_width = size_of(loop_.limit->type)->bytes;
        bool is_signed = !is_unsigned(loop_.variable->type);
        std::optional<int64_t> literal = literal_value(loop_.limit, view());
        bool limit_is_unsigned = is_unsigned(loop_.limit->type) && limit_width >= width && !literal;
        loop_.compares_unsigned = limit_is_unsigned || (!is_signed && width >= limit_width && !literal);
        if (is_signed && limit_is_unsigned && start().value_or(-1) < 0)
            return no(stmt_.condition, "a signed variable that may be negative is compared with an unsigned limit");
        return true;
    }

    bool affinity()
    {
        Expr* e = const_cast<Expr*>(without_parens(stmt_.affinity));
        if (is_integer(e->type))
            return integer(e);
        if (e->kind == Kind::Unary && e->op == Op::AddressOf) {
            e = const_cast<Expr*>(without_parens(e->a));
            while (e->kind == Kind::Member && e->op == Op::Dot)
                e = const_cast<Expr*>(without_parens(e->a));
            return place(e);
        }
        if (is_array(e->type) && e->kind == Kind::Index)   // a row
            return place(e);
        if (e->kind == Kind::Binary && e->op == Op::Add) {   // a + i is &*(a + i)
            Expr deref;
            deref.kind = Kind::Unary;
            deref.op = Op::Deref;
            deref.a = e;
            deref.type = pointee(e->type);
            if (is_pts(e->type) && !is_generic_pts(e->type))
                return place(&deref);
        }
        return no(stmt_.affinity, "the affinity is not that of an element a[v + n] of an array, nor v + n itself");
    }

    bool integer(Expr* e)
    {
        std::optional<int64_t> divisor;
        bool is_quotient = e->kind == Kind::Binary && e->op == Op::Div;
        if (is_quotient) {
            divisor = literal_value(e->b, view());
            e = e->a;
        }
        std::optional<Affine> form = !is_quotient || divisor.value_or(0) > 0 ? affine_form(e, view()) : std::nullopt;
        if (!form || form->factor != 1)
            return no(stmt_.affinity, "the affinity is not " + name() + " plus something that does not change in the loop");
        bool never_negative = form->terms.empty() && form->constant >= 0 && start().value_or(-1) >= 0;
        bool may_wrap = is_unsigned(e->type) && (form->constant != 0 || !form->terms.empty());
        if ((is_quotient && !never_negative) || (may_wrap && !never_negative))
            return no(stmt_.affinity, "the affinity may be negative, where division rounds the other way, or may wrap around");
        loop_.offset = *form;
        loop_.block = is_quotient ? static_cast<uint64_t>(*divisor) : 1;
        loop_.owner = loop_.block == 1 ? AffinityLoop::Owner::Cyclic : AffinityLoop::Owner::Blocked;
        return true;
    }

    bool place(Expr* lvalue)
    {
        std::optional<Element> element = element_of_array(lvalue);
        if (!element)
            return no(stmt_.affinity, "the affinity is not that of an element of an array");
        if (element->is_pointer && !is_invariant_pointer(*element))
            return no(stmt_.affinity, "'" + std::string(element->object->name) + "' may change in the loop");
        std::optional<UnitIndex> index = unit_index(*element, view());
        if (!index)
            return no(stmt_.affinity, "the index of '" + std::string(element->object->name) + "' is not " + name() +
                                          " plus something that does not change, or blocks do not hold whole rows");
        for (size_t i = index->inner; i < element->indices.size(); ++i)
            if (!has_no_effects(element->indices[i], tokens_))
                return no(stmt_.affinity, "the affinity has side effects");
        loop_.pointer = element->is_pointer ? element->object : nullptr;
        loop_.offset = index->offset;
        loop_.block = index->units_per_block;
        loop_.owner = loop_.block == 0   ? AffinityLoop::Owner::OneThread
                      : loop_.block == 1 ? AffinityLoop::Owner::Cyclic
                                         : AffinityLoop::Owner::Blocked;
        return true;
    }

    bool is_invariant_pointer(const Element& element) const
    {
        Expr e;
        e.kind = Kind::Ident;
        e.symbol = element.object;
        return is_invariant(&e, loop_.body, *loop_.function);
    }

    const SimpleStmt& stmt_;
    const lex::TokenList& tokens_;
    int static_threads_;
    Obstacle& obstacle_;
    AffinityLoop loop_;
};

}  // namespace

std::optional<AffinityLoop> affinity_loop(const SimpleStmt& stmt, const Effects& function, const lex::TokenList& tokens,
                                          int static_threads, Obstacle& obstacle)
{
    return Recogniser(stmt, function, tokens, static_threads, obstacle).run();
}

bool has_no_effects(const Expr* e, const lex::TokenList& tokens)
{
    if (e->kind == Kind::StmtExpr || (is_shared(e->type) && e->is_lvalue && e->strict))
        return false;
    Effects effects = effects_of(e, tokens);
    if (effects.calls || effects.is_opaque || effects.stores_through_pointer || !effects.assigned.empty())
        return false;
    for (const Node* child : e->children)
        if (child->kind <= Kind::ImplicitCast && !has_no_effects(static_cast<const Expr*>(child), tokens))
            return false;
    return e->kind != Kind::Assign;
}

}  // namespace bn::lower
