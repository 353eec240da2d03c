// declare.cc: from specifiers and declarators to types and symbols; the rules of facts 1.5, 1.6 and 1.8.
#include <algorithm>

#include "sema/attributes.h"
#include "sema/checker.h"
#include "sema/limits.h"

namespace bn::sema {

using ast::DeclaratorPart;
using ast::Expr;
using ast::QualifierToken;
using diag::Id;
using lex::Tok;

// ---- Qualifiers ----

// shared [..]: sets layout and block; false if it is malformed (and reported)
bool Checker::layout_of(QualifierToken& token, Quals& quals)
{
    quals.is_shared = true;
    switch (token.brackets) {
    case QualifierToken::Brackets::None:
        return true;
    case QualifierToken::Brackets::Empty:
        quals.layout = Layout::Indefinite;
        quals.block = 0;
        return true;
    case QualifierToken::Brackets::Star:
        quals.layout = Layout::Star;
        return true;
    case QualifierToken::Brackets::Value:
        break;
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

}  // namespace

// One qualifier list.  `base` is the type that it qualifies (through a typedef it may be shared already) or null.
Quals Checker::qualifiers(std::span<QualifierToken> list, const QualType* base, bool* has_layout)
{
    Quals quals;
    Quals inherited = base != nullptr ? element_of(*base).quals : Quals{};
    Quals layout = inherited;   // what the layout is so far
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
            if (was_explicit && is_explicit && (layout.layout != one.layout || layout.block != one.block))
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
        default:
            break;
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
        case Tok::KwVaList: set(TypeKind::VaList); break;
        case Tok::KwFloat16: other_bytes = 2; other = text(token); break;
        case Tok::KwFloat32: other_bytes = 4; other = text(token); break;
        case Tok::KwFloat64: other_bytes = 8; other = text(token); break;
        case Tok::KwFloat64x:
        case Tok::KwFloat128: other_bytes = 16; other = text(token); break;
        case Tok::KwDecimal32: other_bytes = 4; other = text(token); break;
        case Tok::KwDecimal64: other_bytes = 8; other = text(token); break;
        case Tok::KwDecimal128: other_bytes = 16; other = text(token); break;
        default: break;
        }
    }
    QualType type;
    if (other_bytes != 0) {
        Type* t = make_type(TypeKind::OtherFloat);
        t->name = other;
        t->vector_bytes = other_bytes;
        type = {t, Quals{}};
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
    } else if (kind == TypeKind::Int128) {
        type = basic(is_unsigned ? TypeKind::UInt128 : TypeKind::Int128);
    } else if (kind == TypeKind::Double && longs) {
        type = basic(TypeKind::LDouble);
    } else {
        type = basic(kind);
    }
    if (!is_complex)
        return type;
    Type* complex = make_type(TypeKind::Complex);
    complex->base = type;
    return {complex, Quals{}};
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
        if (spec.enumeration->has_body)
            enumeration(*spec.enumeration, *type);
        return {type, Quals{}};
    }
    if (spec.typeof_expr != nullptr) {
        expr(spec.typeof_expr);
        Type* type = make_type(TypeKind::Typeof);
        type->base = spec.typeof_expr->type;
        type->typeof_expr = spec.typeof_expr;
        return {type, Quals{}};
    }
    if (spec.typeof_type != nullptr)
        return type_name(*spec.typeof_type);
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

// __attribute__((mode(DI))) and vector_size(16)
QualType Checker::apply_mode(const ast::Specifiers& spec, QualType type)
{
    if (const ast::Attribute* vector = find_attribute(spec.attributes, tokens_, "vector_size")) {
        Type* t = make_type(TypeKind::Vector);
        t->base = type;
        if (vector->arg != nullptr) {
            expr(vector->arg);
            std::optional<__int128> bytes = constant(vector->arg);
            t->vector_bytes = bytes && *bytes > 0 ? static_cast<uint64_t>(*bytes) : 0;
        }
        return {t, type.quals};
    }
    const ast::Attribute* mode = find_attribute(spec.attributes, tokens_, "mode");
    if (mode == nullptr || mode->args_first > mode->args_last)
        return type;
    std::string_view name = text(mode->args_first);
    bool is_u = is_unsigned(type);
    if (name.find("QI") != std::string_view::npos || name.find("byte") != std::string_view::npos)
        return basic(is_u ? TypeKind::UChar : TypeKind::SChar);
    if (name.find("HI") != std::string_view::npos)
        return basic(is_u ? TypeKind::UShort : TypeKind::Short);
    if (name.find("SI") != std::string_view::npos)
        return basic(is_u ? TypeKind::UInt : TypeKind::Int);
    if (name.find("DI") != std::string_view::npos || name.find("word") != std::string_view::npos ||
        name.find("pointer") != std::string_view::npos)
        return basic(is_u ? TypeKind::ULong : TypeKind::Long);
    if (name.find("TI") != std::string_view::npos)
        return basic(is_u ? TypeKind::UInt128 : TypeKind::Int128);
    return unknown();
}

