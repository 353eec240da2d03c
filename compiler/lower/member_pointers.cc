// member_pointers.cc: the loop over own iterations (own_loop.cc) treats these members as variables.
//
// UPC form                                              C form
// upc_forall (...; i < n; ...; &v.data[i]) body         const bn_pts_t bn_data = v.data; loop in which bn_data is the
//                                                       pointer
// upc_forall (...; i < n; ...; &p->data[i]) body        the same with bn_data = (i < n) ? p->data : bn_null()
//
// Where there is no iteration, the program does not read p->data, so the condition comes first.
#include "lower/member_pointers.h"

#include <algorithm>

#include "lower/lowerer.h"

namespace bn::lower {

using ast::Kind;
using ast::Op;
using ast::SimpleStmt;
using namespace sema;

namespace {

class MemberFinder {
public:
    MemberFinder(const SimpleStmt& stmt, const Effects& function, const lex::TokenList& tokens)
        : body_(effects_of(stmt.then, tokens)), function_(function), tokens_(tokens)
    {
        if (stmt.step != nullptr)
            for (const Symbol* stepped : effects_of(stmt.step, tokens).assigned)
                body_.assigned.insert(stepped);
    }

    bool is_understood() const { return !body_.is_opaque && !body_.cannot_repeat; }

    // in_affinity: whether the part is evaluated for the first iteration, whoever owns it
    void find(Node* node, bool in_affinity)
    {
        if (is_expression(node)) {
            const auto* e = static_cast<const Expr*>(node);
            bool is_indexed = e->kind == Kind::Index || (e->kind == Kind::Binary && e->op == Op::Add);
            for (Expr* operand : {e->a, e->b})
                if (is_indexed)
                    note(without_parens(operand), in_affinity);
        }
        for (Node* child : node->children)
            find(child, in_affinity && evaluates_operands(*node));
    }

    std::vector<MemberPointer> found;

private:
    static bool evaluates_operands(const Node& node)
    {
        switch (node.kind) {
        case Kind::Paren:
        case Kind::Index:
        case Kind::Member:
        case Kind::Cast:
        case Kind::ImplicitCast:
        case Kind::Unary: return true;
        case Kind::Binary: {
            Op op = static_cast<const Expr&>(node).op;
            return op != Op::LogAnd && op != Op::LogOr;
        }
        default: return false;
        }
    }

    void note(Expr* e, bool in_affinity)
    {
        bool is_pointer = e->kind == Kind::Member && is_pts(e->type) && !is_generic_pts(e->type) && !is_shared(e->type);
        if (!is_pointer || canonical(e->type).quals.is_volatile)
            return;
        const Expr* pointer = pointer_to_struct(e);
        if (pointer == nullptr ? !is_invariant(e, body_, function_)
                               : may_write_pointed_to(e, body_, function_) || !is_readable(pointer, in_affinity))
            return;
        for (MemberPointer& known : found) {
            if (is_same_form(known.uses[0], e, tokens_)) {
                known.uses.push_back(e);
                return;
            }
        }
        found.push_back({{e}, pointer != nullptr});
    }

    // p in p->data and p->part.data; null in v.data
    static const Expr* pointer_to_struct(const Expr* e)
    {
        while (e->kind == Kind::Member && e->op == Op::Dot)
            e = without_parens(e->a);
        return e->kind == Kind::Member ? e->a : nullptr;
    }

    // Whether the struct that the pointer points to can be read before the loop, since the affinity does so, too
    bool is_readable(const Expr* pointer, bool in_affinity)
    {
        bool is_fixed = is_pointer(pointer->type) && !is_pts(pointer->type) && is_invariant(pointer, body_, function_);
        if (is_fixed && in_affinity)
            structs_.push_back(pointer);
        return is_fixed && std::any_of(structs_.begin(), structs_.end(),
                                       [&](const Expr* known) { return is_same_form(known, pointer, tokens_); });
    }

    Effects body_;
    const Effects& function_;
    const lex::TokenList& tokens_;
    std::vector<const Expr*> structs_;  // pointers to structs that the affinity reads
};

}  // namespace

std::vector<MemberPointer> member_pointers(const SimpleStmt& stmt, const Effects& function,
                                           const lex::TokenList& tokens)
{
    MemberFinder finder(stmt, function, tokens);
    if (!finder.is_understood() || stmt.condition == nullptr)
        return {};
    finder.find(stmt.affinity, true);
    finder.find(stmt.then, false);
    return std::move(finder.found);
}

// Makes the uses of the pointers stand for new variables, and returns the declarations of those.
Rope Lowerer::bind(const std::vector<MemberPointer>& pointers, SimpleStmt& stmt)
{
    Rope out = rope();
    for (const MemberPointer& pointer : pointers) {
        Expr* first = pointer.uses[0];
        auto* variable = arena_.make<Symbol>();
        variable->name = text(first->name);
        variable->type = first->type;
        variable->emitted = arena_.copy(std::string_view(fresh_for(*variable)));
        out << "const bn_pts_t " << variable->emitted << " __attribute__((unused)) = ";
        if (pointer.is_pointed_to)
            out << "(" << lowered_copy(stmt.condition) << ") ? " << lowered_copy(first) << " : bn_null(); ";
        else
            out << lowered_copy(first) << "; ";
        for (Expr* use : pointer.uses)
            use->symbol = variable;
    }
    return out;
}

void Lowerer::unbind(const std::vector<MemberPointer>& pointers)
{
    for (const MemberPointer& pointer : pointers)
        for (Expr* use : pointer.uses)
            use->symbol = nullptr;
}

}  // namespace bn::lower
