// declare.cc: turns declarations into symbols.
#include <algorithm>
#include <utility>

#include "sema/attributes.h"
#include "sema/checker.h"

namespace bn::sema {

using ast::Expr;
using diag::Id;

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