Checker::Specified Checker::specifiers(ast::Specifiers& spec, bool)
{
    for (lex::TokenIndex token : spec.base)
        if (tokens_[token].kind == Tok::KwAutoType)
            return {unknown(), true};
    QualType base = apply_mode(spec, base_type(spec));
    bool has_layout = false;
    Quals quals = qualifiers(spec.qualifiers, &base, &has_layout);
    // Two layers of qualifiers on one type: a typedef without a declarator keeps the sugar.
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
    return {type, false};
}

QualType Checker::type_name(ast::TypeName& name)
{
    if (name.type.type == nullptr) {
        Specified base = specifiers(*name.specifiers);
        name.type = declared_type(name.declarator, base.type);
        if (element_of(name.type).quals.layout == Layout::Star && !is_array(name.type))
            element_of(name.type);
        if (element_of(name.type).quals.layout == Layout::Star) {
            ast::Declarator none;
            none.first = name.first;
            none.last = name.last;
            resolve_star(name.declarator != nullptr ? *name.declarator : none, name.type, !is_incomplete(name.type));
        }
        check_threads_in_type(name.declarator, name, name.type);
    }
    return name.type;
}

void Checker::enumeration(ast::EnumSpec& spec, Type& type)
{
    __int128 next = 0;
    __int128 lowest = 0;
    __int128 highest = 0;
    bool known = true;
    for (ast::EnumSpec::Enumerator& e : spec.enumerators) {
        if (e.value != nullptr) {
            expr(e.value);
            std::optional<__int128> value = constant(e.value);
            known &= value.has_value();
            next = value.value_or(next);
        }
        Symbol* symbol = declare(e.name, Symbol::Kind::Enumerator,
                                 basic(next >= INT32_MIN && next <= INT32_MAX ? TypeKind::Int
                                       : next <= UINT32_MAX && next >= 0     ? TypeKind::UInt
                                       : next <= INT64_MAX                   ? TypeKind::Long
                                                                             : TypeKind::ULong));
        symbol->value = next;
        lowest = std::min(lowest, next);
        highest = std::max(highest, next);
        next = static_cast<__int128>(static_cast<unsigned __int128>(next) + 1);
    }
    bool is_packed = find_attribute(spec.attributes, tokens_, "packed") != nullptr;
    if (is_packed && known)
        type.base = lowest < 0 ? basic(lowest >= -128 && highest <= 127 ? TypeKind::SChar : lowest >= -32768 && highest <= 32767 ? TypeKind::Short : TypeKind::Int)
                               : basic(highest <= 255 ? TypeKind::UChar : highest <= 65535 ? TypeKind::UShort : TypeKind::UInt);
    else if (lowest < 0)
        type.base = basic(lowest >= INT32_MIN && highest <= INT32_MAX ? TypeKind::Int : TypeKind::Long);
    else
        type.base = basic(highest <= UINT32_MAX ? TypeKind::UInt : TypeKind::ULong);
    type.enum_complete = true;
}

// ---- Declarators ----

void Checker::check_pointer_target(const DeclaratorPart& part, QualType target)
{
    Quals quals = element_of(target).quals;
    if (!quals.is_shared || quals.layout == Layout::Default)
        return;
    if (quals.layout == Layout::Star)
        diags_.report(Id::StarPointer, part.first);
    else if (is_void(target))
        diags_.report(Id::LayoutVoid, part.first, {quote(target)});
}

