// parse_spec.cc: declaration specifiers and type qualifiers (C11 6.7.1-6.7.5, UPC 1.3 6.5.1).
#include <algorithm>

#include "parse/parser.h"

namespace bn::parse {

using diag::Id;

// declaration-specifiers, specifier-qualifier-list: any sequence of storage classes, function specifiers, type
// specifiers, qualifiers, attributes and __extension__.  The parser does not check which of them may be combined.
ast::Specifiers* Parser::parse_specifiers()
{
    Nesting nesting(*this);
    const TokenIndex first = pos_;
    const size_t mark = children_.size();
    const size_t storage = storage_.size();
    const size_t functions = functions_.size();
    const size_t base = base_.size();
    const size_t qualifiers = qualifiers_.size();
    const size_t attributes = attributes_.size();
    const size_t attribute_nodes = attribute_nodes_.size();
    ast::Specifiers* specifiers = make<ast::Specifiers>();
    bool has_type = false;
    while (parse_specifier(*specifiers, has_type)) {
    }
    if (list_.is_c23 && !has_type)
        infer_type(storage);
    specifiers->storage = take(storage_, storage);
    specifiers->functions = take(functions_, functions);
    specifiers->base = take(base_, base);
    specifiers->qualifiers = take(qualifiers_, qualifiers);
    specifiers->attributes = take(attributes_, attributes);
    specifiers->attribute_nodes = take(attribute_nodes_, attribute_nodes);
    return finish(specifiers, Kind::Specifiers, first, mark);
}

// C23: "auto" without a type takes the type of the initialiser.
void Parser::infer_type(size_t first_storage)
{
    auto found = std::find_if(storage_.begin() + static_cast<ptrdiff_t>(first_storage), storage_.end(),
                              [this](TokenIndex token) { return kind_at(token) == Tok::KwAuto; });
    if (found == storage_.end())
        return;
    base_.push_back(*found);
    storage_.erase(found);
}

bool Parser::parse_specifier(ast::Specifiers& specifiers, bool& has_type)
{
    switch (kind()) {
    case Tok::KwTypedef: specifiers.is_typedef = true; break;
    case Tok::KwExtern: specifiers.is_extern = true; break;
    case Tok::KwStatic: specifiers.is_static = true; break;
    case Tok::KwThreadLocal: specifiers.is_thread_local = true; break;
    case Tok::KwConstexpr: specifiers.is_constexpr = true; break;
    case Tok::KwAuto:
    case Tok::KwRegister: break;
    case Tok::KwInline: specifiers.is_inline = true; [[fallthrough]];
    case Tok::KwNoreturn: functions_.push_back(advance()); return true;
    case Tok::KwExtension: advance(); return true;
    default:
        if (at_attribute()) {
            attribute_nodes_.push_back(child(parse_attribute_list()));
            return true;
        }
        return parse_qualifier() || parse_type_specifier(specifiers, has_type);
    }
    storage_.push_back(advance());
    return true;
}

// type-specifier: keyword | typedef-name | struct-or-union-specifier | enum-specifier | atomic-type-specifier | typeof
bool Parser::parse_type_specifier(ast::Specifiers& specifiers, bool& has_type)
{
    switch (kind()) {
    case Tok::Identifier:
        if (has_type || !(scopes_.is_typedef(name_at(pos_)) || is_unknown_type_name()))
            return false;
        specifiers.typedef_name = advance();
        break;
    case Tok::KwStruct:
    case Tok::KwUnion: specifiers.record = child(parse_record()); break;
    case Tok::KwEnum: specifiers.enumeration = child(parse_enum()); break;
    case Tok::KwTypeof:
    case Tok::KwTypeofUnqual:
    case Tok::KwAtomic: parse_atomic_or_typeof(specifiers); break;
    case Tok::KwBitInt:
        base_.push_back(advance());
        expect(Tok::LParen);
        specifiers.bit_width = child(parse_conditional());
        expect(Tok::RParen);
        break;
        // clang-format off
    case Tok::KwChar: case Tok::KwDouble: case Tok::KwFloat: case Tok::KwInt: case Tok::KwLong: case Tok::KwShort:
    case Tok::KwSigned: case Tok::KwUnsigned: case Tok::KwVoid: case Tok::KwBool: case Tok::KwComplex:
    case Tok::KwImaginary: case Tok::KwAutoType:
        // clang-format on
        base_.push_back(advance());
        break;
    default:
        if (kind() < Tok::KwInt128 || kind() > Tok::KwVaList)
            return false;
        base_.push_back(advance());
        break;
    }
    has_type = true;
    return true;
}

// An undeclared name where a type is required: a type that only cc knows, or an error that sema can explain.
bool Parser::is_unknown_type_name() const
{
    Tok next = peek();
    return next == Tok::Identifier || next == Tok::Star || (starts_type(pos_ + 1) && next != Tok::KwAttribute);
}

// atomic-type-specifier: _Atomic "(" type-name ")"
// typeof-specifier: ("typeof" | "typeof_unqual") "(" (expression | type-name) ")"
void Parser::parse_atomic_or_typeof(ast::Specifiers& specifiers)
{
    specifiers.is_atomic_type = at(Tok::KwAtomic);
    specifiers.is_unqualified = at(Tok::KwTypeofUnqual);
    advance();
    expect(Tok::LParen);
    if (specifiers.is_atomic_type || starts_type(pos_))
        specifiers.typeof_type = child(parse_type_name());
    else
        specifiers.typeof_expr = child(parse_expr());
    expect(Tok::RParen);
}

// type-qualifier: const | restrict | volatile | _Atomic | shared layout-qualifier(opt) | strict | relaxed
bool Parser::parse_qualifier()
{
    switch (kind()) {
    case Tok::KwAtomic:
        if (peek() == Tok::LParen)
            return false;
        break;
        // clang-format off
    case Tok::KwConst: case Tok::KwRestrict: case Tok::KwVolatile: case Tok::KwShared: case Tok::KwStrict:
    case Tok::KwRelaxed:
        // clang-format on
        break;
    default: return false;
    }
    ast::QualifierToken qualifier{};
    qualifier.tok = kind();
    qualifier.token = advance();
    if (qualifier.tok == Tok::KwShared && at(Tok::LBracket))
        parse_layout(qualifier);
    qualifiers_.push_back(qualifier);
    return true;
}

// layout-qualifier: "[" constant-expression(opt) "]" | "[" "*" "]"
void Parser::parse_layout(ast::QualifierToken& qualifier)
{
    using Brackets = ast::QualifierToken::Brackets;
    advance();
    if (at(Tok::RBracket)) {
        qualifier.brackets = Brackets::Empty;
    } else if (at(Tok::Star) && peek() == Tok::RBracket) {
        qualifier.brackets = Brackets::Star;
        advance();
    } else {
        qualifier.brackets = Brackets::Value;
        qualifier.block = child(parse_conditional());
    }
    qualifier.brackets_last = pos_;
    expect(Tok::RBracket);
}

// type-name: specifier-qualifier-list abstract-declarator(opt)
ast::TypeName* Parser::parse_type_name()
{
    const TokenIndex first = pos_;
    const size_t mark = children_.size();
    ast::TypeName* type = make<ast::TypeName>();
    type->specifiers = child(parse_specifiers());
    if (pos_ == first)
        fail_expected("a type");
    type->declarator = child(parse_declarator(DeclaratorMode::Abstract));
    return finish(type, Kind::TypeName, first, mark);
}

}  // namespace bn::parse
