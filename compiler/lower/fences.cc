// fences.cc: walks each function in order of evaluation and tracks one bit: whether the thread is settled.
//
// What happens                                          settled afterwards
// strict read, write, op=; upc_fence; upc_notify        yes: a full fence follows all earlier writes
// relaxed write; call; write through a private pointer  no: possibly a shared write that others do not see yet
// relaxed read; barrier and wait; private variables     as before
// label, upc_forall, assembler                          no
// pragma of OpenMP, and the statement behind it         no: a thread may skip that, and execute a task
//
// Where C leaves the order of operands open, each may come after the others.  At the head of a loop the thread is
// settled if it is settled both on entry and at the end of each iteration.  If only the entry is unsettled, and an
// iteration begins with a strict read, a fence before the loop settles it: `while (!flag) ;` then waits with loads
// alone.
//
// Correctness: docs/design/008-loops.md, "Strict accesses".
#include "lower/fences.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lower/directives.h"
#include "lower/effects.h"
#include "sema/types.h"

namespace bn::lower {

using ast::Expr;
using ast::Kind;
using ast::Node;
using ast::Op;
using ast::SimpleStmt;
using namespace sema;

namespace {

constexpr int kMaxDepth = 6;  // nested loops that are analysed twice

bool is_partly_evaluated(Kind kind)  // or not at all
{
    return kind == Kind::SizeofExpr || kind == Kind::SizeofType || kind == Kind::Generic ||
           kind == Kind::TypesCompatible || kind == Kind::Offsetof || kind == Kind::ChooseExpr;
}

bool is_unfenced(const Expr* target)
{
    return is_shared(target->type) ? !without_parens(target)->strict : root_variable(target) == nullptr;
}

// Whether the node itself writes, not counting its operands
bool writes_itself(const Node& node, const lex::TokenList& tokens)
{
    switch (node.kind) {
    case Kind::Call: return !writes_nothing_shared(static_cast<const Expr&>(node), tokens);
    case Kind::Assign: return is_unfenced(static_cast<const Expr&>(node).a);
    case Kind::Unary: return is_step(static_cast<const Expr&>(node)) && is_unfenced(static_cast<const Expr&>(node).a);
    case Kind::VaArg:
    case Kind::AsmStmt:
    case Kind::Opaque:
    case Kind::Label:
    case Kind::Forall: return true;
    case Kind::AttributeList: return has_cleanup(node, tokens);
    default: return false;
    }
}

class Flow {
public:
    Flow(const lex::TokenList& tokens, const std::unordered_set<const Node*>& nested, Fences& fences)
        : tokens_(tokens), nested_(nested), fences_(fences)
    {
    }

    void function(const ast::FunctionDef& def)
    {
        if (def.body != nullptr)
            sequence(def.body->items, false);
    }

private:
    bool writes(const Node* node)
    {
        if (node == nullptr)
            return false;
        auto [place, is_new] = writes_.try_emplace(node, false);
        if (!is_new)
            return place->second;
        bool result = writes_itself(*node, tokens_);
        for (const Node* child : node->children)
            result = result || writes(child);
        return writes_[node] = result;
    }

    // ---- Expressions: return whether the thread is settled after them, given whether it is before ----

    struct Operand {
        const Expr* e;
        bool is_place = false;  // evaluated only to find the object
    };

    bool operand(const Operand& o, bool before) { return o.is_place ? place(o.e, before) : value(o.e, before); }

    bool any_order(const std::vector<Operand>& operands, bool before)
    {
        size_t writers = 0;
        for (const Operand& o : operands)
            writers += writes(o.e);
        bool after = before || writers > 0;
        for (const Operand& o : operands) {
            bool is_writer = writes(o.e);
            bool settled = operand(o, before && writers == (is_writer ? 1u : 0u));
            after = is_writer ? after && settled && writers == 1 : after || (settled && writers == 0);
        }
        return after;
    }

    bool any_order(const Expr* first, std::span<Expr* const> others, bool before)
    {
        std::vector<Operand> operands{{first}};
        for (const Expr* e : others)
            operands.push_back({e});
        return any_order(operands, before);
    }

