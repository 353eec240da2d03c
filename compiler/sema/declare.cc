// declare.cc: turns declarators into types and symbols; the rules of facts 1.6 for objects.
#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "sema/attributes.h"
#include "sema/checker.h"

namespace bn::sema {

using ast::DeclaratorPart;
using ast::Expr;
using diag::Id;

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
    if (is_shared(element) && (is_incomplete(element) || is_function(element))) {
        diags_.report(Id::ArrayOfIncomplete, {part.first, part.last, part.first}, {quote(element)});
        element = {basic(TypeKind::Int).type, element_of(element).quals};
    }
    type->base = element;
    type->size = part.size;
    if (part.is_star)
        type->is_vla = true;
    if (part.size == nullptr)
        return {type, Quals{}};
    expr(part.size);
    std::optional<Constant> size = dimension(part.size);
    bool is_private_by_threads = size && size->by_threads && !is_shared(element);  // becomes an array if made shared
    if (!size || (is_private_by_threads && size->value <= 0)) {
        type->is_vla = true;
        return {type, Quals{}};
    }
    // Array sizes of plain C are checked by cc: attributes and options may lay out structs in ways that are not known
    // here.
    if (is_shared(element) && (size->value < 0 || (size->by_threads && size->value == 0)))
        diags_.report(Id::ArraySizeNegative, range(*part.size), {quote(*part.size)});
    if (is_shared(element))
        note_reckoned(part.size);
    type->is_vla = is_private_by_threads;
    type->has_count = !is_private_by_threads;
    type->count = static_cast<uint64_t>(std::clamp<__int128>(size->value, 0, UINT64_MAX));
    type->by_threads = size->by_threads;
    return {type, Quals{}};
}

// UPC qualifiers in [ ] that have no pointer to qualify
void Checker::check_brackets(const DeclaratorPart& part)
{
    for (const ast::QualifierToken& qualifier : part.qualifiers)
        if (qualifier.tok == lex::Tok::KwShared || qualifier.tok == lex::Tok::KwStrict ||
            qualifier.tok == lex::Tok::KwRelaxed)
            diags_.report(Id::QualifierInBrackets, qualifier.token, {text(qualifier.token)});
}

// Qualifiers in the brackets of an array parameter belong to the pointer (C11 6.7.6.3p7).
QualType Checker::adjust_parameter(const ast::Declarator* declarator, QualType type)
{
    QualType plain = canonical(type);
    if (plain.type->kind == TypeKind::Array) {
        QualType pointer = pointer_to(plain.type->base);
        bool has_layout = false;
        if (declarator != nullptr && !declarator->parts.empty())
            pointer.quals = qualifiers(declarator->parts[0].qualifiers, nullptr, &has_layout);
        return pointer;
    }
    if (plain.type->kind == TypeKind::Function)
        return pointer_to(type);
    return type;
}

// The type of a parameter, declared in a prototype or (C11 6.9.1p6) before the body
QualType Checker::parameter_type(const ast::Specifiers& spec, ast::Declarator* declarator, QualType base,
                                 const ast::Node& where)
{
    QualType written = declared_type(declarator, base, true);
    QualType type = adjust_parameter(declarator, written);
    if (is_array(written) && element_of(written).quals.is_shared && element_of(written).quals.layout == Layout::Star)
        diags_.report(Id::StarPointer, range(where));
    else if (is_shared(type))
        diags_.report(Id::SharedParameter, range(where), {quote(type)});
    refuse_definition(spec, type);
    check_threads_in_type(declarator, where, type);
    return type;
}

void Checker::parameter(ast::ParamDecl& param)
{
    Specified base = specifiers(*param.specifiers);
    QualType type = parameter_type(*param.specifiers, param.declarator, base.type, param);
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
            check_atomic({part.first, part.last, part.first}, pointer);
            type = pointer;
            break;
        }
        case DeclaratorPart::Kind::Array:
            if (!is_parameter || i != 0)
                check_brackets(part);
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
    type = apply_mode(declarator->attributes, type);
    return type;
}

// ---- Declarations ----

// Whether the attribute is _Alignas, which C23 spells alignas
bool Checker::is_alignas(const ast::Attribute& attribute) const
{
    return tokens_[attribute.name].kind == lex::Tok::KwAlignas;
}