QualType Checker::array_type(DeclaratorPart& part, QualType element)
{
    Type* type = make_type(TypeKind::Array);
    type->base = element;
    type->size = part.size;
    if (part.is_star)
        type->is_vla = true;
    if (part.size == nullptr)
        return {type, Quals{}};
    expr(part.size);
    std::optional<Constant> size = dimension(part.size);
    if (size && size->by_threads && !is_shared(element)) {
        type->is_vla = true;
        return {type, Quals{}};
    }
    if (!size) {
        type->is_vla = true;
        return {type, Quals{}};
    }
    if (size->value < 0 || (is_shared(element) && size->by_threads && size->value == 0))
        diags_.report(Id::ArraySizeNegative, range(*part.size), {quote(*part.size)});
    type->has_count = true;
    type->count = static_cast<uint64_t>(std::clamp<__int128>(size->value, 0, UINT64_MAX));
    type->by_threads = size->by_threads;
    return {type, Quals{}};
}

QualType Checker::adjust_parameter(QualType type)
{
    QualType plain = canonical(type);
    if (plain.type->kind == TypeKind::Array)
        return pointer_to(plain.type->base);
    if (plain.type->kind == TypeKind::Function)
        return pointer_to(type);
    return type;
}

void Checker::parameter(ast::ParamDecl& param)
{
    Specified base = specifiers(*param.specifiers);
    QualType written = declared_type(param.declarator, base.type, true);
    QualType type = adjust_parameter(written);
    if (is_array(written) && element_of(written).quals.is_shared &&
        element_of(written).quals.layout == Layout::Star)
        diags_.report(Id::StarPointer, range(param));
    else if (is_shared(type))
        diags_.report(Id::SharedParameter, range(param), {quote(type)});
    check_threads_in_type(param.declarator, param, type);
    if (param.declarator != nullptr && param.declarator->name != 0) {
        Symbol* symbol = declare(param.declarator->name, Symbol::Kind::Variable, type);
        symbol->is_parameter = true;
        symbol->at_file_scope = false;
        param.symbol = symbol;
    } else {
        Symbol* symbol = arena_.make<Symbol>();
        symbol->type = type;
        symbol->is_parameter = true;
        param.symbol = symbol;
    }
}

QualType Checker::function_type(DeclaratorPart& part, QualType result)
{
    Type* type = make_type(TypeKind::Function);
    type->base = result;
    type->is_variadic = part.is_variadic;
    type->has_prototype = !part.is_kr;
    type->param_decls = part.params;
    push_scope();
    std::vector<QualType> params;
    for (ast::ParamDecl* param : part.params) {
        parameter(*param);
        params.push_back(param->symbol->type);
    }
    pop_scope();
    if (params.size() == 1 && is_void(params[0]) && part.params[0]->symbol->name.empty())
        params.clear();
    type->params = arena_.copy(params);
    return {type, Quals{}};
}

QualType Checker::declared_type(ast::Declarator* declarator, QualType base, bool is_parameter)
{
    QualType type = base;
    if (declarator == nullptr)
        return type;
    for (size_t i = declarator->parts.size(); i-- > 0;) {
        DeclaratorPart& part = declarator->parts[i];
        switch (part.kind) {
        case DeclaratorPart::Kind::Pointer: {
            check_pointer_target(part, type);
            QualType pointer = pointer_to(type);
            bool has_layout = false;
            pointer.quals = qualifiers(part.qualifiers, nullptr, &has_layout);
            type = pointer;
            break;
        }
        case DeclaratorPart::Kind::Array:
            type = array_type(part, type);
            break;
        case DeclaratorPart::Kind::Function:
            if (is_shared(type)) {
                diags_.report(Id::SharedReturn, range(*declarator), {quote(type)});
                type = unknown();
            }
            type = function_type(part, type);
            break;
        }
    }
    if (const ast::Attribute* vector = find_attribute(declarator->attributes, tokens_, "vector_size"); vector != nullptr) {
        Type* t = make_type(TypeKind::Vector);
        t->base = type;
        if (vector->arg != nullptr) {
            expr(vector->arg);
            std::optional<__int128> bytes = constant(vector->arg);
            t->vector_bytes = bytes && *bytes > 0 ? static_cast<uint64_t>(*bytes) : 0;
        }
        type = {t, type.quals};
    }
    (void)is_parameter;
    return type;
}

// ---- THREADS in array types (facts 1.8) ----

namespace {

int count_threads_dimensions(QualType array, bool* has_vla)
{
    int count = 0;
    for (QualType t = canonical(array); t.type->kind == TypeKind::Array; t = canonical(t.type->base)) {
        count += t.type->by_threads ? 1 : 0;
        *has_vla |= t.type->is_vla;
    }
    return count;
}

}  // namespace

