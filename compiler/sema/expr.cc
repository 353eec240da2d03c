// expr.cc: types of primary and postfix expressions, size operators and casts.
#include <algorithm>
#include <unordered_map>
#include <utility>

#include "sema/checker.h"
#include "sema/library.h"
#include "sema/strings.h"

namespace bn::sema {

using ast::Expr;
using ast::Kind;
using ast::Op;
using diag::Id;

namespace {

bool access_is_strict(QualType type, bool pragma_strict)
{
    Quals quals = element_of(type).quals;
    return quals.is_strict || (pragma_strict && !quals.is_relaxed);
}

}  // namespace

const ast::SimpleStmt* value_statement(const ast::CompoundStmt& body)
{
    const ast::Node* last = body.items.empty() ? nullptr : body.items.back();
    while (last != nullptr && (last->kind == Kind::Label || last->kind == Kind::Case || last->kind == Kind::Default))
        last = static_cast<const ast::SimpleStmt*>(last)->then;
    if (last == nullptr || last->kind != Kind::ExprStmt)
        return nullptr;
    const auto* statement = static_cast<const ast::SimpleStmt*>(last);
    return statement->value != nullptr ? statement : nullptr;
}

void Checker::expr(Expr* e)
{
    if (e == nullptr || e->type.type != nullptr)
        return;
    e->type = unknown();
    switch (e->kind) {
    case Kind::Ident: ident(*e); break;
    case Kind::Number: number(*e); break;
    case Kind::BoolConst: e->type = basic(TypeKind::Bool); break;
    case Kind::NullPointer: e->type = pointer_to(basic(TypeKind::Void)); break;
    case Kind::CharConst:
    case Kind::String: char_or_string(*e); break;
    case Kind::Paren:
        expr(e->a);
        e->type = e->a->type;
        e->is_lvalue = e->a->is_lvalue;
        break;
    case Kind::Index: index(*e); break;
    case Kind::Call: call(*e); break;
    case Kind::Member: member(*e); break;
    case Kind::Unary: unary(*e); break;
    case Kind::SizeofExpr:
    case Kind::SizeofType: size_operator(*e); break;
    case Kind::Cast: cast(*e); break;
    case Kind::CompoundLiteral: compound_literal(*e); break;
    case Kind::Binary: binary(*e); break;
    case Kind::Assign: assign(*e); break;
    case Kind::Conditional: conditional(*e); break;
    case Kind::Generic: generic(*e); break;
    case Kind::StmtExpr: {
        compound(*e->body);
        e->type = basic(TypeKind::Void);
        if (const ast::SimpleStmt* last = value_statement(*e->body); last != nullptr)
            e->type = value_type(*last->value);
        break;
    }
    case Kind::VaArg:
        expr(e->a);
        e->type = type_name(*e->type_name);
        if (is_shared(e->type))
            diags_.report(Id::SharedParameter, range(*e->type_name), {quote(e->type)});
        break;
    case Kind::Offsetof: offset_of(*e); break;
    case Kind::TypesCompatible:
        for (ast::TypeName* name : e->type_args)
            type_name(*name);
        e->type = basic(TypeKind::Int);
        break;
    case Kind::ChooseExpr: {
        expr(e->a);
        expr(e->b);
        expr(e->c);
        std::optional<__int128> which = constant(e->a);
        if (which) {
            Expr* chosen = *which != 0 ? e->b : e->c;
            e->args = arena_.copy(std::vector<Expr*>{chosen});
            e->type = chosen->type;
            e->is_lvalue = chosen->is_lvalue;
        }
        break;
    }
    case Kind::Threads:
    case Kind::MyThread: e->type = basic(TypeKind::Int); break;
    case Kind::MaxBlock: e->type = basic(TypeKind::Int); break;
    default: break;
    }
    if (e->is_lvalue && is_shared(e->type) && !is_array(e->type))
        e->strict = access_is_strict(e->type, strict_);
}

void Checker::ident(Expr& e)
{
    Symbol* symbol = lookup(e.first);
    e.symbol = symbol;
    if (symbol == nullptr)
        return;
    symbol->is_named_for_its_type |= operands_for_type_ > 0;
    e.type = symbol->type;
    e.is_lvalue = symbol->kind == Symbol::Kind::Variable;
    symbol->is_named = true;
}

// Of the operand, only the type counts.
void Checker::expr_for_type(Expr* e)
{
    ++operands_for_type_;
    expr(e);
    --operands_for_type_;
}

void Checker::number(Expr& e)
{
    std::string_view spelled = text(e.first);
    bool is_hex = spelled.size() > 1 && spelled[0] == '0' && (spelled[1] == 'x' || spelled[1] == 'X');
    bool is_float = spelled.find('.') != std::string_view::npos ||
                    spelled.find_first_of(is_hex ? "pP" : "eE") != std::string_view::npos;
    size_t end = spelled.size();
    int longs = 0;
    bool has_u = false, has_f = false, is_imaginary = false;
    while (end > 1) {
        char c = spelled[end - 1];
        if ((c == 'f' || c == 'F') && is_float)
            has_f = true;
        else if (c == 'l' || c == 'L')
            ++longs;
        else if (c == 'u' || c == 'U')
            has_u = true;
        else if (c == 'i' || c == 'I' || c == 'j' || c == 'J')
            is_imaginary = true;
        else if (c == 'q' || c == 'Q' || c == 'w' || c == 'W')
            return;
        else
            break;
        --end;
    }
    if (is_imaginary) {
        e.type = complex(basic(!is_float ? TypeKind::Int
                               : has_f   ? TypeKind::Float
                               : longs   ? TypeKind::LDouble
                                         : TypeKind::Double));
        return;
    }
    if (is_float) {
        if (!is_hex && spelled.find_first_of("dDbB") != std::string_view::npos)
            return;  // decimal and bfloat constants
        e.type = basic(has_f ? TypeKind::Float : longs ? TypeKind::LDouble : TypeKind::Double);
        return;
    }
    e.type = basic(TypeKind::ULLong);
    std::optional<__int128> value = constant(&e);
    bool is_decimal = spelled[0] != '0';
    __int128 v = value.value_or(0);
    if (longs >= 2)
        e.type = basic(has_u || v > INT64_MAX ? TypeKind::ULLong : TypeKind::LLong);
    else if (!has_u && longs == 0 && v <= INT32_MAX)
        e.type = basic(TypeKind::Int);
    else if (longs == 0 && v <= UINT32_MAX && (has_u || !is_decimal))
        e.type = basic(TypeKind::UInt);
    else if (!has_u && v <= INT64_MAX)
        e.type = basic(TypeKind::Long);
    else
        e.type = basic(TypeKind::ULong);
}

void Checker::char_or_string(Expr& e)
{
    auto unit_of = [&](lex::TokenIndex token) {
        char prefix = text(token)[0];
        if (prefix == 'u')
            return text(token).starts_with("u8") ? TypeKind::Char : TypeKind::UShort;
        return prefix == 'L' ? options_.machine.wide_char : prefix == 'U' ? TypeKind::UInt : TypeKind::Char;
    };
    TypeKind unit = unit_of(e.first);
    if (e.kind == Kind::CharConst) {
        e.type = basic(unit == TypeKind::Char ? TypeKind::Int : unit);
        return;
    }
    for (lex::TokenIndex token = e.first; token <= e.last; ++token)  // one wide piece makes the whole literal wide
        unit = unit == TypeKind::Char ? unit_of(token) : unit;
    Type* array = make_type(TypeKind::Array);
    array->base = basic(unit);
    array->has_count = true;
    array->count = 1;
    for (lex::TokenIndex token = e.first; token <= e.last; ++token)
        array->count += string_units(text(token), static_cast<unsigned>(size_of(array->base)->bytes));
    e.type = {array, Quals{}};
    e.is_lvalue = true;
}

// Result types of builtins that programs use where the type matters; all other builtins are Unknown.
QualType Checker::builtin_result(std::string_view name, const Expr& call)
{
    static const std::unordered_map<std::string_view, TypeKind> kResults = {
        {"__builtin_expect", TypeKind::Long},       {"__builtin_strlen", TypeKind::ULong},
        {"__builtin_object_size", TypeKind::ULong}, {"__builtin_constant_p", TypeKind::Int},
        {"__builtin_clz", TypeKind::Int},           {"__builtin_clzl", TypeKind::Int},
        {"__builtin_clzll", TypeKind::Int},         {"__builtin_ctz", TypeKind::Int},
        {"__builtin_ctzl", TypeKind::Int},          {"__builtin_ctzll", TypeKind::Int},
        {"__builtin_popcount", TypeKind::Int},      {"__builtin_popcountl", TypeKind::Int},
        {"__builtin_popcountll", TypeKind::Int},    {"__builtin_ffs", TypeKind::Int},
        {"__builtin_parity", TypeKind::Int},        {"__builtin_memcmp", TypeKind::Int},
        {"__builtin_parityl", TypeKind::Int},       {"__builtin_parityll", TypeKind::Int},
        {"__builtin_ffsl", TypeKind::Int},          {"__builtin_ffsll", TypeKind::Int},
        {"__builtin_abs", TypeKind::Int},           {"__builtin_labs", TypeKind::Long},
        {"__builtin_llabs", TypeKind::LLong},       {"__builtin_bswap16", TypeKind::UShort},
        {"__builtin_strcmp", TypeKind::Int},        {"__builtin_huge_val", TypeKind::Double},
        {"__builtin_inf", TypeKind::Double},        {"__builtin_nan", TypeKind::Double},
        {"__builtin_inff", TypeKind::Float},        {"__builtin_nanf", TypeKind::Float},
        {"__builtin_huge_valf", TypeKind::Float},   {"__builtin_fabs", TypeKind::Double},
        {"__builtin_sqrt", TypeKind::Double},       {"__builtin_printf", TypeKind::Int},
        {"__builtin_abort", TypeKind::Void},        {"__builtin_unreachable", TypeKind::Void},
        {"__builtin_trap", TypeKind::Void},         {"__builtin_va_start", TypeKind::Void},
        {"__builtin_va_end", TypeKind::Void},       {"__builtin_va_copy", TypeKind::Void},
        {"__builtin_isnan", TypeKind::Int},         {"__builtin_isinf_sign", TypeKind::Int},
        {"__builtin_signbit", TypeKind::Int},       {"__builtin_add_overflow", TypeKind::Bool},
        {"__builtin_sub_overflow", TypeKind::Bool}, {"__builtin_mul_overflow", TypeKind::Bool},
        {"__builtin_bswap32", TypeKind::UInt},      {"__builtin_bswap64", TypeKind::ULong},
    };
    auto found = kResults.find(name);
    if (found != kResults.end())
        return basic(found->second);
    if (name == "__builtin_memcpy" || name == "__builtin_memset" || name == "__builtin_memmove" ||
        name == "__builtin_alloca" || name == "__builtin_malloc" || name == "__builtin_frame_address" ||
        name == "__builtin_return_address")
        return pointer_to(basic(TypeKind::Void));
    if (name == "__builtin_assume_aligned" && !call.args.empty())
        return pointer_to(basic(TypeKind::Void));
    return unknown();
}

void Checker::call(Expr& e)
{
    expr(e.a);
    for (Expr* arg : e.args)
        expr(arg);
    for (ast::TypeName* name : e.type_args)  // of builtins
        type_name(*name);
    if (e.a->kind == Kind::Ident && e.a->symbol == nullptr) {
        std::string_view name = text(e.a->first);
        if (std::string_view header = library_header(name); !header.empty()) {
            diags_.report(Id::LibraryNotDeclared, e.a->first, {name, header});
            return;
        }
        check_builtin(e);
        e.type = name.starts_with("__") ? builtin_result(name, e) : basic(TypeKind::Int);
        return;
    }
    QualType callee = value_type(*e.a);
    if (!is_pointer(callee) || !is_function(pointee(callee))) {
        bool is_known = !is_unknown(element_of(e.a->type)) && !(is_pointer(callee) && is_unknown(pointee(callee)));
        if (is_known && (is_shared(e.a->type) || is_pts(callee)))  // cc would name emitted C
            diags_.report(Id::NotCallable, range(*e.a), {quote(*e.a), quote(e.a->type)});
        return;
    }
    const Type* function = kind_of(pointee(callee));
    e.type = decay(function->base);
    if (!function->has_prototype)
        return;
    bool has_arguments = !check_copy(e);
    check_parts(e);
    for (size_t i = 0; i < e.args.size() && i < function->params.size() && has_arguments; ++i)
        convert_child(e, e.args[i], function->params[i], Use::Argument);
    for (size_t i = function->params.size(); i < e.args.size() && function->is_variadic; ++i)
        check_variadic(*e.a, *e.args[i]);
}

void Checker::member(Expr& e)
{
    expr(e.a);
    QualType object = e.a->type;
    bool is_lvalue = e.a->is_lvalue;
    if (e.op == Op::Arrow) {
        QualType pointer = value_type(*e.a);
        if (!is_pointer(pointer))
            return;
        object = pointee(pointer);
        is_lvalue = true;
    }
    if (e.op == Op::Dot && is_pts(value_type(*e.a))) {  // cc would see a struct
        diags_.report(Id::DotOnPointer, range(e), {text(e.name), quote(value_type(*e.a))});
        return;
    }
    if (!is_record(object)) {
        if (e.op == Op::Arrow && is_shared(object) && !is_unknown(object))
            diags_.report(Id::NoMember, e.name, {quote(canonical(object)), text(e.name)});
        return;
    }
    const Record& record = *kind_of(object)->record;
    const Field* field = find_field(record, text(e.name));
    if (field == nullptr) {
        if (is_shared(object))
            diags_.report(record.is_complete ? Id::NoMember : Id::IncompleteMember, e.name,
                          {quote(canonical(object)), text(e.name)});
        return;
    }
    e.type = part_of(object, field->type);
    e.is_lvalue = is_lvalue;
    if (is_shared(object) && is_unknown(element_of(field->type)))
        diags_.report(Id::UnknownSize, e.name, {"'" + std::string(text(e.name)) + "'"});
}

void Checker::index(Expr& e)
{
    expr(e.a);
    expr(e.b);
    QualType a = value_type(*e.a);
    QualType b = value_type(*e.b);
    QualType pointer = is_pointer(a) ? a : b;
    if (is_vector(e.a->type)) {
        e.type = part_of(e.a->type, kind_of(e.a->type)->base);
        e.is_lvalue = e.a->is_lvalue;
        return;
    }
    if (!is_pointer(pointer))
        return;
    if (is_pts(pointer)) {
        QualType other = is_pointer(a) ? b : a;
        if (!check_arithmetic(e, pointer))
            return;
        if (!is_integer(other) && !is_unknown(other) && kind(other) != TypeKind::BitInt)
            diags_.report(Id::IndexNotInteger, range(is_pointer(a) ? *e.b : *e.a), {quote(other)});
    }
    e.type = pointee(pointer);
    e.is_lvalue = true;
}

namespace {

const char* operator_name(Op op)
{
    switch (op) {
    case Op::Sizeof: return "sizeof";
    case Op::LocalSizeof: return "upc_localsizeof";
    case Op::BlockSizeof: return "upc_blocksizeof";
    case Op::ElemSizeof: return "upc_elemsizeof";
    default: return "_Alignof";
    }
}

}  // namespace

void Checker::size_operator(Expr& e)
{
    QualType type;
    bool is_bit_field = false;
    if (e.kind == Kind::SizeofExpr) {
        expr_for_type(e.a);
        type = e.a->type;
        is_bit_field = names_bit_field(e.a);
    } else {
        type = type_name(*e.type_name);
    }
    e.type = size_type();
    if (is_unknown(type))
        return;
    const char* name = operator_name(e.op);
    bool is_upc = e.op != Op::Sizeof && e.op != Op::Alignof;
    if (is_upc && is_function(type))
        diags_.report(Id::SizeofFunction, range(e), {name});
    else if (is_upc && !is_shared(type))
        diags_.report(Id::SizeofNotShared, range(e), {name, quote(type)});
    else if (is_shared(type) && is_incomplete(type))
        diags_.report(Id::SizeofIncomplete, range(e), {name, quote(type)});
    else if (is_bit_field && (is_upc || is_shared(type)))
        diags_.report(Id::SizeofBitField, range(e), {name});
}

namespace {

// GNU C's cast to a union, of a value of the type of one of its members
bool is_to_union_of(QualType target, QualType from)
{
    if (!is_record(target) || !kind_of(target)->record->is_union)
        return false;
    const auto& fields = kind_of(target)->record->fields;
    return std::any_of(fields.begin(), fields.end(),
                       [&](const Field& field) { return is_pts(field.type) && compatible(field.type, from); });
}

}  // namespace

void Checker::cast(Expr& e)
{
    QualType target = type_name(*e.type_name);
    expr(e.a);
    QualType from = value_type(*e.a);
    e.type = decay(target);
    if (is_shared(target)) {
        diags_.report(Id::CastToShared, range(e), {quote(target)});
        e.type = unknown();
        return;
    }
    if (is_unknown(from) || is_unknown(target) || is_void(target))
        return;
    if (is_pts(target) && !is_pts(from)) {
        if (is_null_constant(e.a))
            return;
        if (is_pointer(from))
            diags_.report(Id::LocalToShared, range(e), {"cast", quote(from), quote(target)});
        else if (is_integer(from))
            diags_.report(Id::IntegerToShared, range(e), {"cast", quote(*e.a), quote(target)});
        else if (!is_pts_in_c(from))
            diags_.report(Id::BadConversion, range(e), {"cast", quote(from), quote(target)});
    } else if (is_pts(from) && !is_pointer(target) && !is_integer(target) && !is_to_union_of(target, from)) {
        diags_.report(Id::BadConversion, range(e), {"cast", quote(from), quote(target)});
    }
    // Deeper levels: a cast from int ** to shared int ** remains a pointer-to-local cast; the levels must agree (facts
    // 1.6.10)
}

void Checker::compound_literal(Expr& e)
{
    QualType type = type_name(*e.type_name);
    if (is_shared(type)) {
        diags_.report(Id::CastToShared, range(e), {quote(type)});
        return;
    }
    StaticValues* values = std::exchange(literal_values_, nullptr);
    if (values == nullptr && scopes_.size() == 1)
        static_literal(e, type);
    else
        initialiser(e.a, type, values);
    e.type = type;
    e.is_lvalue = true;
}

namespace {

// Pointers-to-shared whose types a program must not tell apart
bool are_one_pts(QualType a, QualType b)
{
    return is_pts(a) && is_pts(b) && compatible(a, b) && same_qualifiers(canonical(a).quals, canonical(b).quals) &&
           same_qualifiers(element_of(pointee(a)).quals, element_of(pointee(b)).quals);
}

}  // namespace

void Checker::generic(Expr& e)
{
    expr_for_type(e.a);
    QualType control = value_type(*e.a);
    Expr* chosen = nullptr;
    Expr* similar = nullptr;  // differs only in strict or relaxed
    Expr* fallback = nullptr;
    std::vector<QualType> types;
    for (size_t i = 0; i < e.args.size(); ++i) {
        expr_for_type(e.args[i]);  // lowering drops those that are not chosen
        if (e.type_args[i] == nullptr) {
            fallback = e.args[i];
            continue;
        }
        QualType type = type_name(*e.type_args[i]);
        if (std::ranges::any_of(types, [&](QualType other) { return are_one_pts(type, other); }))
            diags_.report(Id::AssociatedTwice, range(*e.type_args[i]), {quote(type)});
        types.push_back(type);
        if (is_unknown(control) || !compatible(type, control))
            continue;
        Expr*& choice = is_pts(type) && !are_one_pts(type, control) ? similar : chosen;
        choice = choice == nullptr ? e.args[i] : choice;
    }
    if (chosen == nullptr)
        chosen = similar != nullptr ? similar : fallback;
    if (chosen == nullptr && is_pts(control))  // cc cannot tell it from other pointers-to-shared
        diags_.report(Id::NoAssociation, range(e), {quote(control)});
    if (chosen != nullptr && !is_unknown(control)) {
        e.b = chosen;
        e.type = chosen->type;
        e.is_lvalue = chosen->is_lvalue;
    }
}

void Checker::offset_of(Expr& e)
{
    type_name(*e.type_name);
    for (Expr* index : e.args)
        expr(index);
    e.type = size_type();
}

}  // namespace bn::sema
