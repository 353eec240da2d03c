#include "lower/independence.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace bn::lower {

using ast::Expr;
using ast::Kind;
using ast::Node;
using ast::Op;
using namespace sema;

namespace {

class UsesWalker {
public:
    UsesWalker(const AffinityLoop& plan, const lex::TokenList& tokens, int static_threads)
        : plan_(plan), view_(plan.view(tokens, static_threads))
    {
    }

    bool is_understood(const Node* body) { return is_register(plan_.variable) && walk(body); }

    bool is_independent(bool is_own_only) const
    {
        bool is_about_two =
            std::any_of(uses_.begin(), uses_.end(), [&](const Use& use) { return use.array != uses_[0].array; });
        return is_about_two && std::all_of(uses_.begin(), uses_.end(), [&](const Use& use) {
                   return use.is_own || (!is_own_only && !is_written(use.array));
               });
    }

private:
    // A use of a shared array or variable, by name: two declarations may name the same one.
    struct Use {
        std::string_view array;
        bool is_own;  // at the unit named by the affinity
        bool is_store;
    };

    bool is_written(std::string_view array) const
    {
        return std::any_of(uses_.begin(), uses_.end(),
                           [&](const Use& use) { return use.is_store && use.array == array; });
    }

    // A private variable that no pointer reaches and that the back end keeps in a register
    bool is_register(const Symbol* symbol) const
    {
        return symbol != nullptr && symbol->kind == Symbol::Kind::Variable && !symbol->at_file_scope &&
               !symbol->is_static && !symbol->is_extern && is_scalar(symbol->type) &&
               !canonical(symbol->type).quals.is_volatile && !plan_.function->address_taken.contains(symbol);
    }

    bool walk_children(const Node* node)
    {
        return std::all_of(node->children.begin(), node->children.end(),
                           [&](const Node* child) { return walk(child); });
    }

    bool walk(const Node* node)
    {
        if (is_expression(node))
            return expression(*static_cast<const Expr*>(node));
        switch (node->kind) {
        case Kind::Compound:
        case Kind::ExprStmt:
        case Kind::If:
        case Kind::Continue:
        case Kind::Declaration: return walk_children(node);
        case Kind::Specifiers: {
            const auto& spec = static_cast<const ast::Specifiers&>(*node);
            return !spec.is_static && !spec.is_extern && !spec.is_typedef && node->children.empty();
        }
        case Kind::InitDeclarator: {
            const auto& declared = static_cast<const ast::InitDeclarator&>(*node);
            return is_register(declared.symbol) && (declared.init == nullptr || walk(declared.init));
        }
        default: return false;
        }
    }

    bool expression(const Expr& e)
    {
        if (e.strict)
            return false;
        switch (e.kind) {
        case Kind::Number:
        case Kind::BoolConst:
        case Kind::CharConst:
        case Kind::String:
        case Kind::Threads:
        case Kind::MyThread:
        case Kind::MaxBlock:
        case Kind::SizeofExpr:
        case Kind::SizeofType: return true;
        case Kind::Ident:
        case Kind::Index:
        case Kind::Member: return access(e, false);
        case Kind::Paren:
        case Kind::ImplicitCast:
        case Kind::Cast:  // skips the type name
            return walk(e.a);
        case Kind::Binary:
        case Kind::Conditional: return walk_children(&e);
        case Kind::Call:  // the loop only calls pure functions
            return std::all_of(e.args.begin(), e.args.end(), [&](const Expr* arg) { return walk(arg); });
        case Kind::Assign: return walk(e.b) && access(*e.a, true);
        case Kind::Unary: return unary(e);
        default: return false;
        }
    }

    bool unary(const Expr& e)
    {
        switch (e.op) {
        case Op::Plus:
        case Op::Minus:
        case Op::Not:
        case Op::BitNot:
        case Op::Extension: return walk(e.a);
        case Op::PreInc:
        case Op::PreDec:
        case Op::PostInc:
        case Op::PostDec: return access(*e.a, true);
        case Op::Deref: return access(e, false);
        default: return false;
        }
    }

    // A read or written lvalue, or a part of one
    bool access(const Expr& part, bool is_store)
    {
        const Expr& e = *without_parens(&part);
        if (e.strict || canonical(e.type).quals.is_volatile)
            return false;
        if (e.kind == Kind::Ident)
            return variable(e, is_store);
        std::optional<Element> element =
            is_shared(e.type) ? element_of_array(const_cast<Expr*>(&e), Dimensions::MayBeThreads) : std::nullopt;
        if (element && !element->is_pointer) {
            note(*element, is_store);
            return std::all_of(element->indices.begin(), element->indices.end(),
                               [&](const Expr* index) { return walk(index); });
        }
        if (is_store && !is_shared(e.type))
            return false;
        if (e.kind == Kind::Member && e.op == Op::Dot)
            return access(*e.a, is_store);
        return e.kind == Kind::Index && has_elements(e.a->type) && walk(e.b) && access(*e.a, is_store);
    }

    bool variable(const Expr& e, bool is_store)
    {
        if (is_shared(e.type)) {
            uses_.push_back({e.symbol->name, false, is_store});
            return true;
        }
        return is_store ? is_register(e.symbol) : !canonical(e.type).quals.is_volatile;
    }

    void note(const Element& element, bool is_store)
    {
        std::optional<UnitIndex> where = unit_beside(plan_, element, view_);
        uses_.push_back({element.object->name, where && where->offset.constant == plan_.offset.constant, is_store});
    }

    const AffinityLoop& plan_;
    LoopView view_;
    std::vector<Use> uses_;
};

}  // namespace

bool has_independent_iterations(const AffinityLoop& plan, const Node* body, const lex::TokenList& tokens,
                                int static_threads, bool is_own_only)
{
    if (plan.owner == AffinityLoop::Owner::OneThread || plan.limit_may_change || plan.body.calls || plan.body.waits ||
        plan.body.is_opaque || plan.body.stores_through_pointer)
        return false;
    UsesWalker walker(plan, tokens, static_threads);
    return walker.is_understood(body) && walker.is_independent(is_own_only);
}

}  // namespace bn::lower
