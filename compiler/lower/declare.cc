// declare.cc: reprints declarations whose types C does not have, one per declarator; all others are left unchanged.
//
// UPC form                                  C form
// shared T x;                               statics.cc
// extern shared T a[];                      extern bn_shared_t a;
// shared T *p = e;                          bn_pts_t p = e;  with static storage: statics.cc
// typedef shared T *P;                      typedef bn_pts_t P;
// typedef shared T S;                       nothing: uses of S are printed without it
// struct s { shared T *p; };                struct s { bn_pts_t p; };
// void f(shared T *p)                       void f(bn_pts_t p)
#include <algorithm>
#include <utility>

#include "lower/lowerer.h"
#include "lower/restored.h"
#include "source/source.h"

namespace bn::lower {

using ast::Kind;
using namespace sema;

// Attributes, storage class and function specifiers as written, of an object of `own` storage or of something else
Rope Lowerer::specifier_prefix(const ast::Specifiers& spec, std::string_view own, bool with_storage)
{
    Rope out = rope();
    for (Node* attribute : spec.attribute_nodes) {
        lower(attribute);
        out << attribute << " ";
    }
    if (with_storage)
        for (lex::TokenIndex token : spec.storage)
            out << text(token) << " ";
    out << own;
    for (lex::TokenIndex token : spec.functions)
        out << text(token) << " ";
    return out;
}

// Operands of sizeof, _Generic and the like are often missing from emitted C, and so are the names of types in
// declarations of what is shared.  The compiler would then warn of variables and types that are named only there.
Rope Lowerer::unused_mark(const Symbol& symbol)
{
    bool may_be_warned_of = !symbol.at_file_scope || symbol.is_static;
    return rope(symbol.is_named_for_its_type && may_be_warned_of ? "__attribute__((__unused__)) " : "");
}

Rope Lowerer::suffix(const ast::Declarator& declarator)
{
    Rope out = rope();
    for (Node* node : declarator.suffix) {
        lower(node);
        out << " " << node;
    }
    return out;
}

// A record without a tag gets one, so that its type can be named.
void Lowerer::tag_anonymous(ast::RecordSpec& record)
{
    if (record.tag != 0 || record.record == nullptr || record.lowered != nullptr)
        return;
    Node* keyword = part_of(record, record.first, record.open - 1);
    Node* body = part_of(record, record.open, record.last);
    set(&record, rope() << keyword << " " << record.record->tag << " " << body);
}

// Notes that the record is named by its tag.  Its definition may have been passed long ago, in text that is copied:
// "typedef struct { ... } T[4];".
void Lowerer::note_tag(const Record& record)
{
    bool is_new = record.is_anonymous && record.spec != nullptr && record.spec->lowered == nullptr;
    if (is_new && std::find(named_.begin(), named_.end(), record.spec) == named_.end())
        named_.push_back(record.spec);
}

// Tags the record if it is at or below `node`, whether `node` is printed as written or in lowered form; returns whether
// it was found
bool Lowerer::tag_below(Node* node, ast::RecordSpec* spec)
{
    if (node == spec) {
        tag_anonymous(*spec);
        return true;
    }
    if (node == nullptr || node->first > spec->first || node->last < spec->last)
        return false;
    bool is_there = false;
    for (Node* child : node->children)
        is_there |= tag_below(child, spec);
    if (node->lowered != nullptr)
        for (const ast::Piece& piece : node->lowered->pieces)
            is_there |= tag_below(piece.node, spec);
    node->touched |= is_there;
    return is_there;
}

// "struct S { ... }" if the specifiers define a type, else nothing
Rope Lowerer::definition_in(ast::Specifiers& spec)
{
    Rope out = rope();
    if (spec.record != nullptr && spec.record->has_body) {
        lower_children(spec.record);
        tag_anonymous(*spec.record);
        out << spec.record;
    } else if (spec.enumeration != nullptr && spec.enumeration->has_body) {
        lower_children(spec.enumeration);
        out << spec.enumeration;
    }
    return out;
}

void Lowerer::definitions_in(ast::Specifiers& spec, Rope& out)
{
    Rope definition = definition_in(spec);
    if (!definition.empty())
        out << definition << "; ";
}

namespace {

bool has_upc_qualifier(const ast::Specifiers& spec)
{
    for (const ast::QualifierToken& qualifier : spec.qualifiers)
        if (qualifier.tok == lex::Tok::KwShared || qualifier.tok == lex::Tok::KwStrict ||
            qualifier.tok == lex::Tok::KwRelaxed)
            return true;
    return false;
}

}  // namespace

// typedef int row[THREADS]; at file scope: only useful for shared objects
bool Lowerer::is_row(const Symbol& symbol) const
{
    return symbol.kind == Symbol::Kind::Typedef && symbol.at_file_scope && is_private_by_threads(symbol.type);
}

// What the declaration of an object of which each thread has its own copy says behind its storage class.  (Unlike
// _Thread_local, this is a word of every C for gcc and clang: no option makes them warn of it.)
std::string_view Lowerer::own_storage(const ast::Declaration& decl, const Symbol& symbol)
{
    return symbol.is_own && !decl.specifiers->is_thread_local ? "__thread " : "";
}

// The same for a declaration that is otherwise copied
void Lowerer::put_own_storage(ast::Declaration& decl)
{
    const ast::InitDeclarator* init = decl.declarators.empty() ? nullptr : decl.declarators[0];
    std::string_view own = init != nullptr && init->symbol != nullptr ? own_storage(decl, *init->symbol) : "";
    if (own.empty())
        return;
    ast::Specifiers& spec = *decl.specifiers;
    if (spec.last < spec.first) {  // x = 3;
        set(&decl, rope(own) << self(&decl));
        return;
    }
    lex::TokenIndex at = spec.first;
    for (bool is_prefix = true; is_prefix;) {
        auto attribute = std::ranges::find(spec.attribute_nodes, at, &Node::first);
        is_prefix = attribute != spec.attribute_nodes.end() || tokens_[at].kind == lex::Tok::KwExtension;
        at = attribute != spec.attribute_nodes.end() ? (*attribute)->last + 1 : at + is_prefix;
    }
    if (!spec.storage.empty())
        at = std::max(at, spec.storage.back() + 1);
    Rope out = rope();
    if (at > spec.first)
        out << part_of(spec, spec.first, at - 1) << " ";
    out << own;
    if (at <= spec.last)
        out << part_of(spec, at, spec.last);
    set(&spec, out);
    decl.touched = true;
}

// unused_mark() of types that are copied
void Lowerer::mark_types(ast::Declaration& decl)
{
    if (!decl.specifiers->is_typedef)
        return;
    for (ast::InitDeclarator* init : decl.declarators) {
        Rope mark = init->symbol != nullptr ? unused_mark(*init->symbol) : rope();
        if (!mark.empty()) {
            set(init, rope() << self(init) << " " << mark);
            decl.touched = true;
        }
    }
}

// The tokens of a node from `first` to `last`, which do not cut its children
Node* Lowerer::part_of(const Node& node, lex::TokenIndex first, lex::TokenIndex last)
{
    Node* part = arena_.make<Node>();
    part->kind = Kind::Opaque;
    part->first = first;
    part->last = last;
    std::vector<Node*> inside;
    for (Node* child : node.children)
        if (child->first >= first && child->last <= last)
            inside.push_back(child);
    part->children = arena_.copy(inside);
    part->touched = true;
    return part;
}

// Whether there is a compound literal that must be declared after the types that its declaration defines
bool Lowerer::has_static_literal(const Node& node) const
{
    return any_below(node,
                     [&](const Node& part) { return part.kind == Kind::CompoundLiteral && statics_.contains(&part); });
}

bool Lowerer::must_reprint(const ast::Declaration& decl) const
{
    size_t own = 0;
    for (const ast::InitDeclarator* init : decl.declarators)
        own += init->symbol != nullptr && init->symbol->is_own;
    if (own != 0 && own != decl.declarators.size())
        return true;
    for (const ast::InitDeclarator* init : decl.declarators) {
        if (init->symbol == nullptr)
            continue;
        if (touches_shared(init->symbol->type) || statics_.contains(init))
            return true;
        if (!in_function_ && init->init != nullptr && has_static_literal(*init->init))
            return true;
        if (init->symbol->kind == Symbol::Kind::Typedef &&
            (touches_shared(init->symbol->type.type->base) || is_row(*init->symbol)))
            return true;
    }
    return false;
}

// Block sizes and dimensions do not occur in the C that cc sees.  If they depend on cc, an assertion confirms sema's
// value:
//     shared [sizeof(struct s)] char a[9*THREADS];    _Static_assert((unsigned long)(sizeof(struct s)) == 12ul, "...");
void Lowerer::confirm_numbers(const Node& node, Rope& out)
{
    for (Node* child : node.children) {
        if (child->kind == Kind::ParamDecl)  // has its own scope
            continue;
        auto found =
            ast::is_expression(child) ? analysis_.reckoned.find(static_cast<Expr*>(child)) : analysis_.reckoned.end();
        if (found == analysis_.reckoned.end()) {
            confirm_numbers(*child, out);
            continue;
        }
        const auto& [value, written] = found->second;
        std::string number = std::to_string(static_cast<uint64_t>(value));
        lower(child);
        out << "__extension__ _Static_assert((unsigned long)(" << child << ") == " << number << "ul, "
            << source::quoted_name(written + " is " + number +
                                   " for upcc, and another number for the C compiler, by an option or attribute that "
                                   "changes types; write the number itself")
            << "); ";
    }
}

// An initialiser of an object, which C wants to be constant if the object is static
void Lowerer::lower_initialiser(Node* init, bool is_static)
{
    Restored inside(in_static_initialiser_, is_static);
    lower(init);
}

Rope Lowerer::declarator(ast::Declaration& decl, ast::InitDeclarator& init)
{
    const Symbol& symbol = *init.symbol;
    ast::Declarator& written = *init.declarator;
    if (symbol.kind == Symbol::Kind::Typedef) {
        QualType aliased = symbol.type.type->base;
        if (is_shared(aliased) || is_row(symbol))
            return rope();
        return specifier_prefix(*decl.specifiers)
               << unused_mark(symbol) << c_declaration(aliased, rope(symbol.name)) << suffix(written) << ";";
    }
    if (symbol.kind == Symbol::Kind::Variable && is_shared(symbol.type))
        return shared_object(decl, init);
    auto found = statics_.find(&init);
    if (found != statics_.end())
        return private_object(decl, init, *found->second);
    Rope out = specifier_prefix(*decl.specifiers, own_storage(decl, symbol))
               << unused_mark(symbol) << c_declaration(symbol.type, rope(symbol.emitted)) << suffix(written);
    if (init.init != nullptr) {
        bool is_static = symbol.at_file_scope || decl.specifiers->is_static;
        lower_initialiser(init.init, is_static);
        out << " = " << init.init;
    }
    return out << ";";
}

Rope Lowerer::taken_hoisted()
{
    Rope out = rope();
    for (const Rope& object : hoisted_)
        out << object;
    hoisted_.clear();
    return out;
}

void Lowerer::put_hoisted_before(Node* decl)
{
    if (!hoisted_.empty())
        set(decl, taken_hoisted() << self(decl));
}

void Lowerer::declaration(ast::Declaration& decl)
{
    declarators(decl);
    if (in_function_)
        rename_shadowed(&decl);
}

void Lowerer::declarators(ast::Declaration& decl)
{
    if (decl.declarators.empty() && has_upc_qualifier(*decl.specifiers)) {
        Rope out = rope();
        definitions_in(*decl.specifiers, out);
        if (out.empty() && decl.specifiers->record != nullptr)
            out << decl.specifiers->record << ";";
        set(&decl, out);
        return;
    }
    if (!must_reprint(decl)) {
        bool is_static = !in_function_ || decl.specifiers->is_static;
        {
            Restored inside(in_static_initialiser_, is_static);
            lower_children(&decl);
        }
        put_own_storage(decl);
        mark_types(decl);
        return;
    }
    Rope out = rope();
    definitions_in(*decl.specifiers, out);
    if (!analysis_.reckoned.empty())
        confirm_numbers(*decl.specifiers, out);
    bool first = true;
    for (ast::InitDeclarator* init : decl.declarators) {
        if (init->symbol == nullptr)
            continue;
        if (!analysis_.reckoned.empty())
            confirm_numbers(*init->declarator, out);
        Rope one = declarator(decl, *init);
        if (!in_function_)  // after the types that the declaration defines
            out << taken_hoisted();
        if (!one.empty())
            out << (first ? "" : " ") << one;
        first &= one.empty();
    }
    set(&decl, out);
}

void Lowerer::field(ast::FieldDecl& decl)
{
    bool touches = false;
    for (const ast::FieldDecl::Field& field : decl.fields)
        touches |= field.type.type != nullptr && touches_shared(field.type);
    if (!touches) {
        lower_children(&decl);
        return;
    }
    Rope out = rope();
    Rope definition = definition_in(*decl.specifiers);
    if (!definition.empty())  // among members, a definition alone "does not declare anything"
        out << "__extension__ _Static_assert(sizeof(" << definition << ") + 1, \"\"); ";
    for (const ast::FieldDecl::Field& field : decl.fields) {
        Rope name =
            rope(field.declarator != nullptr && field.declarator->name != 0 ? text(field.declarator->name) : "");
        out << specifier_prefix(*decl.specifiers) << c_declaration(field.type, name);
        if (field.width != nullptr) {
            lower(field.width);
            out << " : " << field.width;
        }
        if (field.declarator != nullptr)
            out << suffix(*field.declarator);
        out << "; ";
    }
    set(&decl, out);
}

void Lowerer::parameter(ast::ParamDecl& param)
{
    if (param.symbol == nullptr || !touches_shared(param.symbol->type)) {
        lower_children(&param);
        return;
    }
    Rope name = rope(param.declarator != nullptr && param.declarator->name != 0 ? text(param.declarator->name) : "");
    Rope out = specifier_prefix(*param.specifiers)
               << unused_mark(*param.symbol) << c_declaration(param.symbol->type, name);
    if (param.declarator != nullptr)
        out << suffix(*param.declarator);
    set(&param, out);
}

void Lowerer::type_name(ast::TypeName& name)
{
    if (name.type.type == nullptr || !touches_shared(name.type)) {
        lower_children(&name);
        return;
    }
    set(&name, c_type(name.type));
}

// "name(a, b)" of an old-style definition
Rope Lowerer::kr_head(const ast::FunctionDef& def)
{
    Rope out = rope(def.symbol->name) << "(";
    std::string_view separator;
    for (lex::TokenIndex name : def.declarator->parts[0].kr_names) {
        out << separator << text(name);
        separator = ", ";
    }
    return out << ")";
}

void Lowerer::function(ast::FunctionDef& def)
{
    bool is_outermost = !in_function_;
    in_function_ = true;
    Restored foralls(foralls_around_, 0);
    Restored turns(turns_, is_outermost && is_phase(def) ? 1 : 0);
    if (is_outermost) {
        outermost_function_ = &def;
        nested_.clear();
        find_nests(def);
        fences_ = options_.passes.fences ? fences_of(def, nested_, tokens_) : Fences{};
    }
    for (ast::Declaration* kr : def.kr_declarations) {  // no statics, no values: only types
        bool touches = false;
        for (const ast::InitDeclarator* init : kr->declarators)
            touches |= init->symbol != nullptr && touches_shared(init->symbol->type);
        kr->visited = true;
        if (!touches) {
            lower_children(kr);
            continue;
        }
        Rope out = rope();
        for (const ast::InitDeclarator* init : kr->declarators)
            if (init->symbol != nullptr)
                out << c_declaration(init->symbol->type, rope(init->symbol->name)) << "; ";
        set(kr, out);
    }
    const Type* type = def.symbol != nullptr ? kind_of(def.symbol->type) : nullptr;
    bool reprint = type != nullptr && type->kind == TypeKind::Function && touches_shared(def.symbol->type);
    if (reprint) {
        Rope definitions = rope();
        definitions_in(*def.specifiers, definitions);
        Rope head = specifier_prefix(*def.specifiers);
        bool has_types = type->has_prototype || def.kr_declarations.empty();
        head << c_declaration(has_types ? def.symbol->type : type->base,
                              has_types ? rope(def.symbol->name) : kr_head(def));
        head << suffix(*def.declarator) << " ";
        def.specifiers->visited = true;
        set(def.specifiers, definitions << head);
        def.declarator->visited = true;
        set(def.declarator, rope());
    }
    lower_children(&def);
    if (is_outermost) {
        in_function_ = false;
        function_effects_.reset();
        put_hoisted_before(&def);
    }
}

}  // namespace bn::lower