// The largest alignment requested by __attribute__((aligned)) and _Alignas; 0 if there is none
uint64_t Checker::requested_alignment(std::span<ast::Attribute> attributes)
{
    uint64_t largest = 0;
    for (const ast::Attribute& attribute : attributes) {
        std::string_view name = text(attribute.name);
        uint64_t align = 0;
        if (attribute.type_arg != nullptr) {
            align = align_of(type_name(*attribute.type_arg), options_.machine.largest_alignment);
        } else if (attribute.arg != nullptr && (name == "aligned" || name == "__aligned__" || is_alignas(attribute))) {
            expr(attribute.arg);
            align = static_cast<uint64_t>(constant(attribute.arg).value_or(0));
        } else if (name == "aligned" || name == "__aligned__") {
            align = options_.machine.largest_alignment;
        }
        largest = std::max(largest, align);
    }
    return largest;
}

bool Checker::has_attribute(const ast::Specifiers& spec, const ast::Declarator& declarator, std::string_view name) const
{
    return find_attribute(spec.attributes, tokens_, name) != nullptr ||
           find_attribute(declarator.attributes, tokens_, name) != nullptr;
}

// Whether an attribute of the function, here or in an earlier declaration, turns off C's rule that a store as one type
// leaves objects of other types alone
bool Checker::ignores_types(const ast::Specifiers& spec, const ast::Declarator& declarator,
                            const Symbol* previous) const
{
    bool result = previous != nullptr && previous->ignores_types;
    for (std::span<ast::Attribute> attributes : {spec.attributes, declarator.attributes})
        for (const ast::Attribute& attribute : attributes) {
            if (without_underscores(text(attribute.name)) != "optimize")
                continue;
            for (lex::TokenIndex i = attribute.args_first; i <= attribute.args_last; ++i)
                result |= text(i).find("no-strict-aliasing") != std::string_view::npos;
        }
    return result;
}

// Attributes about the symbol of an object cannot apply to a shared object, which is a part of the shared segment.
void Checker::check_ineffective(const ast::Specifiers& spec, const ast::Declarator& declarator, const Symbol& symbol)
{
    auto report = [&](Id id, std::initializer_list<const char*> names) {
        for (const char* name : names)
            for (std::span<ast::Attribute> attributes : {spec.attributes, declarator.attributes})
                if (const ast::Attribute* found = find_attribute(attributes, tokens_, name))
                    diags_.report(id, found->name, {text(found->name), symbol.name});
    };
    report(Id::IneffectiveAttribute,
           {"common", "internal_linkage", "nocommon", "noinit", "persistent", "section", "tls_model", "weak"});
    report(Id::SharedAlias, {"alias", "weakref"});  // if it were ignored, the object would be a separate one
    for (const ast::Node* node : declarator.suffix)
        if (tokens_[node->first].kind == lex::Tok::KwAsm)
            diags_.report(Id::IneffectiveAttribute, node->first, {text(node->first), symbol.name});
}

// What may make a private object or a function an alias of a shared object, which is perhaps declared later
void Checker::note_aliases(const ast::Specifiers& spec, const ast::Declarator& declarator)
{
    for (const char* name : {"alias", "weakref"})
        for (std::span<ast::Attribute> attributes : {spec.attributes, declarator.attributes})
            if (const ast::Attribute* found = find_attribute(attributes, tokens_, name);
                found != nullptr && found->args_first <= found->args_last)
                alias_marks_.push_back({found->name, found->args_first});
    bool names_register = std::ranges::any_of(
        spec.storage, [&](lex::TokenIndex token) { return tokens_[token].kind == lex::Tok::KwRegister; });
    for (const ast::Node* node : declarator.suffix)
        if (tokens_[node->first].kind == lex::Tok::KwAsm && !names_register)
            alias_marks_.push_back({node->first, node->first + 2});
}

// An alias of the symbol that stands for a shared object in emitted C would overwrite it.
void Checker::check_aliases()
{
    if (alias_marks_.empty())
        return;
    std::map<std::string_view, const Symbol*> shared_objects;
    for (const Symbol* symbol : symbols_)
        if (symbol != nullptr && symbol->kind == Symbol::Kind::Variable && is_shared(symbol->type))
            shared_objects[symbol->name] = symbol;
    for (const AliasMark& mark : alias_marks_) {
        std::string_view target = text(mark.target);
        bool is_string = target.size() > 2 && target.starts_with('"');
        if (is_string && shared_objects.contains(target.substr(1, target.size() - 2)))
            diags_.report(Id::SharedAlias, mark.word, {text(mark.word), target.substr(1, target.size() - 2)});
    }
}