    bool place(const Expr* e, bool before)
    {
        e = without_parens(e);
        switch (e->kind) {
        case Kind::Ident: return before;
        case Kind::Index:
            return any_order({{e->a, has_elements(e->a->type)}, {e->b, has_elements(e->b->type)}}, before);
        case Kind::Member: return e->op == Op::Dot ? place(e->a, before) : value(e->a, before);
        case Kind::Unary:
            if (e->op == Op::Deref)
                return value(e->a, before);
            return e->op == Op::Real || e->op == Op::Imag ? place(e->a, before) : value(e, before);
        default: return value(e, before);
        }
    }

    // The fence before a strict read or op= comes after the writes of its operands.
    void fence_before(const Expr& lvalue, bool before)
    {
        if (before)
            fences_.settled.insert(&lvalue);
        else
            fences_.settled.erase(&lvalue);
    }

    bool access(const Expr& e, bool before)
    {
        bool after = place(&e, before);
        if (!e.strict || !is_shared(e.type) || is_array(e.type))
            return after;
        fence_before(e, before && !writes(&e));
        return true;
    }

    bool store(const Expr& e, bool before)
    {
        std::vector<Operand> operands{{e.a, true}};
        if (e.kind == Kind::Assign)
            operands.push_back({e.b});
        bool after = any_order(operands, before);
        if (is_unfenced(e.a))
            return false;
        if (!is_shared(e.a->type))
            return after;
        if (e.kind != Kind::Assign || e.op != Op::None)
            fence_before(*without_parens(e.a), before && !writes(e.a) && !writes(e.b));
        return true;
    }

    bool value(const Expr* e, bool before)
    {
        if (e == nullptr)
            return before;
        switch (e->kind) {
        case Kind::Ident:
        case Kind::Index:
        case Kind::Member: return access(*e, before);
        case Kind::Unary:
            if (is_step(*e))
                return store(*e, before);
            if (e->op == Op::AddressOf)
                return place(e->a, before);
            if (e->op == Op::Deref || e->op == Op::Real || e->op == Op::Imag)
                return access(*e, before);
            return value(e->a, before);
        case Kind::Paren:
        case Kind::Cast:
        case Kind::ImplicitCast:
        case Kind::CompoundLiteral: return value(e->a, before);
        case Kind::Binary: return binary(*e, before);
        case Kind::Assign: return store(*e, before);
        case Kind::Conditional: {
            bool chosen = value(e->a, before);
            bool first = value(e->b, chosen);
            return value(e->c, chosen) && first;
        }
        case Kind::Call: return any_order(e->a, e->args, before) && !writes(e);
        case Kind::InitList: return any_order(nullptr, e->args, before);
        case Kind::StmtExpr: return compound(*e->body, before);
        default: return before && !writes(e);  // sizeof and similar, which are not wholly evaluated
        }
    }

    bool binary(const Expr& e, bool before)
    {
        if (e.op != Op::Comma && e.op != Op::LogAnd && e.op != Op::LogOr)
            return any_order({{e.a}, {e.b}}, before);
        bool first = value(e.a, before);
        bool second = value(e.b, first);
        return second && (first || e.op == Op::Comma);
    }

    // ---- Statements; unreachable code counts as settled ----

    bool sequence(std::span<Node* const> items, bool state)
    {
        for (const Node* item : items)
            state = statement(item, state);
        return state;
    }

    bool declaration(const ast::Declaration& decl, bool state)
    {
        if (decl.specifiers->is_static || decl.specifiers->is_extern || decl.specifiers->is_typedef)
            return state && !writes(&decl);
        state = state && !writes(decl.specifiers);
        for (const ast::InitDeclarator* init : decl.declarators)
            state = value(init->init, state && !writes(init->declarator));
        return state;
    }

    bool statement(const Node* node, bool state)
    {
        if (node == nullptr)
            return state;
        bool is_diverted = is_diverted_before(node->first);
        return plain_statement(node, state && !is_diverted) && !is_diverted;
    }