// Every shared array type that this declarator spells; what a typedef spells was checked there.  True if all is well.
bool Checker::check_threads_in_type(ast::Declarator* declarator, const ast::Node& where, QualType type)
{
    const Type* t = type.type;
    if (t->kind == TypeKind::Pointer)
        return check_threads_in_type(declarator, where, t->base);
    if (t->kind != TypeKind::Array || !is_shared(type))
        return t->kind != TypeKind::Array || check_threads_in_type(declarator, where, t->base);
    const ast::Node& node = declarator != nullptr ? static_cast<const ast::Node&>(*declarator) : where;
    bool has_vla = false;
    int dimensions = count_threads_dimensions(type, &has_vla);
    if (has_vla) {
        int in_tokens = 0;
        for (lex::TokenIndex i = node.first; i <= node.last; ++i)
            in_tokens += tokens_[i].kind == Tok::KwThreads ? 1 : 0;
        diags_.report(in_tokens > 1   ? Id::ThreadsTwice
                      : in_tokens > 0 ? Id::ThreadsForm
                                      : Id::SharedArraySize,
                      range(node), {quote(node)});
        return false;
    }
    if (dimensions > 1) {
        diags_.report(Id::ThreadsTwice, range(node), {quote(node)});
        return false;
    }
    if (dimensions > 0 && block_size(type) == 0 && element_of(type).quals.layout == Layout::Indefinite) {
        diags_.report(Id::ThreadsIndefinite, range(node), {quote(node)});
        return false;
    }
    return check_threads_in_type(declarator, where, element_of(type));
}

namespace {

QualType with_block(ast::Arena& arena, QualType type, uint64_t block)
{
    type = canonical(type);
    if (type.type->kind != TypeKind::Array) {
        type.quals.layout = Layout::Blocked;
        type.quals.block = block;
        return type;
    }
    Type* copy = arena.make<Type>(*type.type);
    copy->base = with_block(arena, type.type->base, block);
    return {copy, type.quals};
}

}  // namespace

// shared [*]: ceil(elements / THREADS) of the declared object (facts 1.5)
void Checker::resolve_star(ast::Declarator& declarator, QualType& type, bool is_complete)
{
    uint64_t block = 1;
    if (is_array(type)) {
        std::optional<Size> count = element_count(type);
        if (!is_complete || !count) {
            diags_.report(Id::StarIncomplete, range(declarator), {quote(declarator)});
        } else if (count->by_threads) {
            block = count->bytes;
        } else {
            uint64_t threads = is_dynamic() ? 1 : static_cast<uint64_t>(options_.static_threads);
            block = count->bytes / threads + (count->bytes % threads != 0);
        }
        if (block > kMaxBlockSize) {
            diags_.report(Id::BlockTooLarge, range(declarator), {"[*] of " + quote(declarator), std::to_string(kMaxBlockSize)});
            block = kMaxBlockSize;
        }
    }
    type = with_block(arena_, type, block);
}

void Checker::check_shared_array(const ast::Declarator& declarator, Symbol& symbol, bool is_extern)
{
    bool has_vla = false;
    int dimensions = count_threads_dimensions(symbol.type, &has_vla);
    if (has_vla || !is_dynamic() || element_of(symbol.type).quals.layout == Layout::Indefinite)
        return;
    bool is_open = !kind_of(symbol.type)->has_count;
    if (dimensions == 0 && !(is_open && is_extern))
        diags_.report(Id::ThreadsMissing, range(declarator), {quote(declarator)});
}

// ---- Declarations ----

// The largest of all __attribute__((aligned)) and _Alignas; 0 if there are none
uint64_t Checker::requested_alignment(std::span<ast::Attribute> attributes)
{
    uint64_t largest = 0;
    for (const ast::Attribute& attribute : attributes) {
        std::string_view name = text(attribute.name);
        uint64_t align = 0;
        if (attribute.type_arg != nullptr) {
            align = align_of(type_name(*attribute.type_arg));
        } else if (attribute.arg != nullptr && (name == "aligned" || name == "__aligned__" || name == "_Alignas")) {
            expr(attribute.arg);
            align = static_cast<uint64_t>(constant(attribute.arg).value_or(0));
        } else if (name == "aligned" || name == "__aligned__") {
            align = kLargestUsefulAlignment;
        }
        largest = std::max(largest, align);
    }
    return largest;
}

