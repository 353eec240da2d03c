// specify.cc: qualifier lists and specifiers (facts 1.5, 1.6).
#include <algorithm>
#include <bit>

#include "sema/attributes.h"
#include "sema/checker.h"
#include "sema/limits.h"

namespace bn::sema {

using ast::QualifierToken;
using diag::Id;
using lex::Tok;

// ---- Qualifiers ----

// shared [..]: sets layout and block; false if it is malformed (and reported)
bool Checker::layout_of(QualifierToken& token, Quals& quals)
{
    quals.is_shared = true;
    switch (token.brackets) {
    case QualifierToken::Brackets::None: return true;
    case QualifierToken::Brackets::Empty:
        quals.layout = Layout::Indefinite;
        quals.block = 0;
        return true;
    case QualifierToken::Brackets::Star:
        quals.layout = Layout::Star;
        quals.block = 0;
        return true;
    case QualifierToken::Brackets::Value: break;
    }
    expr(token.block);
    std::optional<__int128> value = constant(token.block);
    if (!is_unknown(token.block->type) && !is_integer(token.block->type)) {
        diags_.report(Id::BlockNotInteger, range(*token.block), {quote(token.block->type)});
        return false;
    }
    if (!value) {
        diags_.report(Id::BlockNotConstant, range(*token.block), {quote(*token.block)});
        return false;
    }
    if (*value < 0) {
        diags_.report(Id::BlockNegative, range(*token.block), {quote(*token.block)});
        return false;
    }
    if (*value > static_cast<__int128>(kMaxBlockSize)) {
        diags_.report(Id::BlockTooLarge, range(*token.block), {quote(*token.block), std::to_string(kMaxBlockSize)});
        return false;
    }
    note_reckoned(token.block);
    quals.block = static_cast<uint64_t>(*value);
    quals.layout = quals.block == 0 ? Layout::Indefinite : Layout::Blocked;
    return true;
}

namespace {

std::string layout_text(const Quals& quals)
{
    switch (quals.layout) {
    case Layout::Indefinite: return "[]";
    case Layout::Star: return "[*]";
    case Layout::Blocked: return "[" + std::to_string(quals.block) + "]";
    case Layout::Default: break;
    }
    return "";
}

// [*] and [n], in either order: [*] must then amount to n (facts 1.5).  Sets both to that if they are compatible.
bool join_star(Quals& a, Quals& b)
{
    Quals& star = a.layout == Layout::Star ? a : b;
    Quals& other = a.layout == Layout::Star ? b : a;
    if (star.layout != Layout::Star || other.layout == Layout::Indefinite)
        return false;
    if (star.block != 0 && other.block != 0 && star.block != other.block)
        return false;
    other.block = star.block = std::max(star.block, other.block);
    other.layout = Layout::Star;
    return true;
}

}  // namespace

// In emitted C a pointer-to-shared is a struct, whose members C does not reach where it is atomic.
void Checker::check_atomic(diag::Range where, QualType type)
{
    if (is_pts(type) && canonical(type).quals.is_atomic)
        diags_.report(Id::AtomicPointer, where, {quote(type)});
}

// Evaluates one qualifier list.  `base` is the type that it qualifies (a typedef may already be shared), or null.
Quals Checker::qualifiers(std::span<QualifierToken> list, const QualType* base, bool* has_layout)
{
    Quals quals;
    Quals inherited = base != nullptr ? element_of(*base).quals : Quals{};
    Quals layout = inherited;  // the layout so far
    *has_layout = false;
    for (QualifierToken& token : list) {
        switch (token.tok) {
        case Tok::KwConst: quals.is_const = true; break;
        case Tok::KwVolatile: quals.is_volatile = true; break;
        case Tok::KwRestrict: quals.is_restrict = true; break;
        case Tok::KwAtomic: quals.is_atomic = true; break;
        case Tok::KwStrict:
        case Tok::KwRelaxed: {
            bool is_strict = token.tok == Tok::KwStrict;
            if (is_strict ? quals.is_relaxed || inherited.is_relaxed : quals.is_strict || inherited.is_strict)
                diags_.report(Id::StrictAndRelaxed, token.token);
            quals.is_strict |= is_strict;
            quals.is_relaxed |= !is_strict;
            break;
        }
        case Tok::KwShared: {
            Quals one;
            if (!layout_of(token, one)) {
                quals.is_shared = true;
                break;
            }
            bool was_explicit = layout.is_shared && layout.layout != Layout::Default;
            bool is_explicit = one.layout != Layout::Default;
            if (was_explicit && is_explicit && !join_star(layout, one) &&
                (layout.layout != one.layout || layout.block != one.block))
                diags_.report(Id::TwoBlockSizes, {token.token, std::max(token.token, token.brackets_last), token.token},
                              {layout_text(layout), layout_text(one)});
            quals.is_shared = true;
            layout.is_shared = true;
            if (is_explicit) {
                *has_layout = true;
                layout.layout = quals.layout = one.layout;
                layout.block = quals.block = one.block;
            }
            break;
        }
        default: break;
        }
    }
    if (!quals.is_shared && !inherited.is_shared)
        for (QualifierToken& token : list)
            if (token.tok == Tok::KwStrict || token.tok == Tok::KwRelaxed)
                diags_.report(Id::StrictWithoutShared, token.token, {text(token.token)});
    return quals;
}

// ---- Specifiers ----

QualType Checker::keyword_type(const ast::Specifiers& spec)
{
    int longs = 0, shorts = 0, is_signed = 0, is_unsigned = 0, is_complex = 0;
    TypeKind kind = TypeKind::Unknown;
    bool has_kind = false;
    auto set = [&](TypeKind k) {
        kind = k;
        has_kind = true;
    };
    std::string_view other;
    uint64_t other_bytes = 0;
    for (lex::TokenIndex token : spec.base) {
        switch (tokens_[token].kind) {
        case Tok::KwLong: ++longs; break;
        case Tok::KwShort: ++shorts; break;
        case Tok::KwSigned: ++is_signed; break;
        case Tok::KwUnsigned: ++is_unsigned; break;
        case Tok::KwComplex: ++is_complex; break;
        case Tok::KwVoid: set(TypeKind::Void); break;
        case Tok::KwBool: set(TypeKind::Bool); break;
        case Tok::KwChar: set(TypeKind::Char); break;
        case Tok::KwInt: set(TypeKind::Int); break;
        case Tok::KwInt128: set(TypeKind::Int128); break;
        case Tok::KwUInt128: set(TypeKind::UInt128); break;
        case Tok::KwFloat: set(TypeKind::Float); break;
        case Tok::KwDouble: set(TypeKind::Double); break;
        case Tok::KwBitInt: set(TypeKind::BitInt); break;
        case Tok::KwVaList:
            set(TypeKind::VaList);
            break;
            // clang-format off
        case Tok::KwFloat16: other_bytes = 2; other = text(token); break;
        case Tok::KwFloat32: other_bytes = 4; other = text(token); break;
        case Tok::KwFloat64: other_bytes = 8; other = text(token); break;
        case Tok::KwFloat64x:
        case Tok::KwFloat128: other_bytes = 16; other = text(token); break;
        case Tok::KwDecimal32: other_bytes = 4; other = text(token); break;
        case Tok::KwDecimal64: other_bytes = 8; other = text(token); break;
        case Tok::KwDecimal128: other_bytes = 16; other = text(token); break;
        // clang-format on
        default: break;
        }
    }
    QualType type;
    if (other_bytes != 0) {
        type = named(TypeKind::OtherFloat, other, other_bytes);
    } else if (!has_kind || kind == TypeKind::Int) {
        if (is_complex && !has_kind && longs + shorts + is_signed + is_unsigned == 0)
            kind = TypeKind::Double;
        else if (shorts)
            kind = is_unsigned ? TypeKind::UShort : TypeKind::Short;
        else if (longs >= 2)
            kind = is_unsigned ? TypeKind::ULLong : TypeKind::LLong;
        else if (longs == 1)
            kind = is_unsigned ? TypeKind::ULong : TypeKind::Long;
        else
            kind = is_unsigned ? TypeKind::UInt : TypeKind::Int;
        type = basic(kind);
    } else if (kind == TypeKind::Char) {
        type = basic(is_unsigned ? TypeKind::UChar : is_signed ? TypeKind::SChar : TypeKind::Char);
    } else if (kind == TypeKind::BitInt) {
        type = bit_int(*spec.bit_width, is_unsigned);
    } else if (kind == TypeKind::Int128) {
        type = basic(is_unsigned ? TypeKind::UInt128 : TypeKind::Int128);
    } else if (kind == TypeKind::Double && longs) {
        type = basic(TypeKind::LDouble);
    } else {
        type = basic(kind);
    }
    return is_complex ? complex(type) : type;
}

// An arithmetic type whose C spelling is more than keywords
QualType Checker::named(TypeKind kind, std::string_view name, uint64_t bytes)
{
    Type* type = make_type(kind);
    type->name = name;
    type->vector_bytes = bytes;
    return {type, Quals{}};
}

QualType Checker::complex(QualType part)
{
    Type* type = make_type(TypeKind::Complex);
    type->base = part;
    return {type, Quals{}};
}

// Layout according to the System V ABI: like an integer of its size, or an array of longs
QualType Checker::bit_int(ast::Expr& width, bool is_unsigned)
{
    expr(&width);
    std::optional<__int128> bits = constant(&width);
    if (!bits || *bits <= 0 || *bits > UINT32_MAX)
        return unknown();
    auto count = static_cast<uint64_t>(*bits);
    std::string name = (is_unsigned ? "unsigned _BitInt(" : "_BitInt(") + std::to_string(count) + ")";
    return named(TypeKind::BitInt, intern(name), count <= 64 ? std::bit_ceil((count + 7) / 8) : (count + 63) / 64 * 8);
}

QualType Checker::base_type(ast::Specifiers& spec)
{
    if (spec.record != nullptr) {
        Record* r = record(*spec.record);
        Type* type = nullptr;
        if (spec.record->tag != 0)
            type = tags_[tokens_[spec.record->tag].name];
        if (type == nullptr || type->record != r) {
            type = make_type(TypeKind::Record);
            type->record = r;
        }
        return {type, Quals{}};
    }
    if (spec.enumeration != nullptr) {
        Type* type = tag_type(spec.enumeration->tag, TypeKind::Enum, spec.enumeration->has_body, false);
        if (ast::Specifiers* underlying = spec.enumeration->underlying) {
            type->base = specifiers(*underlying).type;
            type->enum_complete = true;
        }
        if (spec.enumeration->has_body)
            enumeration(*spec.enumeration, *type);
        return {type, Quals{}};
    }
    if (spec.typeof_expr != nullptr) {
        expr_for_type(spec.typeof_expr);
        Type* type = make_type(TypeKind::Typeof);
        type->base = spec.typeof_expr->type;
        if (is_shared(type->base) && names_bit_field(spec.typeof_expr))
            diags_.report(Id::SizeofBitField, range(*spec.typeof_expr), {"typeof"});
        if (spec.is_unqualified)  // elements of an array keep theirs
            return {canonical(type->base).type, Quals{}};
        type->typeof_expr = spec.typeof_expr;
        return {type, Quals{}};
    }
    if (spec.typeof_type != nullptr) {
        QualType named = type_name(*spec.typeof_type);
        if (spec.is_atomic_type && is_shared(named))
            diags_.report(Id::AtomicShared, range(*spec.typeof_type), {quote(named)});
        return spec.is_unqualified ? QualType{canonical(named).type, Quals{}} : named;
    }
    if (spec.typedef_name != 0) {
        Symbol* symbol = lookup(spec.typedef_name);
        if (symbol == nullptr || symbol->kind != Symbol::Kind::Typedef) {
            Type* type = make_type(TypeKind::Typedef);
            type->name = text(spec.typedef_name);
            type->base = unknown();
            return {type, Quals{}};
        }
        return symbol->type;
    }
    return keyword_type(spec);
}

// vector_size(16), ext_vector_type(4)
QualType Checker::vector_type(const ast::Attribute& attribute, bool has_count, QualType element)
{
    Type* type = make_type(TypeKind::Vector);
    type->base = element;
    if (attribute.arg == nullptr)
        return {type, element.quals};
    expr(attribute.arg);
    std::optional<__int128> value = constant(attribute.arg);
    uint64_t number = value && *value > 0 && *value <= UINT32_MAX ? static_cast<uint64_t>(*value) : 0;
    std::optional<Size> size = size_of(element);
    type->vector_count = has_count ? number : 0;
    type->vector_bytes = !has_count ? number : size && number != 0 ? std::bit_ceil(number * size->bytes) : 0;
    return {type, element.quals};
}

// The result of applying mode(NAME) to an arithmetic type; unknown() for other types
QualType Checker::mode_type(std::string_view name, QualType type)
{
    static constexpr struct {
        std::string_view name;
        TypeKind kind, unsigned_kind;
    } kModes[] = {
        {"QI", TypeKind::SChar, TypeKind::UChar},     {"byte", TypeKind::SChar, TypeKind::UChar},
        {"HI", TypeKind::Short, TypeKind::UShort},    {"SI", TypeKind::Int, TypeKind::UInt},
        {"DI", TypeKind::Long, TypeKind::ULong},      {"word", TypeKind::Long, TypeKind::ULong},
        {"pointer", TypeKind::Long, TypeKind::ULong}, {"TI", TypeKind::Int128, TypeKind::UInt128},
        {"SF", TypeKind::Float, TypeKind::Float},     {"DF", TypeKind::Double, TypeKind::Double},
        {"XF", TypeKind::LDouble, TypeKind::LDouble},
    };
    for (const auto& known : kModes) {
        if (known.name == name)
            return basic(is_unsigned(type) ? known.unsigned_kind : known.kind);
    }
    if (name == "TF")
        return named(TypeKind::OtherFloat, "__float128", 16);
    static constexpr std::string_view kComplexModes[] = {"SC", "DC", "XC"};
    bool is_complex = std::ranges::find(kComplexModes, name) != std::end(kComplexModes);
    return is_complex ? complex(mode_type(std::string{name[0], 'F'}, type)) : unknown();
}

// __attribute__((mode(DI))), vector_size(16) and clang's ext_vector_type(4)
QualType Checker::apply_mode(std::span<ast::Attribute> attributes, QualType type)
{
    if (const ast::Attribute* vector = find_attribute(attributes, tokens_, "vector_size"))
        return vector_type(*vector, false, type);
    if (const ast::Attribute* vector = find_attribute(attributes, tokens_, "ext_vector_type"))
        return vector_type(*vector, true, type);
    const ast::Attribute* mode = find_attribute(attributes, tokens_, "mode");
    if (mode == nullptr || mode->args_first > mode->args_last || !is_arithmetic(type))
        return type;
    QualType result = mode_type(without_underscores(text(mode->args_first)), type);
    if (is_unknown(result) && is_shared(type))
        diags_.report(Id::UnknownSize, mode->name, {"'mode(" + std::string(text(mode->args_first)) + ")'"});
    return {result.type, type.quals};
}

// Whether these keywords together name a type (C11 6.7.2)
bool Checker::names_type(std::span<lex::TokenIndex> keywords) const
{
    int longs = 0, shorts = 0, signs = 0, complexes = 0, others = 0;
    Tok other = Tok::KwInt;
    for (lex::TokenIndex keyword : keywords) {
        switch (tokens_[keyword].kind) {
        case Tok::KwLong: ++longs; break;
        case Tok::KwShort: ++shorts; break;
        case Tok::KwSigned:
        case Tok::KwUnsigned: ++signs; break;
        case Tok::KwComplex: ++complexes; break;
        default: ++others; other = tokens_[keyword].kind;
        }
    }
    if (others > 1 || signs > 1 || complexes > 1 || longs > 2 || shorts > 1 || (longs > 0 && shorts > 0))
        return false;
    switch (other) {
    case Tok::KwInt: return true;
    case Tok::KwDouble: return shorts == 0 && signs == 0 && longs <= 1;
    case Tok::KwChar:
    case Tok::KwInt128: return shorts == 0 && longs == 0;
    default: return shorts == 0 && longs == 0 && signs == 0;
    }
}

// Emitted C does not contain the type of a shared object, so cc cannot report that there is no such type.
void Checker::check_shared_base(const ast::Specifiers& spec, QualType base)
{
    Symbol* symbol = spec.typedef_name != 0 ? lookup(spec.typedef_name) : nullptr;
    if (spec.typedef_name != 0 && (symbol == nullptr || symbol->kind != Symbol::Kind::Typedef))
        diags_.report(Id::UnknownTypeName, spec.typedef_name, {text(spec.typedef_name)});
    else if (is_unknown(element_of(base)))
        diags_.report(Id::UnknownSize, range(spec), {quote(spec)});
    bool is_named = spec.record || spec.enumeration || spec.typeof_expr || spec.typeof_type || spec.typedef_name;
    if (!is_named && spec.base.empty())
        diags_.report(Id::ImplicitInt, spec.qualifiers.front().token, {});
    if (!spec.base.empty() && (is_named || !names_type(spec.base))) {
        std::string words;
        for (lex::TokenIndex keyword : spec.base)
            words += (words.empty() ? "" : " ") + std::string(text(keyword));
        diags_.report(Id::NoSuchType, spec.base.front(), {words});
    }
    lex::TokenIndex first = 0;
    for (lex::TokenIndex storage : spec.storage) {
        if (tokens_[storage].kind == Tok::KwThreadLocal)
            continue;
        if (first != 0)
            diags_.report(Id::StorageClasses, storage, {text(first), text(storage)});
        first = storage;
    }
}

Checker::Specified Checker::specifiers(ast::Specifiers& spec)
{
    for (lex::TokenIndex token : spec.base)
        if (tokens_[token].kind == Tok::KwAutoType || tokens_[token].kind == Tok::KwAuto) {
            for (const ast::QualifierToken& qualifier : spec.qualifiers)
                if (qualifier.tok == Tok::KwShared)
                    diags_.report(Id::InferredShared, token, {text(token)});
            return {unknown(), true};
        }
    QualType base = apply_mode(spec.attributes, base_type(spec));
    bool has_layout = false;
    Quals quals = qualifiers(spec.qualifiers, &base, &has_layout);
    // Two layers of qualifiers apply to one type: a typedef without a declarator keeps the sugar.
    QualType type{base.type, base.quals};
    Quals merged = base.quals;
    merged.is_const |= quals.is_const;
    merged.is_volatile |= quals.is_volatile;
    merged.is_restrict |= quals.is_restrict;
    merged.is_atomic |= quals.is_atomic || spec.is_atomic_type;
    merged.is_strict |= quals.is_strict;
    merged.is_relaxed |= quals.is_relaxed;
    merged.is_shared |= quals.is_shared;
    if (has_layout) {
        merged.layout = quals.layout;
        merged.block = quals.block;
    }
    type.quals = merged;
    if (spec.typedef_name != 0 && touches_shared(type))  // then emitted C does not name it
        if (Symbol* named = lookup(spec.typedef_name))
            named->is_named_for_its_type = true;
    check_atomic(range(spec), type);
    if (quals.is_shared)
        check_shared_base(spec, base);
    if (merged.is_shared && is_function(base)) {
        diags_.report(Id::SharedFunction, range(spec), {quote(base)});
        return {base, false};
    }
    if (merged.is_shared)
        return {made_shared(type), false};
    if (!spec.is_typedef && is_threads_row(base))
        diags_.report(Id::ThreadsPrivate, spec.typedef_name, {text(spec.typedef_name)});
    return {type, false};
}

// Emitted C has a different type there, which leaves no place for the definition.
void Checker::refuse_definition(const ast::Specifiers& spec, QualType type)
{
    bool defines = (spec.record != nullptr && spec.record->has_body) ||
                   (spec.enumeration != nullptr && spec.enumeration->has_body);
    if (defines && touches_shared(type))
        diags_.report(Id::DefinitionInType, range(spec), {quote(type)});
}

QualType Checker::type_name(ast::TypeName& name)
{
    if (name.type.type == nullptr) {
        Specified base = specifiers(*name.specifiers);
        name.type = declared_type(name.declarator, base.type);
        if (element_of(name.type).quals.layout == Layout::Star) {
            ast::Declarator none;
            none.first = name.first;
            none.last = name.last;
            resolve_star(name.declarator != nullptr ? *name.declarator : none, name.type, !is_incomplete(name.type));
        }
        refuse_definition(*name.specifiers, name.type);
        check_threads_in_type(name.declarator, name, name.type);
    }
    return name.type;
}

void Checker::enumeration(ast::EnumSpec& spec, Type& type)
{
    std::optional<__int128> next = 0;  // nullopt: a value that only cc can compute, or one that follows it
    __int128 lowest = 0;
    __int128 highest = 0;
    bool known = true;
    for (ast::EnumSpec::Enumerator& e : spec.enumerators) {
        if (e.value != nullptr) {
            expr(e.value);
            next = constant(e.value);
            if (next)
                next = truncate(*next, e.value->type);
        }
        known &= next.has_value();
        __int128 value = next.value_or(0);
        Symbol* symbol = declare(e.name, Symbol::Kind::Enumerator,
                                 basic(value >= INT32_MIN && value <= INT32_MAX ? TypeKind::Int
                                       : value <= UINT32_MAX && value >= 0      ? TypeKind::UInt
                                       : value <= INT64_MAX                     ? TypeKind::Long
                                                                                : TypeKind::ULong));
        symbol->is_constant = next.has_value();
        symbol->value = value;
        lowest = std::min(lowest, value);
        highest = std::max(highest, value);
        if (next)
            next = static_cast<__int128>(static_cast<unsigned __int128>(value) + 1);
    }
    bool is_packed = find_attribute(spec.attributes, tokens_, "packed") != nullptr;
    if (type.enum_complete)
        return;
    if (is_packed && known)
        type.base = lowest < 0 ? basic(lowest >= -128 && highest <= 127       ? TypeKind::SChar
                                       : lowest >= -32768 && highest <= 32767 ? TypeKind::Short
                                                                              : TypeKind::Int)
                               : basic(highest <= 255     ? TypeKind::UChar
                                       : highest <= 65535 ? TypeKind::UShort
                                                          : TypeKind::UInt);
    else if (lowest < 0)
        type.base = basic(lowest >= INT32_MIN && highest <= INT32_MAX ? TypeKind::Int : TypeKind::Long);
    else
        type.base = basic(highest <= UINT32_MAX ? TypeKind::UInt : TypeKind::ULong);
    type.enum_complete = true;
}

}  // namespace bn::sema
