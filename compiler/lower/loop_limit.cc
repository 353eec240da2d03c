#include "lower/loop_limit.h"

#include <algorithm>
#include <initializer_list>

namespace bn::lower {

using ast::Expr;
using ast::Kind;
using ast::Node;
using ast::Op;
using ast::SimpleStmt;
using namespace sema;

namespace {

class Reader {
public:
    explicit Reader(const LoopView& view) : view_(view) {}

    LimitValue value(const Expr* e)
    {
        e = without_parens(e);
        if (!depends_on_variable(e) && is_invariant(e, *view_.body, *view_.function))
            return LimitValue::Fixed;
        if (is_lvalue(*e))
            return object(*e);
        switch (e->kind) {
        case Kind::Cast:
        case Kind::ImplicitCast: return value(e->a);
        case Kind::Unary: return is_operator(e->op) ? value(e->a) : LimitValue::Unknown;
        case Kind::Binary: return worst({value(e->a), value(e->b)});
        case Kind::Conditional:
            return worst({value(e->a), e->b != nullptr ? value(e->b) : LimitValue::Fixed, value(e->c)});
        case Kind::Call: return call(*e);
        default: return LimitValue::Unknown;
        }
    }

private:
    static constexpr int kCalls = 32;  // maximum number of calls analysed; functions may be recursive

    static LimitValue worst(std::initializer_list<LimitValue> values) { return std::max(values); }

    static bool is_operator(Op op)
    {
        return op == Op::Plus || op == Op::Minus || op == Op::Not || op == Op::BitNot || op == Op::AddressOf;
    }

    static bool is_lvalue(const Expr& e)
    {
        return e.kind == Kind::Ident || e.kind == Kind::Member || e.kind == Kind::Index ||
               (e.kind == Kind::Unary && e.op == Op::Deref);
    }

    bool depends_on_variable(const Expr* e) const { return e->kind == Kind::Ident && is_variable(e->symbol); }

    // The variable of the loop; a function may see it, at file scope, through another declaration.
    bool is_variable(const Symbol* symbol) const
    {
        const Symbol* v = view_.variable;
        return symbol == v || (symbol != nullptr && symbol->at_file_scope && (v->at_file_scope || v->is_extern) &&
                               symbol->name == v->name);
    }

    // The value of an object, or its address if it is an array
    LimitValue object(const Expr& e)
    {
        if (canonical(e.type).quals.is_volatile || (is_shared(e.type) && e.strict))
            return LimitValue::Unknown;
        switch (e.kind) {
        case Kind::Ident: return variable(e.symbol);
        case Kind::Member: return e.op == Op::Dot ? value(e.a) : pointed_to(e, value(e.a));
        case Kind::Index: {
            LimitValue parts = worst({value(e.a), value(e.b)});
            return has_elements(e.a->type) ? parts : pointed_to(e, parts);
        }
        default: return pointed_to(e, value(e.a));
        }
    }

    LimitValue variable(const Symbol* symbol) const
    {
        if (symbol == nullptr || is_variable(symbol))
            return LimitValue::Unknown;
        return symbol->kind == Symbol::Kind::Variable ? LimitValue::MayChange : LimitValue::Unknown;
    }

    LimitValue pointed_to(const Expr& e, LimitValue place) const
    {
        const Symbol& variable = *view_.variable;
        bool may_be_variable = !is_shared(e.type) && can_be_reached(variable, *view_.function) &&
                               may_change(variable.type, accessed_type(&e), *view_.function);
        if (may_be_variable)
            return LimitValue::Unknown;
        bool may_change = is_shared(e.type) || canonical(e.type).quals.is_atomic ||
                          may_write_pointed_to(&e, *view_.body, *view_.function);
        return may_change ? worst({place, LimitValue::MayChange}) : place;
    }

    LimitValue call(const Expr& e)
    {
        LimitValue result = LimitValue::Fixed;
        for (const Expr* argument : e.args)
            result = worst({result, value(argument)});
        if (is_pure_call(e, *view_.tokens))
            return result;
        const Expr* returned = returned_by(without_parens(e.a));
        if (returned == nullptr || ++calls_ > kCalls)
            return LimitValue::Unknown;
        return worst({result, value(returned)});
    }

    // The expression that a function returns if it does nothing else; otherwise null
    const Expr* returned_by(const Expr* callee) const
    {
        const Symbol* symbol = callee->kind == Kind::Ident ? callee->symbol : nullptr;
        if (symbol == nullptr || symbol->kind != Symbol::Kind::Function || symbol->definition == nullptr)
            return nullptr;
        const ast::FunctionDef& def = *symbol->definition;
        bool is_alone = def.symbol->is_static && def.body != nullptr && def.body->items.size() == 1;
        const Node* only = is_alone ? def.body->items[0] : nullptr;
        return only != nullptr && only->kind == Kind::Return ? static_cast<const SimpleStmt*>(only)->value : nullptr;
    }

    const LoopView& view_;
    int calls_ = 0;  // analysed so far
};

}  // namespace

LimitValue limit_value(const Expr* limit, const LoopView& view)
{
    return Reader(view).value(limit);
}

}  // namespace bn::lower
