#include "lower/helpers.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lower/affinity_loop.h"
#include "lower/effects.h"

namespace bn::lower {

using ast::Expr;
using ast::FunctionDef;
using ast::Kind;
using ast::Node;
using ast::Op;
using ast::SimpleStmt;
using namespace sema;

namespace {

constexpr lex::TokenIndex kLongest = 60;  // tokens of a function's expression
constexpr int kDeepest = 4;               // functions that call one another
constexpr int kMost = 100;                // calls in one function

using Names = std::unordered_set<uint32_t>;

// The names that a function declares, tags included
void add_declared(const Node* node, const lex::TokenList& tokens, Names& names)
{
    auto add = [&](lex::TokenIndex token) {
        if (token != 0)
            names.insert(tokens[token].name);
    };
    if (node->kind == Kind::Declarator)
        add(static_cast<const ast::Declarator*>(node)->name);
    if (node->kind == Kind::RecordSpec)
        add(static_cast<const ast::RecordSpec*>(node)->tag);
    if (node->kind == Kind::EnumSpec) {
        add(static_cast<const ast::EnumSpec*>(node)->tag);
        for (const ast::EnumSpec::Enumerator& one : static_cast<const ast::EnumSpec*>(node)->enumerators)
            add(one.name);
    }
    for (const Node* child : node->children)
        add_declared(child, tokens, names);
}

// Of a type that can be named anywhere, which enumerations need not have
bool is_number(QualType type)
{
    return is_arithmetic(type) && kind(type) != TypeKind::Complex && kind(type) != TypeKind::Enum && !is_vector(type);
}

bool is_special(QualType type)
{
    return canonical(type).quals.is_volatile || canonical(type).quals.is_atomic;
}

bool is_floating_product(const Expr* e)
{
    e = without_parens(e);
    if (e->kind == Kind::Conditional)
        return is_floating_product(e->b != nullptr ? e->b : e->a) || is_floating_product(e->c);
    if (e->kind == Kind::Unary || e->kind == Kind::Cast || e->kind == Kind::ImplicitCast)
        return is_floating_product(e->a);
    return e->kind == Kind::Binary && e->op == Op::Mul && !is_integer(e->type);
}

// A variable or constant, which costs nothing to evaluate twice
bool is_plain(const Expr* e)
{
    e = without_parens(e);
    return e->kind == Kind::Number || e->kind == Kind::CharConst || e->kind == Kind::Threads ||
           e->kind == Kind::MyThread ||
           (e->kind == Kind::Ident && e->symbol != nullptr && !is_shared(e->type) && !is_special(e->type));
}

// Assignments and steps below an expression, and what is not analysed here
bool has_stores(const Node* node)
{
    if (node->kind == Kind::StmtExpr || node->kind == Kind::VaArg || node->kind == Kind::Assign)
        return true;
    if (is_expression(node) && is_step(*static_cast<const Expr*>(node)))
        return true;
    return std::ranges::any_of(node->children, has_stores);
}

// Whether there is an expression of UPC
bool uses_upc(const Node* node)
{
    if (node->kind == Kind::Threads || node->kind == Kind::MyThread || node->kind == Kind::Forall)
        return true;
    if (is_expression(node)) {
        QualType type = static_cast<const Expr*>(node)->type;
        if (type.type != nullptr && touches_shared(type))
            return true;
    }
    return std::ranges::any_of(node->children, uses_upc);
}

// What a function is: `return value;`, or `value` as a statement, an assignment
struct Helper {
    FunctionDef* def;
    const Expr* value;
    bool is_statement;
    std::vector<const Symbol*> params = {};
};

std::vector<const Symbol*> params_of(const FunctionDef& def)
{
    std::vector<const Symbol*> params;
    for (const ast::ParamDecl* param : def.declarator->parts[0].params)
        if (!is_void(param->symbol->type))  // (void)
            params.push_back(param->symbol);
    return params;
}

class Writer {
public:
    Writer(const FunctionDef& caller, const ast::Unit& unit, const lex::TokenList& tokens, ast::Arena& arena,
           std::unordered_set<FunctionDef*>& used)
        : caller_(caller), unit_(unit), tokens_(tokens), arena_(arena), used_(used), is_upc_(uses_upc(caller.body))
    {
        agrees(&caller);
    }