void Checker::check_object(ast::Declaration& decl, ast::InitDeclarator& init, Symbol& symbol)
{
    ast::Declarator& declarator = *init.declarator;
    const ast::Specifiers& spec = *decl.specifiers;
    QualType spelt = symbol.kind == Symbol::Kind::Typedef ? symbol.type.type->base : symbol.type;
    bool has_threads_error = !check_threads_in_type(&declarator, declarator, spelt);
    if (symbol.kind == Symbol::Kind::Typedef) {
        if (element_of(symbol.type).quals.layout == Layout::Star)
            diags_.report(Id::StarTypedef, range(declarator), {symbol.name});
        return;
    }
    bool is_private_array = is_array(symbol.type) && !is_shared(symbol.type);
    if (is_private_array && symbol.at_file_scope && is_dynamic()) {
        for (QualType t = canonical(symbol.type); t.type->kind == TypeKind::Array; t = canonical(t.type->base))
            if (t.type->size != nullptr && dimension(t.type->size) && dimension(t.type->size)->by_threads)
                diags_.report(Id::ThreadsPrivate, range(declarator), {symbol.name});
    }
    if (symbol.kind != Symbol::Kind::Variable || !is_shared(symbol.type))
        return;
    if (!symbol.at_file_scope && !spec.is_static && !spec.is_extern) {
        diags_.report(Id::SharedAutomatic, range(declarator), {symbol.name});
        return;
    }
    std::optional<Size> size = size_of(symbol.type);
    if (size && size->bytes > INT64_MAX)
        diags_.report(Id::SharedArrayTooLarge, range(declarator), {quote(declarator)});
    if (is_array(symbol.type) && !has_threads_error)
        check_shared_array(declarator, symbol, spec.is_extern && init.init == nullptr);
}

// A redeclaration with linkage: layouts must agree, which cc cannot see; an earlier size is kept.
void Checker::check_redeclaration(const ast::Declarator& declarator, Symbol& symbol, const Symbol* previous)
{
    if (previous == nullptr || previous->kind != symbol.kind || symbol.kind == Symbol::Kind::Typedef ||
        !(previous->at_file_scope || previous->is_extern) || !(touches_shared(previous->type) || touches_shared(symbol.type)) ||
        element_of(symbol.type).quals.layout == Layout::Star)
        return;
    if (!same_type(previous->type, symbol.type))
        diags_.report(Id::ConflictingTypes, range(declarator), {symbol.name, quote(symbol.type), quote(previous->type)});
    else if (is_array(symbol.type) && !kind_of(symbol.type)->has_count)
        symbol.type = previous->type;
}

void Checker::init_declarator(ast::Declaration& decl, ast::InitDeclarator& init, const Specified& base)
{
    ast::Specifiers& spec = *decl.specifiers;
    ast::Declarator& declarator = *init.declarator;
    QualType type = base.type;
    if (base.is_inferred && init.init != nullptr) {
        expr(init.init);
        type = value_type(*init.init);
    } else {
        type = declared_type(&declarator, base.type);
    }
    if (declarator.name == 0)
        return;
    Symbol* previous = lookup(declarator.name);
    Symbol::Kind kind = spec.is_typedef ? Symbol::Kind::Typedef : is_function(type) ? Symbol::Kind::Function : Symbol::Kind::Variable;
    if (spec.is_typedef) {
        Type* named = make_type(TypeKind::Typedef);
        named->name = text(declarator.name);
        named->base = type;
        if (Record* record = type.type->kind == TypeKind::Record && !is_shared(type) ? type.type->record : nullptr;
            record != nullptr && record->is_anonymous && record->alias.empty())
            record->alias = named->name;
        named->align = std::max(requested_alignment(declarator.attributes), requested_alignment(spec.attributes));
        type = {named, Quals{}};
    }
    Symbol* symbol = declare(declarator.name, kind, type);
    symbol->is_static = spec.is_static;
    symbol->is_extern = spec.is_extern;
    if (kind == Symbol::Kind::Variable && is_shared(type))
        symbol->align = std::max(requested_alignment(declarator.attributes), requested_alignment(spec.attributes));
    init.symbol = symbol;
    if (kind == Symbol::Kind::Function && is_shared(type))
        diags_.report(Id::SharedFunction, range(declarator), {symbol->name});
    if (kind == Symbol::Kind::Function || symbol->at_file_scope || spec.is_extern)
        check_redeclaration(declarator, *symbol, previous);
    check_object(decl, init, *symbol);
    bool is_static_object = kind == Symbol::Kind::Variable && (symbol->at_file_scope || spec.is_static || spec.is_extern);
    bool needs_code = false;
    if (init.init != nullptr) {
        symbol->has_initialiser = true;
        Expr* written = init.init;
        initialiser(init.init, symbol->type, is_static_object, &needs_code);
        if (init.init != written)
            replace_child(init, written, init.init);
    }
    if (element_of(symbol->type).quals.layout == Layout::Star && kind == Symbol::Kind::Variable && is_shared(symbol->type))
        resolve_star(declarator, symbol->type, !is_incomplete(symbol->type));
    bool is_shared_object = kind == Symbol::Kind::Variable && is_shared(symbol->type);
    bool is_definition = is_static_object && (!spec.is_extern || init.init != nullptr);
    if (is_shared_object && is_definition && is_incomplete(symbol->type) && !is_array(symbol->type))
        diags_.report(Id::SharedIncomplete, range(declarator), {symbol->name, quote(symbol->type)});
    if (!is_definition || !(is_shared_object || needs_code))
        return;
    if (!symbol->at_file_scope)
        symbol->emitted = intern("bn_" + std::string(symbol->name) + "_" + std::to_string(++hoisted_));
    analysis_.statics.push_back({symbol, &init, &decl, symbol->at_file_scope ? nullptr : function_, is_shared_object,
                                 needs_code || (is_shared_object && init.init != nullptr)});
}

