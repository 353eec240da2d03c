// constant.cc: integer constant expressions, and the forms of array dimensions that may contain THREADS (facts 1.8).
#include <algorithm>

#include "sema/builtins.h"
#include "sema/checker.h"
#include "sema/limits.h"
#include "sema/strings.h"

namespace bn::sema {

using ast::Expr;
using ast::Kind;
using ast::Op;

__int128 truncate(__int128 value, QualType type)
{
    std::optional<Size> size = size_of(type);
    if (!size || !is_integer(type) || size->bytes >= 16)
        return value;
    if (kind(type) == TypeKind::Bool)
        return value != 0;
    unsigned bits = static_cast<unsigned>(size->bytes * 8);
    unsigned __int128 mask = (static_cast<unsigned __int128>(1) << bits) - 1;
    unsigned __int128 low = static_cast<unsigned __int128>(value) & mask;
    if (!is_unsigned(type) && (low >> (bits - 1)) != 0)
        low |= ~mask;
    return static_cast<__int128>(low);
}

namespace {

// The value of __alignof__ of an object, which attributes may have raised above that of its type; nullopt if only cc
// knows
std::optional<__int128> alignment(const Expr& e, uint64_t largest)
{
    if (e.kind == Kind::Paren)
        return alignment(*e.a, largest);
    if (e.kind == Kind::Member)
        return std::nullopt;
    uint64_t align = align_of(e.type, largest);
    return std::max(align, e.kind == Kind::Ident && e.symbol != nullptr ? e.symbol->align : 0);
}

// Also nullopt if the result does not fit into 128 bits
std::optional<__int128> apply(Op op, __int128 a, __int128 b)
{
    __int128 result = 0;
    auto unless = [&](bool has_overflowed) { return has_overflowed ? std::nullopt : std::optional<__int128>(result); };
    switch (op) {
    case Op::Mul: return unless(__builtin_mul_overflow(a, b, &result));
    case Op::Div:
        if (b == -1)
            return unless(__builtin_sub_overflow(0, a, &result));
        return b == 0 ? std::nullopt : std::optional<__int128>(a / b);
    case Op::Mod:
        if (b == -1)
            return 0;
        return b == 0 ? std::nullopt : std::optional<__int128>(a % b);
    case Op::Add: return unless(__builtin_add_overflow(a, b, &result));
    case Op::Sub: return unless(__builtin_sub_overflow(a, b, &result));
    case Op::Shl:
        if (b < 0 || b > 126)
            return std::nullopt;
        return unless(__builtin_mul_overflow(a, static_cast<__int128>(1) << b, &result));
    case Op::Shr: return b < 0 || b > 126 ? std::nullopt : std::optional<__int128>(a >> b);
    case Op::Lt: return a < b;
    case Op::Gt: return a > b;
    case Op::Le: return a <= b;
    case Op::Ge: return a >= b;
    case Op::Eq: return a == b;
    case Op::Ne: return a != b;
    case Op::And: return a & b;
    case Op::Xor: return a ^ b;
    case Op::Or: return a | b;
    default: return std::nullopt;
    }
}

// 99 if c is not a digit
int digit_value(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : 99;
}

// The value of an integer; the suffix is ignored
__int128 number_value(std::string_view spelled)
{
    std::string digits;
    for (char c : spelled)
        if (c != '\'')  // C23: 1'000
            digits += c;
    int base = 10;
    size_t i = 0;
    if (digits.size() > 1 && digits[0] == '0') {
        bool is_hex = digits[1] == 'x' || digits[1] == 'X';
        bool is_binary = digits[1] == 'b' || digits[1] == 'B';
        base = is_hex ? 16 : is_binary ? 2 : 8;
        i = is_hex || is_binary ? 2 : 1;
    }
    unsigned __int128 value = 0;
    for (; i < digits.size(); ++i) {
        char c = digits[i];
        int digit = digit_value(c);
        if (digit >= base)
            break;
        value = value * static_cast<unsigned>(base) + static_cast<unsigned>(digit);
    }
    return static_cast<__int128>(value);
}

}  // namespace

std::optional<__int128> Checker::constant_character(const Expr* e)
{
    std::optional<int64_t> value = character_value(text(e->first), options_.machine.char_is_unsigned);
    return value ? std::optional<__int128>(truncate(*value, e->type)) : std::nullopt;
}

std::optional<__int128> Checker::constant_cast(const Expr* e)
{
    if (!is_integer(e->type))
        return std::nullopt;
    const Expr* operand = ast::without_parens(e->a);
    if (operand->kind == Kind::Number && !is_integer(operand->type)) {
        std::string spelled(text(operand->first));
        long double number = std::strtold(spelled.c_str(), nullptr);
        constexpr long double kBeyond = 18446744073709551616.0L;
        return number < kBeyond ? std::optional<__int128>(truncate(static_cast<__int128>(number), e->type))
                                : std::nullopt;
    }
    std::optional<__int128> value = constant(e->a);
    return value ? std::optional<__int128>(truncate(*value, e->type)) : std::nullopt;
}

std::optional<__int128> Checker::constant_sizeof(const Expr* e)
{
    QualType type = e->kind == Kind::SizeofExpr ? e->a->type : e->type_name->type;
    switch (e->op) {
    case Op::Sizeof: {
        std::optional<Size> size = size_of(type);
        if (!size || (size->by_threads && is_dynamic()))
            return std::nullopt;
        return static_cast<__int128>(size->bytes);
    }
    case Op::Alignof: {
        uint64_t largest = options_.machine.largest_alignment;
        return e->kind == Kind::SizeofExpr ? alignment(*e->a, largest) : static_cast<__int128>(align_of(type, largest));
    }
    case Op::BlockSizeof: return static_cast<__int128>(block_size(type));
    case Op::ElemSizeof: {
        std::optional<Size> size = size_of(element_of(type));
        return size ? std::optional<__int128>(size->bytes) : std::nullopt;
    }
    case Op::LocalSizeof: {
        std::optional<Size> size = size_of(element_of(type));
        std::optional<uint64_t> count = local_elements(type, options_.static_threads);
        return size && count ? std::optional<__int128>(static_cast<__int128>(size->bytes) * *count) : std::nullopt;
    }
    default: return std::nullopt;
    }
}

// offsetof(struct s, member[2].part)
std::optional<__int128> Checker::constant_offsetof(const Expr* e)
{
    QualType type = e->type_name->type;
    __int128 offset = 0;
    size_t next = 0;  // index of the next index
    for (lex::TokenIndex token = e->name; token != 0 && token < e->last; ++token) {
        if (tokens_[token].kind == lex::Tok::Identifier) {
            const Record* record = is_record(type) ? kind_of(type)->record : nullptr;
            uint64_t inside = 0;
            const Field* found =
                record != nullptr && record->size_known ? find_field(*record, text(token), &inside) : nullptr;
            if (found == nullptr)
                return std::nullopt;
            offset += inside;
            type = found->type;
        } else if (tokens_[token].kind == lex::Tok::LBracket) {
            std::optional<__int128> index = constant(e->args[next]);
            type = is_array(type) ? kind_of(type)->base : unknown();
            std::optional<Size> size = size_of(type);
            if (!index || !size || *index > UINT32_MAX || *index < 0)
                return std::nullopt;
            offset += *index * size->bytes;
            token = e->args[next++]->last;
        }
    }
    return offset;
}

// The value of a call such as __builtin_ctz(1024), which cc accepts as a constant
std::optional<__int128> Checker::constant_call(const Expr* e)
{
    if (e->a->kind != Kind::Ident || e->a->symbol != nullptr)
        return std::nullopt;
    std::vector<__int128> arguments;
    for (const Expr* argument : e->args) {
        std::optional<__int128> value = is_integer(argument->type) ? constant(argument) : std::nullopt;
        if (!value)
            return std::nullopt;
        arguments.push_back(*value);
    }
    return builtin_value(text(e->a->first), arguments);
}

std::optional<__int128> Checker::constant_unary(const Expr* e)
{
    if (e->op == Op::LabelAddress)  // has no operand
        return std::nullopt;
    if (e->op == Op::Extension)
        return constant(e->a);
    std::optional<__int128> a = constant(e->a);
    if (!a)
        return std::nullopt;
    switch (e->op) {
    case Op::Plus: return a;
    case Op::Minus: {
        std::optional<__int128> value = apply(Op::Sub, 0, *a);
        return value && is_unsigned(e->type) ? truncate(*value, e->type) : value;
    }
    case Op::Not: return *a == 0;
    case Op::BitNot: return truncate(~*a, e->type);
    default: return std::nullopt;
    }
}

std::optional<__int128> Checker::constant_binary(const Expr* e)
{
    if (e->op == Op::Comma)
        return std::nullopt;
    std::optional<__int128> a = constant(e->a);
    if (!a)
        return std::nullopt;
    if (e->op == Op::LogAnd || e->op == Op::LogOr) {
        if ((*a != 0) == (e->op == Op::LogOr))
            return *a != 0;
        std::optional<__int128> b = constant(e->b);
        return b ? std::optional<__int128>(*b != 0) : std::nullopt;
    }
    std::optional<__int128> b = constant(e->b);
    if (!b)
        return std::nullopt;
    bool is_shift = e->op == Op::Shl || e->op == Op::Shr;
    QualType common = is_shift ? e->type : arithmetic_type(e->a->type, e->b->type);
    if (!is_shift && is_unsigned(common)) {  // -1 < 0u is false
        a = truncate(*a, common);
        b = truncate(*b, common);
    }
    if (e->op == Op::Mul && is_unsigned(common))
        return truncate(static_cast<__int128>(static_cast<unsigned __int128>(*a) * static_cast<unsigned __int128>(*b)),
                        common);
    std::optional<__int128> value = apply(e->op, *a, *b);
    // Signed overflow is kept: a block size of UPC_MAX_BLOCK_SIZE + 1 must be recognised as too large.  But 1 << 31 is
    // the least int, with gcc and clang.
    bool is_plain_shift = e->op == Op::Shl && *b < static_cast<__int128>(8 * size_of(e->type).value_or(Size{}).bytes);
    return value && (is_plain_shift || is_unsigned(e->type)) ? std::optional(truncate(*value, e->type)) : value;
}

// The value of a typed expression; nullopt if it is not an integer constant expression.  Floating constants are
// accepted where C allows a cast to make them integers.
std::optional<__int128> Checker::constant(const Expr* e)
{
    switch (e->kind) {
    case Kind::Number:
        return is_integer(e->type) ? std::optional<__int128>(number_value(text(e->first))) : std::nullopt;
    case Kind::CharConst: return constant_character(e);
    case Kind::Ident:
        if (e->symbol != nullptr && e->symbol->is_constant)
            return e->symbol->value;
        return std::nullopt;
    case Kind::BoolConst: return tokens_[e->first].kind == lex::Tok::KwTrue;
    case Kind::MaxBlock: return static_cast<__int128>(kMaxBlockSize);
    case Kind::Threads: return is_dynamic() ? std::nullopt : std::optional<__int128>(options_.static_threads);
    case Kind::Paren: return constant(e->a);
    case Kind::ImplicitCast: return std::nullopt;
    case Kind::Cast: return constant_cast(e);
    case Kind::SizeofExpr:
    case Kind::SizeofType: return constant_sizeof(e);
    case Kind::Offsetof: return constant_offsetof(e);
    case Kind::TypesCompatible:
        if (e->type_args.size() == 2)
            return compatible(e->type_args[0]->type, e->type_args[1]->type) ? 1 : 0;
        return std::nullopt;
    case Kind::ChooseExpr: {
        std::optional<__int128> which = constant(e->a);
        return which ? constant(*which != 0 ? e->b : e->c) : std::nullopt;
    }
    case Kind::Generic: return e->b != nullptr ? constant(e->b) : std::nullopt;
    case Kind::Call: return constant_call(e);
    case Kind::Unary: return constant_unary(e);
    case Kind::Binary: return constant_binary(e);
    case Kind::Conditional: {
        std::optional<__int128> a = constant(e->a);
        if (!a)
            return std::nullopt;
        if (*a != 0)
            return e->b != nullptr ? constant(e->b) : a;
        return constant(e->c);
    }
    default: return std::nullopt;
    }
}

// An integer constant expression, THREADS, or a product of these in any order and nesting of parentheses.  The caller
// counts THREADS in the tokens and reports more than one.
std::optional<Constant> Checker::dimension(const Expr* e)
{
    if (e->kind == Kind::Threads)
        return is_dynamic() ? Constant{1, true} : Constant{options_.static_threads, false};
    if (e->kind == Kind::Paren)
        return dimension(e->a);
    if (e->kind == Kind::Binary && e->op == Op::Mul) {
        std::optional<Constant> a = dimension(e->a);
        std::optional<Constant> b = dimension(e->b);
        if (!a || !b || (a->by_threads && b->by_threads))
            return std::nullopt;
        std::optional<__int128> value = apply(Op::Mul, a->value, b->value);
        return value ? std::optional<Constant>(Constant{*value, a->by_threads || b->by_threads}) : std::nullopt;
    }
    std::optional<__int128> value = constant(e);
    return value ? std::optional<Constant>(Constant{*value, false}) : std::nullopt;
}

namespace {

// Whether cc may compute a different value: anything except numbers and operators on them
bool is_reckoned(const Expr& e)
{
    switch (e.kind) {
    case Kind::Number:
    case Kind::BoolConst:
    case Kind::MaxBlock:
    case Kind::Threads: return false;
    case Kind::Paren:
    case Kind::Unary:
    case Kind::Binary:
    case Kind::Conditional:
        return std::ranges::any_of(
            e.children, [](const ast::Node* child) { return is_reckoned(static_cast<const Expr&>(*child)); });
    default: return true;
    }
}

}  // namespace

// Records a block size; or, of a dimension, the constants multiplied with THREADS
void Checker::note_reckoned(const Expr* e)
{
    if (!is_reckoned(*e))
        return;
    if (std::optional<__int128> value = constant(e)) {
        std::string quoted = quote(*e);
        analysis_.reckoned[e] = {*value, quoted.substr(1, quoted.size() - 2)};
        return;
    }
    for (const ast::Node* child : e->children)
        if (ast::is_expression(child))
            note_reckoned(static_cast<const Expr*>(child));
}

}  // namespace bn::sema
