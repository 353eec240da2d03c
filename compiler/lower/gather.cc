#include "lower/gather.h"

#include <algorithm>

#include "lower/affinity_loop.h"
#include "lower/element.h"

namespace bn::lower {

using ast::Expr;
using ast::Kind;
using ast::Node;
using ast::Op;
using ast::SimpleStmt;
using namespace sema;

namespace {

constexpr size_t kMostReads = 8;  // each has a buffer on the stack

struct Store {
    const Symbol* object;  // the static shared array; null if accessed through a pointer
    QualType type;
    bool is_shared;
    bool is_named;  // private, and by name: the effects list the object, and no other named object changes
};

struct Load {
    QualType type;
    bool is_named;  // of a private object by name, or shared
};

class Finder {
public:
    Finder(const SimpleStmt& stmt, const Effects& function, const lex::TokenList& tokens, int static_threads)
        : stmt_(stmt), function_(function), tokens_(tokens), static_threads_(static_threads),
          body_(effects_of(stmt.then, tokens))
    {
    }

    GatherSearch run()
    {
        search_.obstacle = obstacle();
        if (search_.obstacle == nullptr && !loop_.reads.empty())
            search_.loop = loop_;
        return search_;
    }

private:
    // Why the loop does not qualify; null if it does.  Collects its reads.
    const char* obstacle()
    {
        if (body_.calls || body_.waits)
            return "the loop calls functions, has assembler, or waits for other threads; give the reads a loop of "
                   "their own";
        if (body_.is_opaque || function_.is_opaque)
            return "the function has asm goto, va_arg or a nested function in it; move the loop to another one";
        if (body_.cannot_repeat)
            return "the loop has labels, or static objects, in it; move them out of it";
        if (!counts())
            return "the loop does not have the form 'for (...; k < limit; k++)'";
        if (!is_plain(stmt_.then))
            return "an iteration may end early, or has strict accesses or fences; give the reads a loop of their own";
        look_for_reads(stmt_.then);
        if (loop_.reads.size() > kMostReads)
            return "the loop has too many such reads; split it";
        bool is_settled = is_stable(stmt_.condition);  // also records the loads of the condition
        bool changes = std::any_of(stores_.begin(), stores_.end(), [&](const Store& store) {
            return std::any_of(loads_.begin(), loads_.end(), [&](const Load& load) {
                return !(store.is_named && load.is_named) && may_change(store.type, load.type, function_);
            });
        });
        if (!loop_.reads.empty() && (changes || !is_settled))
            return "stores in the loop may change indices or its limit; copy these to separate variables or arrays "
                   "first";
        return nullptr;
    }

    bool is_variable(const Expr* e) const
    {
        e = without_parens(e);
        return e->kind == Kind::Ident && e->symbol == loop_.variable;
    }

    // for (...; k < limit; k++)
    bool counts()
    {
        const Expr* step = stmt_.step != nullptr ? without_parens(stmt_.step) : nullptr;
        if (step == nullptr || stmt_.condition == nullptr || step->kind != Kind::Unary ||
            (step->op != Op::PreInc && step->op != Op::PostInc))
            return false;
        const Expr* variable = without_parens(step->a);
        if (variable->kind != Kind::Ident || !is_integer(variable->type) || !is_invariant(variable, body_, function_))
            return false;
        loop_.variable = variable->symbol;
        const Expr* condition = without_parens(stmt_.condition);
        return condition->kind == Kind::Binary && (condition->op == Op::Lt || condition->op == Op::Le) &&
               is_variable(condition->a) && has_no_effects(condition->b, tokens_);
    }

    // A variable that no pointer reaches, or a part of it: the effects list it by name.
    bool is_own_variable(const Expr* lvalue) const
    {
        lvalue = without_parens(lvalue);
        while ((lvalue->kind == Kind::Member && lvalue->op == Op::Dot) ||
               (lvalue->kind == Kind::Index && has_elements(lvalue->a->type)))
            lvalue = without_parens(lvalue->a);
        const Symbol* symbol = lvalue->kind == Kind::Ident ? lvalue->symbol : nullptr;
        return symbol != nullptr && !symbol->at_file_scope && !symbol->is_static && !symbol->is_extern &&
               !function_.address_taken.contains(symbol);
    }

    void store(const Expr* lvalue)
    {
        lvalue = without_parens(lvalue);
        if (!is_shared(lvalue->type)) {
            if (!is_own_variable(lvalue))
                stores_.push_back({nullptr, accessed_type(lvalue), false, root_variable(lvalue) != nullptr});
            return;
        }
        std::optional<Element> element = element_of_array(const_cast<Expr*>(lvalue));
        const Symbol* object = element && !element->is_pointer ? element->object : nullptr;
        if (lvalue->kind == Kind::Ident)
            object = lvalue->symbol;
        stores_.push_back({object, accessed_type(lvalue), true, false});
    }

    // Checks that nothing leaves an iteration early and no access is ordered; records the stores.
    bool is_plain(const Node* node)
    {
        switch (node->kind) {
        case Kind::Break:
        case Kind::Continue:
        case Kind::Return:
        case Kind::Goto:
        case Kind::Fence:
        case Kind::StmtExpr: return false;
        case Kind::Assign: store(static_cast<const Expr*>(node)->a); break;
        case Kind::Unary: {
            Op op = static_cast<const Expr*>(node)->op;
            if (op == Op::PreInc || op == Op::PreDec || op == Op::PostInc || op == Op::PostDec)
                store(static_cast<const Expr*>(node)->a);
            break;
        }
        default: break;
        }
        if (is_expression(node) && static_cast<const Expr*>(node)->strict)
            return false;
        return std::all_of(node->children.begin(), node->children.end(),
                           [&](const Node* child) { return is_plain(child); });
    }

