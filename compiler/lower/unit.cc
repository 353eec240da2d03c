// unit.cc: a whole translation unit, and the text appended to it:
//
// - the functions that compute initial values that are not constants in C (statics.cc);
// - types for a debugger (debug_types.cc);
// - with -pthreads, records of the unit's constructors and destructors (lifetime.cc);
// - the unit record and the constructor that registers it (docs/design/001-representation.md).
#include "lower/lowerer.h"
#include "lower/note.h"
#include "source/source.h"

namespace bn::lower {

using ast::Kind;
using namespace sema;

Lowerer::Lowerer(ast::Unit& unit, const Analysis& analysis, const lex::TokenList& tokens, ast::Arena& arena,
                 diag::Diagnostics& diags, const Options& options)
    : unit_(unit), analysis_(analysis), tokens_(tokens), arena_(arena), diags_(diags), options_(options)
{
    for (const StaticObject& object : analysis.statics)
        statics_[object.node] = &object;
}

const ast::Lowered* lower(ast::Unit& unit, const Analysis& analysis, const lex::TokenList& tokens, ast::Arena& arena,
                          diag::Diagnostics& diags, const Options& options)
{
    return Lowerer(unit, analysis, tokens, arena, diags, options).run();
}

// If the name of a record has another meaning in an inner scope, the record gets a second name:
//     struct s { ... };                   struct s { ... }; typedef struct s bn_outer_1;
// `decl` has just been lowered and is in the current scope of the lowering.
void Lowerer::rename_shadowed(Node* decl)
{
    Rope names = rope();
    for (; next_record_ < analysis_.records.size() && analysis_.records[next_record_]->spec->last <= decl->last;
         ++next_record_) {
        Record* record = analysis_.records[next_record_];
        bool is_inside = record->in_function && !in_function_;  // inside a function that has been lowered
        if (!record->is_shadowed || is_inside || record->spec->first < decl->first)
            continue;
        std::string name = fresh("outer_");
        names << " typedef ";
        if (record->alias.empty()) {
            note_tag(*record);
            names << (record->is_union ? "union " : "struct ") << record->tag;
        } else {
            names << record->alias;
        }
        names << " " << name << ";";
        record->alias = arena_.copy(std::string_view(name));
    }
    if (!names.empty())
        set(decl, rope() << self(decl) << names);
}

const ast::Lowered* Lowerer::run()
{
    for (Node* decl : unit_.decls) {
        if (options_.own_objects)
            note_lifetimes(*decl);
        lower(decl);
        put_hoisted_before(decl);
        rename_shadowed(decl);
        unit_.uses_upc |= decl->touched && !options_.own_objects;  // with -pthreads plain C is touched, too
    }
    for (ast::RecordSpec* spec : named_)
        for (Node* decl : unit_.decls)
            if (tag_below(decl, spec))
                break;
    return tail();
}

const ast::Lowered* Lowerer::tail()
{
    Rope out = lifetimes();
    bool is_c = !unit_.uses_upc && options_.static_threads == 0;
    if (!is_c || !computations_.empty())
        out << unit_record(is_c);
    ast::Lowered* lowered = arena_.make<ast::Lowered>();
    lowered->pieces = out.pieces();
    return lowered;
}

// The attributes of an object that only the start-up code or a debugger finds.  `used` keeps it in the unit, `retain`
// in the program as well: lld's --gc-sections, and that of ld with -z start-stop-gc, drop a section of which only
// __start_NAME is used.
const char* Lowerer::kept() const
{
    return options_.has_retain ? "used, retain" : "used";
}

// The unit record, the functions that it needs, and the types for a debugger
Rope Lowerer::unit_record(bool is_c)
{
    Rope declared = declared_table();
    Rope out = rope();
    for (const Rope& computation : computations_)
        out << computation;
    if (options_.static_threads > 0)
        out << note_definition(NoteType::Threads, options_.static_threads);
    out << "extern struct bn_static *const __start_bn_statics[] __attribute__((weak, visibility(\"hidden\")));\n"
           "extern struct bn_static *const __stop_bn_statics[] __attribute__((weak, visibility(\"hidden\")));\n"
        << declared << "static struct bn_unit bn_unit = { BN_ABI" << (is_c ? " + BN_ABI_OF_C" : "")
        << (declared.empty() ? ", " : " + BN_ABI_DECLARES, ") << std::to_string(options_.static_threads) << ", "
        << source::quoted_name(options_.file_names.apply(options_.source_name))
        << ", __start_bn_statics, __stop_bn_statics, 0, "
        << (declared.empty() ? "0, 0" : "bn_declared, sizeof bn_declared / sizeof bn_declared[0]")
        << " };\n"
           "static __attribute__((cold, no_instrument_function)) void bn_unit_enter(void)\n{\n"
           "    bn_unit_register(&bn_unit);\n"
        << (options_.checks ? "    bn_check_register();\n" : "")
        << "}\n"
        // A constructor of priority 100, of which cc would warn, since the program's begin at 101
        << "static void (*bn_unit_entry)(void) __attribute__((section(\".init_array.00100\"), used)) = bn_unit_enter;\n"
        << debug_types();
    return out;
}

}  // namespace bn::lower