    void statements(Node* node, bool in_loop)
    {
        switch (node->kind) {
        case Kind::Specifiers:
        case Kind::Declarator:
        case Kind::AttributeList:
        case Kind::AsmStmt:
        case Kind::FunctionDef:
        case Kind::Opaque: return;
        default: break;
        }
        if (is_expression(node)) {
            if (in_loop)
                whole(static_cast<Expr*>(node), false);
            return;
        }
        bool is_loop = node->kind == Kind::For || node->kind == Kind::Forall;
        const Node* limit = node->kind == Kind::Forall ? static_cast<const SimpleStmt*>(node)->condition : nullptr;
        for (Node* child : node->children)
            if (child == limit)
                continue;  // see loop_limit.h
            else if (in_loop && node->kind == Kind::ExprStmt && is_expression(child))
                whole(static_cast<Expr*>(child), true);
            else
                statements(child, in_loop || is_loop);
    }

private:
    // An expression that is not part of another one
    void whole(Expr* e, bool is_statement)
    {
        bool stores = e->kind == Kind::Assign ? has_stores(e->a) || has_stores(e->b) : has_stores(e);
        if (stores)
            return;
        calls_others_ = has_other_calls(e);
        calls(e, is_statement);
    }

    // Whether an expression calls what stays a call
    bool has_other_calls(const Node* node) const
    {
        if (node->kind == Kind::Call) {
            const auto& e = static_cast<const Expr&>(*node);
            if (!is_pure_call(e, tokens_) && !helper_of(e, caller_.first))
                return true;
        }
        return std::ranges::any_of(node->children, [&](const Node* child) { return has_other_calls(child); });
    }

    void calls(Expr* e, bool is_statement)
    {
        switch (e->kind) {
        case Kind::SizeofExpr:
        case Kind::SizeofType:
        case Kind::Generic:
        case Kind::ChooseExpr:
        case Kind::CompoundLiteral:
        case Kind::Offsetof:
        case Kind::TypesCompatible: return;
        default: break;
        }
        for (Node* child : e->children)
            if (is_expression(child))
                calls(static_cast<Expr*>(child), false);
        if (e->kind == Kind::Call)
            call(*e, is_statement, caller_.first);
    }

    void call(Expr& e, bool is_statement, lex::TokenIndex before)
    {
        std::optional<Helper> helper = written_ < kMost ? helper_of(e, before) : std::nullopt;
        if (!helper || helper->is_statement != (is_statement && is_void(e.type)) || !takes(*helper, e))
            return;
        Arguments outer = std::exchange(arguments_, {});
        for (size_t i = 0; i < e.args.size(); ++i)
            arguments_[helper->params[i]] = e.args[i];
        Expr* value = copy(helper->value);
        arguments_ = std::move(outer);
        if (!helper->is_statement)
            value = converted(value, result_type(*helper->def), helper->value);
        ++written_;
        used_.insert(helper->def);
        become(e, value);
    }

    QualType result_type(const FunctionDef& def) const { return canonical(def.symbol->type).type->base; }

    // e stands for `value` from now on.
    void become(Expr& e, Expr* value)
    {
        e.kind = Kind::Paren;
        e.displaced = true;
        e.a = value;
        e.args = {};
        e.children = arena_.copy(std::vector<Node*>{value});
    }

    // The value as converted by a call or a return; `written` is what it is in the source.
    Expr* converted(Expr* value, QualType type, const Expr* written)
    {
        bool is_member = without_parens(written)->kind == Kind::Member;  // maybe a bit-field, which is promoted
        if (!is_number(type) || (!is_member && same_type(plain(value->type), plain(type))))
            return value;
        Expr* cast = arena_.make<Expr>();
        cast->kind = Kind::ImplicitCast;
        cast->displaced = true;
        cast->first = value->first;
        cast->last = value->last;
        cast->type = plain(type);
        cast->a = value;
        cast->children = arena_.copy(std::vector<Node*>{value});
        return cast;
    }

    static QualType plain(QualType type) { return {canonical(type).type, {}}; }

    // ---- which functions ----

    std::optional<Helper> helper_of(const Expr& e, lex::TokenIndex before) const
    {
        const Expr* callee = without_parens(e.a);
        FunctionDef* def = short_function(callee, unit_);
        // A function that calls itself does not end before the call.
        if (def == nullptr || def->last >= before || declared().contains(tokens_[callee->name].name))
            return std::nullopt;
        // Looked at once: of short functions that each call the one before twice, there may be many.
        auto known = helpers_.find(def);
        if (known == helpers_.end())
            known = helpers_.emplace(def, as_helper(*def)).first;
        return known->second;
    }