void Checker::declaration(ast::Declaration& decl, bool)
{
    Specified base = specifiers(*decl.specifiers);
    for (ast::InitDeclarator* init : decl.declarators)
        init_declarator(decl, *init, base);
    if (decl.declarators.empty() && decl.specifiers->record == nullptr && decl.specifiers->enumeration == nullptr)
        return;
}

void Checker::function_definition(ast::FunctionDef& def)
{
    Specified base = specifiers(*def.specifiers);
    QualType type = declared_type(def.declarator, base.type);
    const Symbol* previous = lookup(def.declarator->name);
    Symbol* symbol = declare(def.declarator->name, Symbol::Kind::Function, type);
    symbol->is_static = def.specifiers->is_static;
    def.symbol = symbol;
    check_redeclaration(*def.declarator, *symbol, previous);
    check_threads_in_type(def.declarator, *def.declarator, type);
    if (def.body == nullptr)
        return;
    bool is_outermost = function_ == nullptr;
    if (is_outermost)
        function_ = &def;
    QualType outer_return = return_type_;
    return_type_ = kind_of(type)->base;
    std::vector<int> outer_foralls = std::move(forall_path_);
    std::vector<Place> outer_labels = std::move(labels_);
    std::vector<Place> outer_gotos = std::move(gotos_);
    std::vector<size_t> outer_switches = std::move(switch_depth_);
    forall_path_.clear();
    labels_.clear();
    gotos_.clear();
    switch_depth_.clear();
    int outer_breakable = breakable_in_forall_;
    int outer_loops = loops_in_forall_;
    bool outer_strict = strict_;
    breakable_in_forall_ = loops_in_forall_ = 0;
    push_scope();
    const Type* function = kind_of(type);
    for (ast::ParamDecl* param : function->param_decls) {
        if (param->declarator == nullptr || param->declarator->name == 0)
            continue;
        Symbol* own = declare(param->declarator->name, Symbol::Kind::Variable, param->symbol->type);
        own->is_parameter = true;
        own->at_file_scope = false;
    }
    for (ast::Declaration* kr : def.kr_declarations) {
        Specified kr_base = specifiers(*kr->specifiers);
        for (ast::InitDeclarator* init : kr->declarators) {
            QualType param = adjust_parameter(declared_type(init->declarator, kr_base.type, true));
            if (is_shared(param))
                diags_.report(Id::SharedParameter, range(*init), {quote(param)});
            Symbol* own = declare(init->declarator->name, Symbol::Kind::Variable, param);
            own->is_parameter = true;
            init->symbol = own;
        }
    }
    compound(*def.body, false);
    pop_scope();
    check_gotos();
    strict_ = outer_strict;
    forall_path_ = std::move(outer_foralls);
    labels_ = std::move(outer_labels);
    gotos_ = std::move(outer_gotos);
    switch_depth_ = std::move(outer_switches);
    breakable_in_forall_ = outer_breakable;
    loops_in_forall_ = outer_loops;
    return_type_ = outer_return;
    if (is_outermost)
        function_ = nullptr;
}

}  // namespace bn::sema
