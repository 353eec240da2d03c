#include "lower/effects.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "lower/directives.h"
#include "lower/restored.h"
#include "sema/assembler.h"

namespace bn::lower {

using ast::Expr;
using ast::Kind;
using ast::Node;
using ast::Op;
using namespace sema;

namespace {

// The name of the called function; empty if it has none, or if the program defines a function with this name, or calls
// what a variable of this name points to
std::string_view called_name(const Expr& call, const lex::TokenList& tokens)
{
    const Expr* callee = without_parens(call.a);
    bool is_own = callee->symbol != nullptr &&
                  (callee->symbol->kind != Symbol::Kind::Function || callee->symbol->definition != nullptr);
    return callee->kind == Kind::Ident && !is_own ? tokens.text(callee->name) : std::string_view();
}

// C library functions that only compute: they may set errno, which no loop of ours depends on.
bool is_pure_function(std::string_view name)
{
    static constexpr std::string_view kIntegers[] = {"abs", "labs", "llabs"};
    static constexpr std::string_view kReals[] = {
        // also with f or l appended: sqrtf, sqrtl
        "acos",  "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "ceil", "copysign", "cos",  "cosh",  "erf",
        "erfc",  "exp",   "exp2", "expm1", "fabs", "fdim",  "floor", "fma",  "fmax", "fmin",     "fmod", "hypot", "log",
        "log10", "log1p", "log2", "pow",   "rint", "round", "sin",   "sinh", "sqrt", "tan",      "tanh", "trunc",
    };
    if (name.starts_with("__builtin_"))
        name.remove_prefix(std::string_view("__builtin_").size());
    auto is_real = [](std::string_view n) { return std::ranges::binary_search(kReals, n); };
    if (is_real(name) || std::ranges::find(kIntegers, name) != std::end(kIntegers))
        return true;
    bool has_suffix = name.size() > 1 && (name.back() == 'f' || name.back() == 'l');
    return has_suffix && is_real(name.substr(0, name.size() - 1));
}

class EffectsWalker {
public:
    EffectsWalker(Effects& effects, const lex::TokenList& tokens) : effects_(effects), tokens_(tokens) {}

    void pragmas(const Node& node)
    {
        for (const lex::OtherPragma& pragma : pragmas_before(node.first, node.last, tokens_)) {
            effects_.waits |= synchronises(pragma.text, tokens_);
            if (starts_threads(pragma.text))
                regions_.insert(pragma.before);
        }
    }

    // is_whole: whether the node, where it is an array, does not become a pointer to its first element
    void walk(const Node* node, bool is_whole = false)
    {
        Restored region(region_, regions_.contains(node->first) ? node->first : region_);
        bool is_shared_out =
            region_ != 0 && (node->kind == Kind::For || node->kind == Kind::Forall) &&
            std::ranges::any_of(pragmas_before(node->first, node->first, tokens_), shares_out, &lex::OtherPragma::text);
        if (is_shared_out)
            loop_variables_.push_back(started_with(static_cast<const ast::SimpleStmt*>(node)->init));
        if (is_expression(node)) {
            const auto& e = *static_cast<const Expr*>(node);
            expression(e);
            if (is_array(e.type) && !is_shared(e.type) && !is_whole)
                take_address(&e);
        } else {
            other(*node);
        }
        switches_ += node->kind == Kind::Switch;
        for (const Node* child : node->children)
            walk(child, leaves_whole(*node, child, is_whole));
        switches_ -= node->kind == Kind::Switch;
        if (is_shared_out)
            loop_variables_.pop_back();
    }

private:
    // Whether an array that is this operand of the node does not become a pointer
    static bool leaves_whole(const Node& node, const Node* operand, bool is_whole)
    {
        if (!is_expression(&node))
            return node.kind == Kind::Specifiers;  // typeof
        const auto& e = static_cast<const Expr&>(node);
        if (operand == inner(&e))
            return is_whole;
        return (e.kind == Kind::Index && operand == e.a) || e.kind == Kind::SizeofExpr ||
               (e.kind == Kind::Unary && e.op == Op::AddressOf);
    }