// C rules that cc cannot check because emitted C does not contain the declaration of a shared object
void Checker::check_plain_rules(const ast::Specifiers& spec, const ast::Declarator& declarator, const Symbol& symbol)
{
    if (!spec.functions.empty())
        diags_.report(Id::FunctionSpecifier, spec.functions.front(), {text(spec.functions.front()), symbol.name});
    QualType element = element_of(symbol.type);
    if (element.quals.is_restrict && !is_pointer(element))
        diags_.report(Id::RestrictShared, range(declarator), {symbol.name});
    if (!std::has_single_bit(std::max<uint64_t>(symbol.align, 1)))
        diags_.report(Id::Alignment, range(declarator), {symbol.name, std::to_string(symbol.align)});
    std::vector<ast::Attribute> asked;
    std::ranges::copy_if(spec.attributes, std::back_inserter(asked),
                         [&](const ast::Attribute& attribute) { return is_alignas(attribute); });
    uint64_t align = requested_alignment(asked);
    // the alignment of a struct is checked by cc, which knows all pragmas
    uint64_t own = is_record(element) ? 1 : align_of(symbol.type, options_.machine.largest_alignment);
    if (std::has_single_bit(align) && align < own)
        diags_.report(Id::AlignmentReduced, range(declarator),
                      {text(asked.front().name), symbol.name, std::to_string(align), std::to_string(own)});
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
        if (init.init != nullptr && touches_shared(spelt))
            diags_.report(Id::TypedefInitialised, range(declarator), {symbol.name});
        return;
    }
    bool is_private_array = is_array(symbol.type) && !is_shared(symbol.type);
    if (is_private_array && symbol.at_file_scope && is_dynamic()) {
        // only dimensions written in this declaration
        for (QualType t = symbol.type; t.type->kind == TypeKind::Array; t = t.type->base)
            if (t.type->size != nullptr && dimension(t.type->size) && dimension(t.type->size)->by_threads)
                diags_.report(Id::ThreadsPrivate, range(declarator), {symbol.name});
    }
    if (symbol.kind != Symbol::Kind::Variable || !is_shared(symbol.type)) {
        note_aliases(spec, declarator);
        return;
    }
    if (spec.is_thread_local) {
        diags_.report(Id::SharedThreadLocal, range(declarator), {symbol.name});
        return;
    }
    bool is_automatic = std::ranges::any_of(spec.storage, [&](lex::TokenIndex storage) {
        return tokens_[storage].kind == lex::Tok::KwAuto || tokens_[storage].kind == lex::Tok::KwRegister;
    });
    if (is_automatic || (!symbol.at_file_scope && !spec.is_static && !spec.is_extern)) {
        diags_.report(Id::SharedAutomatic, range(declarator), {symbol.name});
        return;
    }
    if (!symbol.at_file_scope && spec.is_extern && init.init != nullptr)
        diags_.report(Id::ExternInitialised, range(declarator), {symbol.name});
    check_ineffective(spec, declarator, symbol);
    check_plain_rules(spec, declarator, symbol);
    std::optional<Size> size = size_of(symbol.type);
    if (size && size->bytes > INT64_MAX)
        diags_.report(Id::SharedArrayTooLarge, range(declarator), {quote(declarator)});
    if (is_array(symbol.type) && !has_threads_error)
        check_shared_array(declarator, symbol, spec.is_extern && init.init == nullptr);
}