    std::optional<Helper> as_helper(FunctionDef& def) const
    {
        const Type* type = kind_of(def.symbol->type);
        bool is_simple =
            type->kind == TypeKind::Function && type->has_prototype && !type->is_variadic &&
            !def.declarator->parts.empty() && def.declarator->parts[0].kind == ast::DeclaratorPart::Kind::Function &&
            def.kr_declarations.empty() && def.specifiers->attributes.empty() && def.declarator->attributes.empty() &&
            def.specifiers->attribute_nodes.empty() && def.declarator->suffix.empty();
        if (!is_simple || def.symbol->ignores_types)
            return std::nullopt;
        const Node* only = def.body->items[0];
        const Expr* value = only->kind == Kind::Return || only->kind == Kind::ExprStmt
                                ? static_cast<const SimpleStmt*>(only)->value
                                : nullptr;
        if (value == nullptr || value->last - value->first >= kLongest)
            return std::nullopt;
        bool is_statement = only->kind == Kind::ExprStmt;
        QualType result = type->base;
        bool fits = is_statement ? is_void(result) && value->kind == Kind::Assign && is_writable(value->a)
                                 : is_number(result) && !is_special(result) && !is_floating_product(value);
        if (!fits || !(is_statement ? is_copied(value->a) && is_copied(value->b) : is_copied(value)) ||
            (!is_statement && !is_number(value->type)))
            return std::nullopt;
        Helper helper{&def, value, is_statement, params_of(def)};
        return names_hidden(helper) ? std::nullopt : std::optional<Helper>(std::move(helper));
    }

    // Of a setter: not its own copy of an argument
    static bool is_writable(const Expr* lvalue)
    {
        const Symbol* root = root_variable(lvalue);
        return is_number(lvalue->type) && !is_special(lvalue->type) && (root == nullptr || !root->is_parameter);
    }

    // Whether an expression has no effects, and consists of what copy() understands
    bool is_copied(const Expr* e) const
    {
        bool is_object = e->is_lvalue && (is_special(e->type) || (is_shared(e->type) && e->strict));
        if (is_object || e->type.type == nullptr)
            return false;
        switch (e->kind) {
        case Kind::Number:
        case Kind::CharConst:
        case Kind::Threads:
        case Kind::MyThread: return true;
        case Kind::Ident: return e->symbol != nullptr && !is_special(e->type);
        case Kind::Paren:
        case Kind::Index:
        case Kind::Member:
        case Kind::Binary: break;
        case Kind::Conditional:
            if (e->b == nullptr)
                return false;
            break;
        case Kind::Unary:
            if (e->op != Op::Plus && e->op != Op::Minus && e->op != Op::Not && e->op != Op::BitNot &&
                e->op != Op::Deref)
                return false;
            break;
        case Kind::Cast:
            if (!is_number(e->type) || !is_number(e->a->type))
                return false;
            break;
        case Kind::Call: break;
        default: return false;
        }
        if (e->kind == Kind::Binary && e->op == Op::Comma)
            return false;
        if (e->kind == Kind::Call && !is_pure_call(*e, tokens_) && !helper_of(*e, e->first))
            return false;
        return std::ranges::all_of(e->children, [&](const Node* child) {
            bool is_callee = e->kind == Kind::Call && child == e->a;
            return is_callee || child->kind == Kind::TypeName ||
                   (is_expression(child) && is_copied(static_cast<const Expr*>(child)));
        });
    }

    // Whether the caller declares a name that the function's expression contains, other than its parameters
    bool names_hidden(const Helper& helper) const
    {
        for (lex::TokenIndex token = helper.value->first; token <= helper.value->last; ++token) {
            if (tokens_[token].kind != lex::Tok::Identifier || !declared().contains(tokens_[token].name))
                continue;
            auto is_this = [&](const Symbol* param) { return param->name == tokens_.text(token); };
            if (std::ranges::none_of(helper.params, is_this))
                return true;
        }
        return false;
    }

    const Names& declared() const
    {
        if (declared_.empty())
            add_declared(&caller_, tokens_, declared_);
        return declared_;
    }

    // ---- which arguments ----

    bool takes(const Helper& helper, const Expr& e)
    {
        if (helper.params.size() != e.args.size() || !(is_upc_ || uses_upc(helper.value)))
            return false;
        for (size_t i = 0; i < e.args.size(); ++i) {
            const Symbol* param = helper.params[i];
            const Expr* argument = e.args[i];
            if (!is_number(param->type) || is_special(param->type) || !is_number(argument->type) ||
                has_effects(argument))
                return false;
            bool is_stored = helper.is_statement && is_name(helper.value->b, param) && helper.value->op == Op::None;
            bool may_repeat = is_plain(argument) && !calls_others_;  // a call between might change the variable
            if ((is_floating_product(argument) && !is_stored) || (uses(helper.value, param) > 1 && !may_repeat))
                return false;
        }
        return agrees(helper.value);
    }