    // The variable that a loop's first part assigns; null if it does not
    static const Symbol* started_with(const Node* init)
    {
        const auto* e = init != nullptr && is_expression(init) ? static_cast<const Expr*>(init) : nullptr;
        return e != nullptr && e->kind == Kind::Assign ? root_variable(e->a) : nullptr;
    }

    // Whether each thread that executes the innermost region has a variable of its own
    bool is_private(const Symbol& variable) const
    {
        return std::ranges::find(loop_variables_, &variable) != loop_variables_.end() ||
               std::ranges::any_of(
                   pragmas_before(region_, region_, tokens_),
                   [&](std::string_view pragma) { return makes_private(pragma, variable.name); },
                   &lex::OtherPragma::text);
    }

    void take_address(const Expr* lvalue)
    {
        if (const Symbol* symbol = root_variable(lvalue))
            effects_.address_taken.insert(symbol);
    }

    void store(const Expr* lvalue)
    {
        if (is_shared(lvalue->type)) {
            effects_.shared_stores.push_back(accessed_type(lvalue));
            return;
        }
        const Symbol* symbol = root_variable(lvalue);
        if (symbol == nullptr) {
            effects_.stores_through_pointer = true;
            return;
        }
        effects_.assigned.insert(symbol);
        if (symbol->token < region_ && !is_private(*symbol))
            effects_.stored_by_threads.insert(symbol);
    }

    void expression(const Expr& e)
    {
        effects_.is_strict |= e.is_lvalue && e.strict && is_shared(e.type);
        effects_.waits |= e.is_lvalue && canonical(e.type).quals.is_atomic;
        switch (e.kind) {
        case Kind::Assign: store(e.a); return;
        case Kind::Unary:
            if (e.op == Op::PreInc || e.op == Op::PreDec || e.op == Op::PostInc || e.op == Op::PostDec)
                store(e.a);
            if (e.op == Op::LabelAddress)
                effects_.is_opaque = true;
            if (e.op == Op::AddressOf)
                take_address(e.a);
            return;
        case Kind::Call: effects_.calls |= !is_pure_call(e, tokens_); return;
        case Kind::VaArg: effects_.is_opaque = true; return;
        default: return;
        }
    }

    // An asm statement acts like a call of an unknown function that receives its operands, unless it jumps.  Code that
    // may define a label must not be duplicated.
    void assembler(const Node& node)
    {
        lex::TokenIndex i = node.first;
        for (; tokens_[i].kind != lex::Tok::LParen; ++i)
            effects_.is_opaque |= tokens_[i].kind == lex::Tok::KwGoto;
        for (++i; tokens_[i].kind == lex::Tok::String; ++i)
            effects_.cannot_repeat |= tokens_.text(i).find(':') != std::string_view::npos;
        effects_.calls = true;
        for (const Node* child : node.children)
            if (const Expr* operand = static_cast<const Expr*>(child); is_output(*operand, tokens_))
                store(operand);
    }

    void other(const Node& node)
    {
        switch (node.kind) {
        case Kind::FunctionDef:
        case Kind::Opaque: effects_.is_opaque = true; return;
        case Kind::AsmStmt: assembler(node); return;
        case Kind::Case:
        case Kind::Default:
            effects_.cannot_repeat |= switches_ == 0;  // it belongs to a switch outside
            return;
        case Kind::Label:
        case Kind::Goto:
        case Kind::RecordSpec:
        case Kind::EnumSpec: effects_.cannot_repeat = true; return;
        case Kind::For:
        case Kind::While:
        case Kind::DoWhile:
        case Kind::Forall: effects_.loops = true; return;
        case Kind::Declaration:
            for (const ast::InitDeclarator* init : static_cast<const ast::Declaration&>(node).declarators) {
                effects_.assigned.insert(init->symbol);
                effects_.declared.insert(init->symbol);
            }
            return;
        case Kind::Barrier:
        case Kind::Notify:
        case Kind::Wait: effects_.calls = true; return;
        case Kind::Fence: effects_.is_strict = true; return;
        case Kind::AttributeList: effects_.calls |= has_cleanup(node, tokens_); return;
        case Kind::Specifiers: {
            const auto& spec = static_cast<const ast::Specifiers&>(node);
            effects_.cannot_repeat |= spec.is_static || spec.is_extern || spec.is_typedef;
            return;
        }
        default: return;
        }
    }