// Checks a redeclaration with linkage: layouts must agree, which cc cannot see; an earlier size is kept.
void Checker::check_redeclaration(const ast::Declarator& declarator, Symbol& symbol, const Symbol* previous)
{
    if (previous == nullptr || previous->kind != symbol.kind || !(previous->at_file_scope || previous->is_extern))
        return;
    bool is_typedef = symbol.kind == Symbol::Kind::Typedef;
    QualType old = is_typedef ? previous->type.type->base : previous->type;
    QualType now = is_typedef ? symbol.type.type->base : symbol.type;
    if (!(touches_shared(old) || touches_shared(now)) || element_of(now).quals.layout == Layout::Star)
        return;
    Quals had = element_of(old).quals;
    Quals has = element_of(now).quals;
    bool is_object = symbol.kind == Symbol::Kind::Variable && is_shared(now);
    bool differ_quals = is_shared(now) && !same_qualifiers(had, has);
    if (!compatible(old, now) || differ_quals)
        diags_.report(Id::ConflictingTypes, range(declarator), {symbol.name, quote(now), quote(old)});
    else if (is_object && symbol.is_static != previous->is_static && !(symbol.is_extern && previous->is_static))
        diags_.report(Id::ConflictingLinkage, range(declarator), {symbol.name});
    else if (is_object && symbol.has_initialiser && previous->has_initialiser)
        diags_.report(Id::InitialisedTwice, range(declarator), {symbol.name});
    else {
        symbol.has_initialiser |= previous->has_initialiser;
        symbol.is_static |= previous->is_static && is_object;
        if (is_array(now) && !kind_of(now)->has_count && !is_typedef)
            symbol.type = previous->type;
        return;
    }
    diags_.report(Id::PreviousDeclaration, previous->token, {symbol.name, quote(old)});
}

// Whether the object is in a section between symbols of the linker, __start_NAME and __stop_NAME, for which NAME must
// be an identifier.  Declarations of these symbols do not show whether the objects are constants.
bool Checker::is_in_table(const ast::Specifiers& spec, const ast::Declarator& declarator) const
{
    for (std::span<ast::Attribute> attributes : {spec.attributes, declarator.attributes})
        if (const ast::Attribute* section = find_attribute(attributes, tokens_, "section"))
            return section->args_first <= section->args_last && !text(section->args_first).starts_with("\".");
    return false;
}

// Whether, with -pthreads, each thread has its own copy of an object: true of the program's private objects with static
// storage.  Objects that a library declares are left alone, even if the program repeats the declaration or defines
// them, and constants outside of tables need no copies.
bool Checker::is_own(const ast::Declaration& decl, const ast::Declarator& declarator, const Symbol& symbol,
                     const Symbol* previous) const
{
    // What glibc or musl export, and programs declare themselves
    static constexpr std::string_view kOfLibrary[] = {
        "__daylight", "__environ", "__progname", "__progname_full", "__timezone",
        "__tzname",   "_environ",  "daylight",   "environ",         "getdate_err",
        "optarg",     "opterr",    "optind",     "optopt",          "program_invocation_name",
        "signgam",    "stderr",    "stdin",      "stdout",          "program_invocation_short_name",
        "timezone",   "tzname"};
    const ast::Specifiers& spec = *decl.specifiers;
    bool is_static_object = symbol.kind == Symbol::Kind::Variable && !is_shared(symbol.type) &&
                            (symbol.at_file_scope || spec.is_static || spec.is_extern);
    if (!options_.own_objects || !is_static_object || spec.is_thread_local || tokens_[declarator.name].in_system_header)
        return false;
    for (lex::TokenIndex token : spec.storage)
        if (text(token) == "register")
            return false;
    bool is_again = previous != nullptr && previous->kind == Symbol::Kind::Variable && previous->at_file_scope;
    if (is_again && (spec.is_extern || symbol.at_file_scope))
        return previous->is_own;
    bool is_of_library = std::find(std::begin(kOfLibrary), std::end(kOfLibrary), symbol.name) != std::end(kOfLibrary);
    bool is_constant = spec.is_constexpr || (spec.is_static && element_of(symbol.type).quals.is_const);
    return !(is_constant && !is_in_table(spec, declarator)) && !(spec.is_extern && is_of_library);
}

QualType Checker::named_type(const ast::Specifiers& spec, const ast::Declarator& declarator, QualType type)
{
    Type* named = make_type(TypeKind::Typedef);
    named->name = text(declarator.name);
    named->base = type;
    named->in_function = scopes_.size() > 1;
    if (Record* record = type.type->kind == TypeKind::Record && !is_shared(type) ? type.type->record : nullptr;
        record != nullptr && record->is_anonymous && record->alias.empty())
        record->alias = named->name;
    named->align = std::max(requested_alignment(declarator.attributes), requested_alignment(spec.attributes));
    named->may_alias = has_attribute(spec, declarator, "may_alias");
    return {named, Quals{}};
}