    // Collects reads in expressions that each iteration evaluates exactly once.
    void look_for_reads(Node* node)
    {
        switch (node->kind) {
        case Kind::Compound:
        case Kind::ExprStmt:
        case Kind::Declaration:
        case Kind::InitDeclarator: break;
        case Kind::Assign:
            search_.obstacles[without_parens(static_cast<Expr*>(node)->a)] =
                "the loop may write to it; write to another array";
            look_for_reads(static_cast<Expr*>(node)->b);
            return;
        case Kind::Binary:
            look_for_reads(static_cast<Expr*>(node)->a);
            if (Op op = static_cast<Expr*>(node)->op; op != Op::LogAnd && op != Op::LogOr)
                look_for_reads(static_cast<Expr*>(node)->b);
            return;
        case Kind::Conditional: look_for_reads(static_cast<Expr*>(node)->a); return;
        case Kind::Index: take(static_cast<Expr*>(node)); return;
        case Kind::Unary:
            if (static_cast<Expr*>(node)->op == Op::AddressOf)
                return;
            if (static_cast<Expr*>(node)->op == Op::Deref)
                take(static_cast<Expr*>(node));
            break;
        case Kind::Paren:
        case Kind::Call:
        case Kind::Cast:
        case Kind::ImplicitCast: break;
        default: return;
        }
        for (Node* child : node->children)
            look_for_reads(child);
    }

    void take(Expr* lvalue)
    {
        std::optional<Element> element =
            is_shared(lvalue->type) && is_arithmetic(lvalue->type) ? element_of_array(lvalue) : std::nullopt;
        if (!element || canonical(lvalue->type).quals.is_volatile)
            return;
        if (is_changed(*element, accessed_type(lvalue))) {
            search_.obstacles[lvalue] = "the loop may write to it; write to another array";
            return;
        }
        Effects turn = body_;
        turn.assigned.insert(loop_.variable);
        LoopView view{loop_.variable, &turn, &function_, &tokens_, static_threads_};
        bool is_affine = std::all_of(element->indices.begin(), element->indices.end(),
                                     [&](const Expr* index) { return affine_form(index, view).has_value(); });
        std::vector<Load> before = loads_;
        bool is_fixed = std::all_of(element->indices.begin(), element->indices.end(), [&](const Expr* index) {
            return has_no_effects(index, tokens_) && is_stable(index);
        });
        if (!is_affine && is_fixed)
            loop_.reads.push_back(lvalue);
        else
            loads_ = before;
        if (!is_affine && !is_fixed)
            search_.obstacles[lvalue] =
                "its index has effects, or depends on what the loop assigns; compute the indices in an earlier loop";
    }

    // Whether the loop may write to the object that contains the element, or may change the pointer
    bool is_changed(const Element& element, QualType type) const
    {
        if (element.is_pointer) {
            Expr pointer;
            pointer.kind = Kind::Ident;
            pointer.symbol = element.object;
            if (!is_invariant(&pointer, body_, function_))
                return true;
        }
        return std::any_of(stores_.begin(), stores_.end(), [&](const Store& store) {
            bool is_another = store.object != nullptr && !element.is_pointer && store.object != element.object;
            return store.is_shared && !is_another && may_change(store.type, type, function_);
        });
    }

    // Whether it depends only on the variable and on invariants of the loop, provided that no store changes the objects
    // in loads_, and may be evaluated twice
    bool is_stable(const Node* node)
    {
        if (!is_expression(node))
            return true;
        const Expr* e = static_cast<const Expr*>(node);
        ast::Quals quals = canonical(e->type).quals;
        if (e->is_lvalue && (quals.is_volatile || quals.is_atomic))
            return false;
        if (e->kind == Kind::Ident && e->symbol != nullptr && e->symbol->kind == Symbol::Kind::Variable) {
            bool is_object = is_shared(e->type);
            if (is_object && !is_array(e->type))
                loads_.push_back({e->type, true});
            return is_object || is_variable(e) || is_invariant(e, body_, function_);
        }
        bool is_load =
            e->kind == Kind::Index || e->kind == Kind::Member || (e->kind == Kind::Unary && e->op == Op::Deref);
        if (is_load && !is_array(e->type))
            loads_.push_back({accessed_type(e), is_shared(e->type) || root_variable(e) != nullptr});
        return std::all_of(e->children.begin(), e->children.end(), [&](const Node* child) { return is_stable(child); });
    }

    const SimpleStmt& stmt_;
    const Effects& function_;
    const lex::TokenList& tokens_;
    int static_threads_;
    Effects body_;
    GatherLoop loop_;
    GatherSearch search_;
    std::vector<Store> stores_;
    std::vector<Load> loads_;  // on which the indices and the condition depend
};

}  // namespace

GatherSearch gather_loop(const SimpleStmt& stmt, const Effects& function, const lex::TokenList& tokens,
                         int static_threads)
{
    return Finder(stmt, function, tokens, static_threads).run();
}

}  // namespace bn::lower