    Effects& effects_;
    const lex::TokenList& tokens_;
    int switches_ = 0;                             // number of enclosing switches
    std::unordered_set<lex::TokenIndex> regions_;  // first tokens of statements that other threads may execute
    lex::TokenIndex region_ = 0;                   // of the innermost one around; 0 if there is none
    std::vector<const Symbol*> loop_variables_;    // of the loops around that are shared out: private by themselves
};

bool is_invariant_variable(const Symbol* symbol, const Effects& body, const Effects& function)
{
    if (symbol == nullptr || symbol->kind != Symbol::Kind::Variable || is_shared(symbol->type) ||
        canonical(symbol->type).quals.is_volatile)
        return false;
    if (is_assigned(*symbol, body))
        return false;
    return element_of(symbol->type).quals.is_const || !may_change_unseen(*symbol, body, function);
}

// Whether an expression, where it stands, has no effects and the same value at each evaluation
bool keeps_value(const Expr* e, const Effects& body, const Effects& function)
{
    e = without_parens(e);
    switch (e->kind) {
    case Kind::Number:
    case Kind::BoolConst:
    case Kind::CharConst:
    case Kind::Threads:
    case Kind::MyThread:
    case Kind::MaxBlock: return true;
    case Kind::SizeofExpr:
    case Kind::SizeofType: {
        QualType type = e->kind == Kind::SizeofExpr ? e->a->type : e->type_name->type;
        return size_of(type).has_value();
    }
    case Kind::Ident:
        return (e->symbol != nullptr && e->symbol->is_constant) || is_invariant_variable(e->symbol, body, function);
    case Kind::Member:
        return e->op == Op::Dot && !canonical(e->type).quals.is_volatile && keeps_value(e->a, body, function);
    case Kind::Cast: return is_arithmetic(e->type) && is_arithmetic(e->a->type) && keeps_value(e->a, body, function);
    case Kind::Unary:
        return (e->op == Op::Plus || e->op == Op::Minus || e->op == Op::Not || e->op == Op::BitNot) &&
               keeps_value(e->a, body, function);
    case Kind::Binary:
        return e->op != Op::Comma && keeps_value(e->a, body, function) && keeps_value(e->b, body, function);
    case Kind::Conditional:
        return e->b != nullptr && keeps_value(e->a, body, function) && keeps_value(e->b, body, function) &&
               keeps_value(e->c, body, function);
    default: return false;
    }
}

bool has_linkage(const Symbol& symbol)
{
    return symbol.at_file_scope || symbol.is_extern;
}

}  // namespace

const Symbol* root_variable(const Expr* lvalue)
{
    for (;;) {
        lvalue = without_parens(lvalue);
        bool is_part = (lvalue->kind == Kind::Member && lvalue->op == Op::Dot) ||
                       (lvalue->kind == Kind::Index && has_elements(lvalue->a->type)) ||
                       (lvalue->kind == Kind::Unary && (lvalue->op == Op::Real || lvalue->op == Op::Imag));
        if (!is_part)
            return lvalue->kind == Kind::Ident ? lvalue->symbol : nullptr;
        lvalue = lvalue->a;
    }
}

bool is_name(const Expr* e, const Symbol* variable)
{
    e = without_parens(e);
    return e->kind == Kind::Ident && e->symbol == variable;
}

bool mentions(const Node* node, std::span<const Symbol* const> variables)
{
    if (node->kind == Kind::Opaque)
        return true;
    if (node->kind == Kind::Ident)
        return std::ranges::find(variables, static_cast<const Expr*>(node)->symbol) != variables.end();
    return std::ranges::any_of(node->children, [&](const Node* child) { return mentions(child, variables); });
}

std::vector<const Expr*> parts_of(const Expr* clause)
{
    const Expr* e = without_parens(clause);
    if (e->kind != Kind::Binary || e->op != Op::Comma)
        return {e};
    std::vector<const Expr*> parts = parts_of(e->a);
    std::ranges::copy(parts_of(e->b), std::back_inserter(parts));
    return parts;
}

LoopStart start_of(const ast::SimpleStmt& loop, const Symbol* variable, const lex::TokenList& tokens)
{
    LoopStart start;
    auto see = [&](const Node* part, bool is_set, Expr* value) {
        if (is_set || effects_of(part, tokens).assigned.contains(variable))
            start.value = is_set ? value : nullptr;
    };
    if (loop.init == nullptr)
        return start;
    if (loop.init->kind == Kind::Declaration) {
        const auto& declared = static_cast<const ast::Declaration*>(loop.init)->declarators;
        for (const ast::InitDeclarator* one : declared)
            see(one, one->symbol == variable, one->init);
        start.is_alone = declared.size() == 1;
        return start;
    }
    std::vector<const Expr*> parts = parts_of(static_cast<const Expr*>(loop.init));
    for (const Expr* one : parts)
        see(one, one->kind == Kind::Assign && one->op == Op::None && is_name(one->a, variable), one->b);
    start.is_alone = parts.size() == 1;
    return start;
}

bool is_step(const Expr& e)
{
    return e.kind == Kind::Unary &&
           (e.op == Op::PreInc || e.op == Op::PreDec || e.op == Op::PostInc || e.op == Op::PostDec);
}

bool is_assigned(const Symbol& variable, const Effects& effects)
{
    if (effects.assigned.contains(&variable))
        return true;
    return has_linkage(variable) &&
           std::any_of(effects.assigned.begin(), effects.assigned.end(),
                       [&](const Symbol* other) { return has_linkage(*other) && other->name == variable.name; });
}

bool is_pure_call(const Expr& call, const lex::TokenList& tokens)
{
    return is_pure_function(called_name(call, tokens));
}

bool writes_nothing_shared(const Expr& call, const lex::TokenList& tokens)
{
    // UPC library functions that are inline.  Others, such as upc_lock, may be functions of the program in another
    // unit.
    static constexpr std::string_view kNames[] = {"sched_yield", "upc_phaseof", "upc_threadof"};
    std::string_view name = called_name(call, tokens);
    return is_pure_call(call, tokens) || std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

bool has_cleanup(const Node& node, const lex::TokenList& tokens)
{
    for (lex::TokenIndex token = node.first; token <= node.last; ++token)
        if (std::string_view text = tokens.text(token); text == "cleanup" || text == "__cleanup__")
            return true;
    return false;
}

Effects effects_of(const Node* node, const lex::TokenList& tokens)
{
    Effects effects;
    EffectsWalker walker(effects, tokens);
    walker.pragmas(*node);
    if (node->kind == Kind::FunctionDef) {  // the whole function was asked about, as opposed to one nested in the node
        for (const Node* child : node->children)
            walker.walk(child);
    } else {
        walker.walk(node);
    }
    return effects;
}

bool can_be_reached(const Symbol& variable, const Effects& function)
{
    return variable.at_file_scope || variable.is_static || variable.is_extern ||
           function.address_taken.contains(&variable);
}

bool may_change_unseen(const Symbol& variable, const Effects& body, const Effects& function)
{
    bool is_reached = can_be_reached(variable, function);
    bool is_common = is_reached || function.stored_by_threads.contains(&variable);
    return (is_reached && body.stores_through_pointer) || (is_common && (body.calls || body.waits));
}

QualType accessed_type(const Expr* lvalue)
{
    QualType type = lvalue->type;
    for (;;) {
        lvalue = without_parens(lvalue);
        bool is_member = lvalue->kind == Kind::Member;
        bool is_element = lvalue->kind == Kind::Index && has_elements(lvalue->a->type);
        bool is_half = lvalue->kind == Kind::Unary && (lvalue->op == Op::Real || lvalue->op == Op::Imag);
        if (!is_member && !is_element && !is_half)
            return type;
        bool is_pointed_to = is_member && lvalue->op == Op::Arrow;
        QualType whole = is_pointed_to ? canonical(lvalue->a->type).type->base : lvalue->a->type;
        bool is_union = is_record(whole) && canonical(whole).type->record->is_union;
        if (is_half || is_vector(whole) || is_union || may_alias(whole))
            type = whole;
        if (is_pointed_to)
            return type;
        lvalue = lvalue->a;
    }
}

bool may_change(QualType stored, QualType read, const Effects& function)
{
    // Characters may be part of anything, and so may what consists of numbers.
    auto is_number = [](QualType type) {
        return is_arithmetic(type) && kind(type) != TypeKind::Complex && !is_vector(type) &&
               size_of(type).value_or(Size{1, false}).bytes > 1;
    };
    bool ignores_types = function.ignores_types || may_alias(stored) || may_alias(read);
    if (ignores_types || !is_number(stored) || (!is_number(read) && !is_pts(read)))
        return true;
    return is_number(read) && is_integer(read) == is_integer(stored) && size_of(read)->bytes == size_of(stored)->bytes;
}

bool may_write_pointed_to(const Expr* lvalue, const Effects& body, const Effects& function)
{
    QualType type = accessed_type(lvalue);
    auto is_in = [&](const Symbol* symbol) {
        QualType element = element_of(symbol->type);
        bool is_scalar = is_arithmetic(element) || is_pointer(element);
        return can_be_reached(*symbol, function) && (!is_scalar || may_change(element, type, function));
    };
    return body.calls || body.waits || body.stores_through_pointer || body.is_strict ||
           std::any_of(body.assigned.begin(), body.assigned.end(), is_in) ||
           std::any_of(body.shared_stores.begin(), body.shared_stores.end(),
                       [&](QualType stored) { return may_change(stored, type, function); });
}

bool is_invariant(const Expr* e, const Effects& body, const Effects& function)
{
    auto is_declared_inside = [&](const Node& part) {
        return part.kind == Kind::Ident && body.declared.contains(static_cast<const Expr&>(part).symbol);
    };
    return keeps_value(e, body, function) && (body.declared.empty() || !any_below(*e, is_declared_inside));
}

bool has_no_effects(const Expr* e, const lex::TokenList& tokens)
{
    if (e->kind == Kind::StmtExpr || (is_shared(e->type) && e->is_lvalue && e->strict))
        return false;
    Effects effects = effects_of(e, tokens);
    if (effects.calls || effects.is_opaque || effects.stores_through_pointer || !effects.assigned.empty())
        return false;
    for (const Node* child : e->children)
        if (is_expression(child) && !has_no_effects(static_cast<const Expr*>(child), tokens))
            return false;
    return e->kind != Kind::Assign;
}

bool is_same_form(const Expr* a, const Expr* b, const lex::TokenList& tokens)
{
    a = without_parens(a);
    b = without_parens(b);
    if (a->kind != b->kind || a->op != b->op)
        return false;
    switch (a->kind) {
    case Kind::Number:
    case Kind::BoolConst:
    case Kind::CharConst: return tokens.text(a->first) == tokens.text(b->first);
    case Kind::Threads:
    case Kind::MyThread:
    case Kind::MaxBlock: return true;
    case Kind::Ident: return a->symbol == b->symbol;
    case Kind::Cast: return same_type(a->type_name->type, b->type_name->type) && is_same_form(a->a, b->a, tokens);
    case Kind::Unary: return a->op != Op::LabelAddress && is_same_form(a->a, b->a, tokens);
    case Kind::Member: return tokens.text(a->name) == tokens.text(b->name) && is_same_form(a->a, b->a, tokens);
    case Kind::Binary: return is_same_form(a->a, b->a, tokens) && is_same_form(a->b, b->b, tokens);
    default: return false;
    }
}

}  // namespace bn::lower