    // Whether a pragma before the token may have a thread of OpenMP skip statements, or execute others
    bool is_diverted_before(lex::TokenIndex token) const
    {
        return std::ranges::any_of(pragmas_before(token, token, tokens_), diverts, &lex::OtherPragma::text);
    }

    bool compound(const ast::CompoundStmt& body, bool state)
    {
        return sequence(body.items, state) && !is_diverted_before(body.last);
    }

    bool plain_statement(const Node* node, bool state)
    {
        if (is_expression(node))
            return value(static_cast<const Expr*>(node), state);
        switch (node->kind) {
        case Kind::Compound: return compound(static_cast<const ast::CompoundStmt&>(*node), state);
        case Kind::Declaration: return declaration(static_cast<const ast::Declaration&>(*node), state);
        case Kind::FunctionDef:
            Flow(tokens_, nested_, fences_).function(static_cast<const ast::FunctionDef&>(*node));
            return state;
        case Kind::StaticAssert: return state;
        case Kind::Opaque: return false;
        default: return simple(static_cast<const SimpleStmt&>(*node), state);
        }
    }

    bool simple(const SimpleStmt& stmt, bool state)
    {
        switch (stmt.kind) {
        case Kind::ExprStmt:
        case Kind::Barrier:
        case Kind::Wait: return value(stmt.value, state);
        case Kind::Fence: return true;
        case Kind::Notify: value(stmt.value, state); return true;
        case Kind::If: {
            state = value(stmt.condition, state);
            bool then = statement(stmt.then, state);
            return statement(stmt.otherwise, state) && then;
        }
        case Kind::While:
        case Kind::DoWhile:
        case Kind::For: return loop(stmt, state);
        case Kind::Switch: return choice(stmt, state);
        case Kind::Case:
        case Kind::Default: return statement(stmt.then, state && cases_ != nullptr && *cases_);
        case Kind::Label: return statement(stmt.then, false);
        case Kind::Break: return jump(breaks_, state);
        case Kind::Continue: return jump(continues_, state);
        case Kind::Goto:
        case Kind::Return: value(stmt.value, state); return true;
        case Kind::Forall: forall(stmt, state); return false;
        default: return false;
        }
    }

    static bool jump(bool* target, bool state)
    {
        if (target != nullptr)
            *target = *target && state;
        return true;
    }

    // The body of a loop or switch.  Clears `breaks` and `continues` if the thread is not settled at a break or
    // continue within it.
    bool body(const SimpleStmt& stmt, bool before, bool& breaks, bool* continues)
    {
        bool* outer_breaks = std::exchange(breaks_, &breaks);
        bool* outer_continues = std::exchange(continues_, continues);
        bool after = statement(stmt.then, before);
        breaks_ = outer_breaks;
        continues_ = outer_continues;
        return after;
    }

    bool choice(const SimpleStmt& stmt, bool state)
    {
        state = value(stmt.condition, state);
        bool breaks = true;
        bool* outer_cases = std::exchange(cases_, &state);
        bool after = body(stmt, true, breaks, continues_);
        cases_ = outer_cases;
        return state && after && breaks;
    }

    // The parts of a dealt upc_forall are evaluated in a different order or place.
    void forall(const SimpleStmt& stmt, bool state)
    {
        bool breaks = true;
        bool continues = true;
        statement(stmt.init, state);
        value(stmt.condition, false);
        value(stmt.affinity, false);
        body(stmt, false, breaks, &continues);
        value(stmt.step, false);
    }

    struct Turn {
        bool next;    // settled at the start of the next iteration
        bool behind;  // settled after the loop
    };

    Turn turn(const SimpleStmt& stmt, bool state)
    {
        bool breaks = true;
        bool continues = true;
        if (stmt.kind == Kind::DoWhile) {
            bool after = body(stmt, state, breaks, &continues);
            after = value(stmt.condition, after && continues);
            return {after, after && breaks};
        }
        state = value(stmt.condition, state);
        bool after = body(stmt, state, breaks, &continues);
        return {value(stmt.step, after && continues), state && breaks};
    }