// Declares the name, with what the specifiers say about it.
Symbol* Checker::declared_symbol(ast::Declaration& decl, ast::InitDeclarator& init, Symbol::Kind kind, QualType type)
{
    const ast::Specifiers& spec = *decl.specifiers;
    const ast::Declarator& declarator = *init.declarator;
    const Symbol* previous = lookup(declarator.name);
    Symbol* symbol = declare(declarator.name, kind, type);
    symbol->is_static = spec.is_static;
    symbol->is_extern = spec.is_extern;
    symbol->has_initialiser = init.init != nullptr;
    symbol->is_constexpr = spec.is_constexpr;
    symbol->is_own = is_own(decl, declarator, *symbol, previous);
    symbol->ignores_types = ignores_types(spec, declarator, previous);
    if (kind == Symbol::Kind::Variable)
        symbol->align = std::max(
            {requested_alignment(declarator.attributes), requested_alignment(spec.attributes), named_alignment(type)});
    init.symbol = symbol;
    if (kind == Symbol::Kind::Function || symbol->at_file_scope || (spec.is_extern && kind == Symbol::Kind::Variable))
        check_redeclaration(declarator, *symbol, previous);
    return symbol;
}

// Checks the initial value, if there is one.  Returns what must be done before main.
std::vector<Image> Checker::initial_value(const ast::Specifiers& spec, ast::InitDeclarator& init, Symbol& symbol,
                                          bool is_static_object)
{
    std::vector<Image> images;
    if (init.init == nullptr)
        return images;
    bool is_named_constant = spec.is_constexpr && is_integer(symbol.type);
    Expr* written = init.init;
    if (is_static_object)
        images = static_initialiser(init.init, symbol.type);
    else
        initialiser(init.init, symbol.type, nullptr);
    if (init.init != written)
        replace_child(init, written, init.init);
    std::optional<__int128> value = is_named_constant ? constant(init.init) : std::nullopt;
    symbol.is_constant = value.has_value();
    symbol.value = value.value_or(0);
    return images;
}

// Notes an object with static storage that is shared, or whose values must be computed.
void Checker::note_static(ast::Declaration& decl, ast::InitDeclarator& init, Symbol& symbol, std::vector<Image> images)
{
    bool is_shared_object = is_shared(symbol.type);
    if (is_shared_object && is_incomplete(symbol.type) && !is_array(symbol.type))
        diags_.report(Id::SharedIncomplete, range(*init.declarator), {symbol.name, quote(symbol.type)});
    if (!is_shared_object && images.empty())
        return;
    bool needs_threads = is_dynamic() && element_of(symbol.type).quals.layout != Layout::Indefinite;
    if (is_shared_object && is_array(symbol.type) && is_incomplete(symbol.type) && !needs_threads)
        open_arrays_.push_back(&symbol);
    symbol.is_own |= (options_.own_objects || decl.specifiers->is_thread_local) && !is_shared_object;
    if (!symbol.at_file_scope && is_shared_object)
        symbol.emitted = intern("bn_s" + std::to_string(++hoisted_) + "_" + std::string(symbol.name));
    ast::FunctionDef* function = symbol.at_file_scope ? nullptr : function_;
    if (function != nullptr)
        for (const Image& image : images)
            for (const ComputedValue& computed : image.computed)
                note_constants(*computed.value);
    analysis_.statics.push_back({&symbol, &init, &decl, function, is_shared_object, std::move(images)});
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
    Symbol::Kind kind = spec.is_typedef     ? Symbol::Kind::Typedef
                        : is_function(type) ? Symbol::Kind::Function
                                            : Symbol::Kind::Variable;
    if (spec.is_typedef && !is_array(type) && is_threads_row(base.type))
        diags_.report(Id::ThreadsPrivate, spec.typedef_name, {text(spec.typedef_name)});
    if (spec.is_typedef)
        type = named_type(spec, declarator, type);
    if (kind == Symbol::Kind::Variable && is_shared(type) && spec.is_static && scopes_.size() > 1 &&
        is_in_scope(declarator.name))
        diags_.report(Id::DeclaredTwice, range(declarator), {text(declarator.name)});
    Symbol* symbol = declared_symbol(decl, init, kind, type);
    check_object(decl, init, *symbol);
    bool is_static_object =
        kind == Symbol::Kind::Variable && (symbol->at_file_scope || spec.is_static || spec.is_extern);
    std::vector<Image> images = initial_value(spec, init, *symbol, is_static_object);
    if (element_of(symbol->type).quals.layout == Layout::Star && kind == Symbol::Kind::Variable &&
        is_shared(symbol->type))
        resolve_star(declarator, symbol->type, !is_incomplete(symbol->type));
    if (is_static_object && (!spec.is_extern || init.init != nullptr))
        note_static(decl, init, *symbol, std::move(images));
}

