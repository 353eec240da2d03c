// atomic.cc: inline atomic operations, for programs whose threads are all on one machine.
//
// UPC form                                     C form
// upc_atomic_relaxed(domain, f, op, p, a, b)   bn_atomic64(upc_atomic_relaxed, bn_own_upc_atomic_relaxed, 0, ops,
//                                                          domain, f, op, p, a, b)
//                                              where one of p, a, f and b points to a number: 64 is its number of bits,
//                                              and ops are the operations that can be done inline on such numbers
// v = bupc_atomicI_fetchadd_strict(p, a)       ({ bn_u64 q = address of *p; int x = a, v;
//                                                 if (bupc_... == bn_own_bupc_...) v = (int)bn_change_word32(...);
//                                                 else v = bupc_...(bn_at((void *)q), x); v; })
//
// A program may define functions with these names, in any unit: bn_own_... is always the library's.
#include "lower/lowerer.h"

namespace bn::lower {

using ast::Kind;
using ast::Op;
using namespace sema;

namespace {

// Number of bits of the numbers that a pointer points to: 32, 64, or 0 for anything else
struct Target {
    unsigned bits = 0;
    bool is_floating = false;
};

Target target_of(const Expr* pointer)
{
    while (pointer->kind == Kind::ImplicitCast || pointer->kind == Kind::Paren)
        pointer = pointer->a;
    TypeKind kind_of_pointer = kind(pointer->type);
    if (kind_of_pointer != TypeKind::Pointer && kind_of_pointer != TypeKind::Array)
        return {};
    QualType type = kind_of_pointer == TypeKind::Array ? element_of(pointer->type) : pointee(pointer->type);
    std::optional<Size> size = is_arithmetic(type) ? size_of(type) : std::nullopt;
    if (!size || (size->bytes != 4 && size->bytes != 8))
        return {};
    return {static_cast<unsigned>(size->bytes * 8), !is_integer(type)};
}

// &v for a private variable v of this many bits, or a null pointer: another variable can hold the value instead
bool is_whole_variable(const Expr* pointer, unsigned bits)
{
    while (pointer->kind == Kind::ImplicitCast || pointer->kind == Kind::Paren || pointer->kind == Kind::Cast)
        pointer = pointer->a;
    if (pointer->kind == Kind::Number || pointer->kind == Kind::NullPointer)
        return true;
    if (pointer->kind != Kind::Unary || pointer->op != Op::AddressOf)
        return false;
    const Expr* variable = without_parens(pointer->a);
    std::optional<Size> size = variable->kind == Kind::Ident ? size_of(variable->type) : std::nullopt;
    return size && !size->by_threads && size->bytes * 8 == bits;
}

struct TypedOperation {
    std::string_view name;
    const char* op;
    const char* first_operand;  // null: the argument after the target
    size_t arguments;
};

// mswap needs a loop and is called instead.
constexpr TypedOperation kTyped[] = {
    {"read", "BN_DIRECT_GET", "0", 1},         {"set", "BN_DIRECT_SET", nullptr, 2},
    {"swap", "BN_DIRECT_SET", nullptr, 2},     {"cswap", "BN_DIRECT_CSWAP", nullptr, 3},
    {"fetchadd", "BN_DIRECT_ADD", nullptr, 2}, {"fetchand", "BN_DIRECT_AND", nullptr, 2},
    {"fetchor", "BN_DIRECT_OR", nullptr, 2},   {"fetchxor", "BN_DIRECT_XOR", nullptr, 2},
    {"fetchnot", "BN_DIRECT_XOR", "-1", 1},
};

// bupc_atomicX_NAME_ORDER -> NAME; null if it is not in the table, or is private
const TypedOperation* typed_operation(std::string_view function, bool* is_strict)
{
    size_t order = function.rfind('_');
    size_t name = function.find('_', std::string_view("bupc_atomic").size());
    if (name == std::string_view::npos || order <= name)
        return nullptr;
    std::string_view order_name = function.substr(order + 1);
    *is_strict = order_name == "strict";
    if (!*is_strict && order_name != "relaxed")
        return nullptr;
    for (const TypedOperation& known : kTyped)
        if (known.name == function.substr(name + 1, order - name - 1))
            return &known;
    return nullptr;
}

}  // namespace

// The library function under a name that no program uses; declared before the function being lowered
std::string Lowerer::own_function(const Symbol& function)
{
    std::string own = "bn_own_" + std::string(function.name);
    if (own_functions_.insert(function.name).second)
        hoisted_.push_back(rope("extern __typeof__(") << function.name << ") " << own << " __attribute__((weak)); ");
    return own;
}

// The address of the argument's target, as bn_u64
Rope Lowerer::target_address(Expr* pointer)
{
    pointer->visited = true;
    while (pointer->kind == Kind::ImplicitCast && is_pts_value(*pointer->a))
        pointer = pointer->a;
    pointer->visited = false;
    Address target = address(pointer);
    pointer->visited = true;
    Expr* plain = without_parens(pointer);
    if (version_.indexed != nullptr && plain->kind == Kind::Unary && plain->op == Op::AddressOf)
        target.origin = index_origin(plain->a, version_.indexed->origins);
    return rope("(bn_u64)") << window_address(target);
}

bool Lowerer::atomic_in_place(Expr& e)
{
    const Expr* callee = e.a;
    bool is_wanted = options_.passes.atomic && !options_.checks && !options_.far_threads && in_function_ && !outside_;
    if (!is_wanted || callee->kind != Kind::Ident || callee->symbol == nullptr ||
        callee->symbol->kind != Symbol::Kind::Function || callee->symbol->is_static || !callee->symbol->at_file_scope)
        return false;
    std::string_view name = callee->symbol->name;
    return (name == "upc_atomic_relaxed" || name == "upc_atomic_strict") ? atomic_of_domain(e, name)
           : name.starts_with("bupc_atomic")                             ? typed_atomic(e, name)
                                                                         : false;
}

bool Lowerer::atomic_of_domain(Expr& e, std::string_view name)
{
    constexpr size_t kFetch = 1, kTarget = 3, kFirst = 4, kSecond = 5, kCount = 6;
    if (e.args.size() != kCount || !is_pts_value(*e.args[0]) || !is_pts_value(*e.args[kTarget]))
        return false;
    Target target;
    for (size_t i : {kTarget, kFirst, kFetch, kSecond})
        if (target.bits == 0)
            target = target_of(e.args[i]);
    if (target.bits == 0)
        return false;
    bool is_copying = is_whole_variable(e.args[kFirst], target.bits) && is_whole_variable(e.args[kSecond], target.bits);
    Rope address = target_address(e.args[kTarget]);
    lower_children(&e);
    Rope out = rope(is_copying ? "bn_atomic_copying" : "bn_atomic")
               << uint64_t{target.bits} << "(" << name << ", " << own_function(*e.a->symbol) << ", "
               << (name == "upc_atomic_strict" ? "1" : "0") << ", "
               << (target.is_floating ? "BN_DIRECT_BITS" : "BN_DIRECT_INTEGERS");
    for (size_t i = 0; i < kCount; ++i) {
        out << ", ";
        if (i == kTarget)
            out << address;
        else
            out << e.args[i];
    }
    set(&e, out << ")");
    return true;
}

bool Lowerer::typed_atomic(Expr& e, std::string_view name)
{
    bool is_discarded = &e == discarded_;
    bool is_strict = false;
    const TypedOperation* operation = typed_operation(name, &is_strict);
    const Type* function = kind_of(e.a->symbol->type);
    if (operation == nullptr || e.args.size() != operation->arguments || function->kind != TypeKind::Function ||
        !function->has_prototype || function->params.size() != e.args.size() || !is_generic_pts(function->params[0]) ||
        !is_pts_value(*e.args[0]))
        return false;
    bool is_set = is_void(function->base);
    QualType type = is_set ? function->params[1] : function->base;
    std::optional<Size> size = is_integer(type) ? size_of(type) : std::nullopt;
    if (!size || (size->bytes != 4 && size->bytes != 8))
        return false;
    for (size_t i = 1; i < e.args.size(); ++i)
        if (!is_arithmetic(e.args[i]->type))
            return false;
    Rope address = target_address(e.args[0]);
    lower_children(&e);
    std::string bits = std::to_string(size->bytes * 8);
    std::string target = fresh("p");
    Rope body = rope("bn_u64 ") << target << " = " << address << "; ";
    std::string called = "bn_at((void *)" + target + ")";
    std::string operands = operation->first_operand != nullptr ? ", (bn_u" + bits + ")" + operation->first_operand : "";
    for (size_t i = 1; i < e.args.size(); ++i) {
        std::string operand = fresh("v");
        body << value_declaration(type, operand) << " = " << e.args[i] << "; ";
        called += ", " + operand;
        operands += ", (bn_u" + bits + ")" + operand;
    }
    if (operation->arguments < 3)
        operands += ", 0";
    bool has_value = !is_set && !is_discarded;
    std::string value = has_value ? fresh("v") : "";
    std::string result = has_value ? value + " = " : "(void)";
    if (has_value)
        body << value_declaration(type, value) << "; ";
    body << "if (__builtin_expect(" << name << " == " << own_function(*e.a->symbol) << ", 1)) " << result;
    if (has_value)
        body << "(" << c_value_type(type) << ")";
    body << "bn_change_word" << bits << "(" << operation->op << ", " << (is_strict ? "1, " : "0, ")
         << (has_value ? "1" : "0") << ", (bn_word" << bits << " *)" << target << operands << "); else " << result
         << name << "(" << called << "); ";
    set(&e, block(!has_value, body, value));
    return true;
}

}  // namespace bn::lower