    bool loop(const SimpleStmt& stmt, bool before)
    {
        fences_.loops.erase(&stmt);
        bool is_settled = statement(stmt.init, before);
        if (depth_ == kMaxDepth)
            return turn(stmt, false).behind;
        ++depth_;
        Turn found = turn(stmt, true);
        if (!found.next || !is_settled) {
            bool may_fence = found.next && !nested_.contains(&stmt) && !is_diverted_before(stmt.first);
            const Expr* read = may_fence && statement(stmt.init, true) ? first_read(stmt) : nullptr;
            statement(stmt.init, before);
            found = turn(stmt, false);
            if (read != nullptr && !fences_.settled.contains(read)) {
                fences_.loops.insert(&stmt);
                statement(stmt.init, true);
                found = turn(stmt, true);
            }
        }
        --depth_;
        return found.behind;
    }

    // ---- The strict read that each iteration of a loop reaches before it branches; null if there is none ----

    const Expr* first_read(const SimpleStmt& stmt) const
    {
        bool ends = false;
        const Expr* read = stmt.kind != Kind::DoWhile ? first_read(stmt.condition) : nullptr;
        if (read == nullptr)
            read = first_read(stmt.then, ends);
        if (read == nullptr && !ends && stmt.kind == Kind::DoWhile)
            read = first_read(stmt.condition);
        return read;
    }

    const Expr* first_read(const Node* node, bool& ends) const
    {
        const Expr* read = nullptr;
        if (node == nullptr || ends)
            return read;
        switch (node->kind) {
        case Kind::Compound:
            for (const Node* item : static_cast<const ast::CompoundStmt*>(node)->items)
                if (read == nullptr)
                    read = first_read(item, ends);
            return read;
        case Kind::Declaration:
            for (const ast::InitDeclarator* init : static_cast<const ast::Declaration*>(node)->declarators)
                if (read == nullptr)
                    read = first_read(init->init);
            return read;
        case Kind::ExprStmt: return first_read(static_cast<const SimpleStmt*>(node)->value);
        case Kind::If: ends = true; return first_read(static_cast<const SimpleStmt*>(node)->condition);
        default: ends = true; return read;
        }
    }

    const Expr* first_read(const Expr* e) const
    {
        if (e == nullptr || is_partly_evaluated(e->kind) || fences_.settled.contains(e))
            return e != nullptr && fences_.settled.contains(e) ? e : nullptr;
        const Expr* read = first_read(e->a);
        if (e->kind == Kind::Conditional || (e->kind == Kind::Binary && (e->op == Op::LogAnd || e->op == Op::LogOr)))
            return read;
        if (read == nullptr)
            read = first_read(e->b);
        for (const Expr* arg : e->args)
            if (read == nullptr)
                read = first_read(arg);
        return read;
    }

    const lex::TokenList& tokens_;
    const std::unordered_set<const Node*>& nested_;
    Fences& fences_;
    std::unordered_map<const Node*, bool> writes_;
    bool* breaks_ = nullptr;     // whether the thread is settled wherever the enclosing loop or switch is left, ...
    bool* continues_ = nullptr;  // ... wherever an iteration of the enclosing loop ends, ...
    bool* cases_ = nullptr;      // ... and where the enclosing switch dispatches
    int depth_ = 0;              // number of enclosing loops
};

// Whether there is a strict access anywhere below
bool has_strict(const Node* node)
{
    return any_below(*node,
                     [](const Node& part) { return is_expression(&part) && static_cast<const Expr&>(part).strict; });
}

}  // namespace

bool may_write_shared(const Node* node, const lex::TokenList& tokens)
{
    return any_below(*node, [&](const Node& part) { return writes_itself(part, tokens); });
}

Fences fences_of(const ast::FunctionDef& function, const std::unordered_set<const Node*>& nested,
                 const lex::TokenList& tokens)
{
    Fences fences;
    if (has_strict(&function) && !has_cleanup(function, tokens))
        Flow(tokens, nested, fences).function(function);
    return fences;
}

}  // namespace bn::lower