// Tentative definitions of arrays without a size: a later declaration may complete the type, otherwise the array has
// one element (C11 6.9.2).
void Checker::complete_open_arrays()
{
    for (Symbol* symbol : open_arrays_) {
        const Symbol* last = symbol->at_file_scope ? symbols_[tokens_[symbol->token].name] : symbol;
        if (last->kind != Symbol::Kind::Variable || is_incomplete(element_of(symbol->type)))
            continue;
        if (!is_incomplete(last->type)) {
            symbol->type = last->type;
            continue;
        }
        diags_.report(Id::AssumedOneElement, symbol->token, {symbol->name});
        QualType type = canonical(symbol->type);
        Type* one = arena_.make<Type>(*type.type);
        one->has_count = true;
        one->count = 1;
        symbol->type = {one, type.quals};
    }
}

void Checker::declaration(ast::Declaration& decl)
{
    Specified base = specifiers(*decl.specifiers);
    for (ast::InitDeclarator* init : decl.declarators)
        init_declarator(decl, *init, base);
    if (!decl.declarators.empty())
        return;
    for (const ast::QualifierToken& qualifier : decl.specifiers->qualifiers)
        if (qualifier.tok == lex::Tok::KwShared || qualifier.tok == lex::Tok::KwStrict ||
            qualifier.tok == lex::Tok::KwRelaxed)
            diags_.report(Id::EmptyDeclaration, qualifier.token, {text(qualifier.token)});
}

// Also in earlier declarations, which calls may have found, but not in those outside of a function that contains it
void Checker::note_definition(Symbol& symbol, const ast::FunctionDef& def)
{
    bool at_file_scope = symbol.at_file_scope;
    for (Symbol* each = &symbol; each != nullptr && each->at_file_scope == at_file_scope; each = each->before)
        each->definition = &def;
}

void Checker::function_definition(ast::FunctionDef& def)
{
    Specified base = specifiers(*def.specifiers);
    QualType type = declared_type(def.declarator, base.type);
    const Symbol* previous = lookup(def.declarator->name);
    Symbol* symbol = declare(def.declarator->name, Symbol::Kind::Function, type);
    symbol->is_static = def.specifiers->is_static;
    symbol->ignores_types = ignores_types(*def.specifiers, *def.declarator, previous);
    def.symbol = symbol;
    if (!tokens_[def.declarator->name].in_system_header)
        note_definition(*symbol, def);
    check_redeclaration(*def.declarator, *symbol, previous);
    check_threads_in_type(def.declarator, *def.declarator, type);
    if (def.body == nullptr)
        return;
    bool is_outermost = function_ == nullptr;
    if (is_outermost)
        function_ = &def;
    QualType outer_return = return_type_;
    return_type_ = kind_of(type)->base;
    Flow outer_flow = std::exchange(flow_, {});
    flow_.outer_local_labels = local_labels_.size();
    bool outer_strict = strict_;
    push_scope();
    const Type* function = kind_of(type);
    for (ast::ParamDecl* param : function->param_decls) {
        if (param->declarator == nullptr || param->declarator->name == 0)
            continue;
        Symbol* own = declare(param->declarator->name, Symbol::Kind::Variable, param->symbol->type);
        own->is_parameter = true;
        own->at_file_scope = false;
        own->is_named_for_its_type = param->symbol->is_named_for_its_type;
        param->symbol = own;  // the one that the body names
    }
    for (ast::Declaration* kr : def.kr_declarations) {
        Specified kr_base = specifiers(*kr->specifiers);
        for (ast::InitDeclarator* init : kr->declarators) {
            QualType param = parameter_type(*kr->specifiers, init->declarator, kr_base.type, *init);
            Symbol* own = declare(init->declarator->name, Symbol::Kind::Variable, param);
            own->is_parameter = true;
            init->symbol = own;
        }
    }
    compound(*def.body, false);
    pop_scope();
    check_gotos();
    strict_ = outer_strict;
    flow_ = std::move(outer_flow);
    return_type_ = outer_return;
    if (is_outermost)
        function_ = nullptr;
}

}  // namespace bn::sema