    // Whether each name at file scope is that of one declaration in the caller and all that is written out there.  The
    // passes tell objects apart by these, and after `extern shared int a[]; ... shared int a[N];` there are two.
    bool agrees(const Node* node)
    {
        const Symbol* symbol = node->kind == Kind::Ident ? static_cast<const Expr*>(node)->symbol : nullptr;
        bool is_global = symbol != nullptr && (symbol->at_file_scope || symbol->is_extern);
        if (is_global && globals_.try_emplace(symbol->name, symbol).first->second != symbol)
            return false;
        bool all = true;
        for (const Node* child : node->children)
            all &= agrees(child);
        return all;
    }

    bool has_effects(const Expr* argument) const
    {
        auto reads_special = [](const Node* node, const auto& self) -> bool {
            return (is_expression(node) && is_special(static_cast<const Expr*>(node)->type)) ||
                   std::ranges::any_of(node->children, [&](const Node* child) { return self(child, self); });
        };
        return !has_no_effects(argument, tokens_) || reads_special(argument, reads_special);
    }

    static int uses(const Node* node, const Symbol* param)
    {
        int count = node->kind == Kind::Ident && static_cast<const Expr*>(node)->symbol == param;
        for (const Node* child : node->children)
            count += uses(child, param);
        return count;
    }

    // ---- writing ----

    // e itself may have been lowered already.
    Expr* duplicate(const Expr* e)
    {
        Expr* result = arena_.make<Expr>(*e);
        result->displaced = true;
        result->touched = false;
        result->visited = false;
        result->lowered = nullptr;
        return result;
    }

    // A copy in which arguments take the place of parameters
    Expr* copy(const Expr* e)
    {
        auto argument = e->kind == Kind::Ident ? arguments_.find(e->symbol) : arguments_.end();
        Expr* result = duplicate(e);
        if (argument != arguments_.end()) {
            Expr* value = argument->second;
            if (is_plain(value)) {  // maybe one of several
                value = duplicate(without_parens(value));
            }
            become(*result, converted(value, e->type, argument->second));
            result->is_lvalue = false;
            return result;
        }
        std::vector<Node*> children;
        for (Node* child : e->children) {
            if (!is_expression(child))
                continue;  // the name of a type
            auto* old = static_cast<Expr*>(child);
            bool is_callee = e->kind == Kind::Call && old == e->a;
            Expr* made = is_callee ? duplicate(old) : copy(old);
            for (Expr** role : {&result->a, &result->b, &result->c})
                if (*role == old)
                    *role = made;
            children.push_back(made);
        }
        result->children = arena_.copy(children);
        if (e->kind == Kind::Call) {
            std::vector<Expr*> args;  // the children after the callee
            for (size_t i = 1; i < children.size(); ++i)
                args.push_back(static_cast<Expr*>(children[i]));
            result->args = arena_.copy(args);
            if (depth_ < kDeepest && !is_pure_call(*e, tokens_)) {
                ++depth_;
                call(*result, false, e->first);
                --depth_;
            }
        }
        return result;
    }

    using Arguments = std::unordered_map<const Symbol*, Expr*>;

    const FunctionDef& caller_;
    const ast::Unit& unit_;
    const lex::TokenList& tokens_;
    ast::Arena& arena_;
    std::unordered_set<FunctionDef*>& used_;
    const bool is_upc_;  // plain C stays as it is
    mutable Names declared_;
    mutable std::unordered_map<const FunctionDef*, std::optional<Helper>> helpers_;
    std::unordered_map<std::string_view, const Symbol*> globals_;
    Arguments arguments_;
    bool calls_others_ = false;  // the expression at hand, after what can be written out
    int depth_ = 0;
    int written_ = 0;
};

}  // namespace

FunctionDef* short_function(const Expr* callee, const ast::Unit& unit)
{
    const Symbol* symbol = callee->kind == Kind::Ident ? callee->symbol : nullptr;
    if (symbol == nullptr || symbol->kind != Symbol::Kind::Function || !symbol->is_defined_by_program)
        return nullptr;
    for (Node* decl : unit.decls) {
        if (decl->kind != Kind::FunctionDef)
            continue;
        auto& def = static_cast<FunctionDef&>(*decl);
        if (def.symbol != nullptr && def.symbol->name == symbol->name)
            return def.symbol->is_static && def.body != nullptr && def.body->items.size() == 1 ? &def : nullptr;
    }
    return nullptr;
}

void write_out_calls(FunctionDef& function, const ast::Unit& unit, const lex::TokenList& tokens, ast::Arena& arena,
                     std::unordered_set<FunctionDef*>& used)
{
    if (function.body != nullptr)
        Writer(function, unit, tokens, arena, used).statements(function.body, false);
}

}  // namespace bn::lower
