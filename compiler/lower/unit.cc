// unit.cc: a whole translation unit, and what is appended to it:
//
// - bn_unit_initialise(), which sets initial values that are no constants in C: every thread sets its own private objects, the
//   owner of a shared element sets that;
// - the unit's record and the constructor that registers it (docs/design/001-representation.md).
#include "lower/lowerer.h"

namespace bn::lower {

using ast::Kind;
using namespace sema;

Lowerer::Lowerer(ast::Unit& unit, const Analysis& analysis, const lex::TokenList& tokens, ast::Arena& arena,
                 diag::Diagnostics& diags, const Options& options)
    : unit_(unit), analysis_(analysis), tokens_(tokens), arena_(arena), diags_(diags), options_(options)
{
    for (const StaticObject& object : analysis.statics)
        statics_[object.declarator] = &object;
}

const ast::Lowered* lower(ast::Unit& unit, const Analysis& analysis, const lex::TokenList& tokens, ast::Arena& arena,
                          diag::Diagnostics& diags, const Options& options)
{
    return Lowerer(unit, analysis, tokens, arena, diags, options).run();
}

// A record whose name means something else in an inner scope gets one that does not:
//     struct s { ... };                   struct s { ... }; typedef struct s bn_outer_1;
void Lowerer::rename_shadowed(Node* decl)
{
    Rope names = rope();
    for (; next_record_ < analysis_.records.size() && analysis_.records[next_record_]->spec->last <= decl->last; ++next_record_) {
        Record* record = analysis_.records[next_record_];
        if (!record->is_shadowed)
            continue;
        std::string name = fresh("outer_");
        names << " typedef ";
        if (record->alias.empty())
            names << (record->is_union ? "union " : "struct ") << record->tag;
        else
            names << record->alias;
        names << " " << name << ";";
        record->alias = arena_.copy(std::string_view(name));
    }
    if (!names.empty())
        set(decl, rope() << self(decl) << names);
}

const ast::Lowered* Lowerer::run()
{
    for (Node* decl : unit_.decls) {
        lower(decl);
        rename_shadowed(decl);
        unit_.uses_upc |= decl->touched;
    }
    return tail();
}

// { T image = initialiser; copy it to the object or, of a shared array, this thread's elements }
void Lowerer::initial_value(const StaticObject& object, Rope& out)
{
    const Symbol& symbol = *object.symbol;
    Expr* init = object.declarator->init;
    lower(init);
    bool is_array_of_threads = false;
    QualType type = canonical(symbol.type);
    if (object.is_shared && is_array(type)) {
        std::optional<Size> count = element_count(type);
        is_array_of_threads = count && count->by_threads;
        QualType inner = canonical(type.type->base);
        std::optional<Size> inner_count = element_count(inner);
        if (inner_count && inner_count->by_threads) {
            diags_.report(diag::Id::NotSupported, {object.declarator->first, object.declarator->last, object.declarator->first},
                          {"an initialiser of a shared array with THREADS in an inner dimension"});
            return;
        }
    }
    if (is_array_of_threads) {   // as many elements as the initialiser gives
        Type* open = arena_.make<Type>(*type.type);
        open->has_count = false;
        open->by_threads = false;
        open->size = nullptr;
        type.type = open;
    }
    QualType element = element_of(type);
    Type* plain = nullptr;
    if (type.type->kind == TypeKind::Array) {
        plain = arena_.make<Type>(*type.type);
        type = {plain, {}};
    } else {
        type.quals = {};
    }
    out << "{ " << c_declaration(type, rope("bn_image")) << " = " << init << "; ";
    if (!object.is_shared) {
        out << "__builtin_memcpy((void *)&" << symbol.emitted << ", &bn_image, sizeof bn_image); }\n";
    } else if (!is_array(type)) {
        out << "if (bn_mythread() == 0) __builtin_memcpy((void *)" << symbol.emitted << ", &bn_image, sizeof bn_image); }\n";
    } else {
        out << "bn_set_elements(" << symbol.emitted << ", &bn_image, sizeof bn_image, " << block_size(element) << ", "
            << element_size(element) << "); }\n";
    }
}

namespace {

std::string c_string(std::string_view text)
{
    std::string out = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\')
            out += '\\';
        out += c;
    }
    return out + "\"";
}

}  // namespace

const ast::Lowered* Lowerer::tail()
{
    Rope out = rope();
    if (!unit_.uses_upc && options_.static_threads == 0) {
        ast::Lowered* nothing = arena_.make<ast::Lowered>();
        return nothing;
    }
    in_function_ = true;
    Rope values = rope();
    for (const StaticObject& object : analysis_.statics)
        if (object.needs_code)
            initial_value(object, values);
    if (!values.empty())
        out << "static void bn_unit_initialise(void)\n{\n" << values << "}\n";
    out << "extern struct bn_static *const __start_bn_statics[] __attribute__((weak, visibility(\"hidden\")));\n"
           "extern struct bn_static *const __stop_bn_statics[] __attribute__((weak, visibility(\"hidden\")));\n"
           "static struct bn_unit bn_unit = { BN_ABI, "
        << std::to_string(options_.static_threads) << ", " << c_string(options_.source_name)
        << ", __start_bn_statics, __stop_bn_statics, " << (values.empty() ? "0" : "bn_unit_initialise")
        << ", 0 };\n"
           "static __attribute__((constructor)) void bn_unit_enter(void)\n{\n    bn_unit_register(&bn_unit);\n}\n";
    ast::Lowered* lowered = arena_.make<ast::Lowered>();
    lowered->pieces = out.pieces();
    return lowered;
}

}  // namespace bn::lower
