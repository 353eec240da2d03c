// debug_types.cc: describes types of shared objects and of pointers-to-shared for a debugger.
//
// The debugging information contains the types of emitted C: one for all shared objects, one for all
// pointers-to-shared. With -g the unit also contains a text with the UPC types, and the section by which gdb finds the
// program that reads it (tools/gdb/gdb.py):
//
//     v TAB FILE TAB LINE TAB NAME TAB TYPE      a variable or parameter, with the line of its declaration
//     m TAB TAG TAB TAB NAME TAB TYPE            a member of a struct or union; one without a tag has the typedef
//                                                name for TAG, or nothing
//     t TAB TAB TAB NAME TAB TYPE                a typedef name of such a type, or of an array
//
// In TYPE a blank follows the brackets of a layout, but not those of an array.
#include <string>

#include "lower/lowerer.h"
#include "source/source.h"

namespace bn::lower {

using ast::Kind;
using namespace sema;

namespace {

class DebugTypes {
public:
    DebugTypes(const lex::TokenList& tokens, const source::PrefixMap& names) : tokens_(tokens), names_(names) {}

    const std::string& text() const { return text_; }  // string literals

    void walk(const Node& node)
    {
        if (node.kind == Kind::InitDeclarator)
            variable(static_cast<const ast::InitDeclarator&>(node).symbol);
        else if (node.kind == Kind::ParamDecl)
            variable(static_cast<const ast::ParamDecl&>(node).symbol);
        else if (node.kind == Kind::RecordSpec)
            members(static_cast<const ast::RecordSpec&>(node));
        for (const Node* child : node.children)
            walk(*child);
    }

private:
    void variable(const Symbol* symbol)
    {
        if (symbol == nullptr || symbol->token == 0)
            return;
        // Nothing but shared objects may use the name of an array, and C does not have their types.
        if (symbol->kind == Symbol::Kind::Typedef &&
            (touches_shared(symbol->type) || canonical(symbol->type).type->kind == TypeKind::Array))
            line("t\t\t", symbol->name, desugar(symbol->type));
        if (symbol->kind != Symbol::Kind::Variable || !touches_shared(symbol->type))
            return;
        const lex::Token& token = tokens_[symbol->token];
        source::Location where = tokens_.source->location(token.line);
        std::string file = names_.apply(tokens_.source->file_name(where.file));
        if (!token.in_system_header)
            line("v\t" + file + "\t" + std::to_string(where.line), symbol->name, symbol->type);
    }

    void members(const ast::RecordSpec& spec)
    {
        if (spec.record == nullptr || tokens_[spec.first].in_system_header)
            return;
        std::string_view tag = spec.tag != 0 ? tokens_.text(spec.tag) : spec.record->alias;
        for (const Field& field : spec.record->fields) {
            if (!field.name.empty() && touches_shared(field.type))
                line("m\t" + std::string(tag) + "\t", field.name, field.type);
        }
    }

    void line(const std::string& place, std::string_view name, QualType type)
    {
        std::string text = describe(type);
        QualType plain = canonical(type);
        if (plain.type->kind == TypeKind::Pointer && plain.quals.is_shared && text.ends_with(']'))
            text += ' ';  // int *shared [2] p, unlike int *shared p[2]
        std::string literal = source::quoted_name(place + "\t" + std::string(name) + "\t" + text);
        literal.insert(literal.size() - 1, "\\n");
        text_ += "\n    " + literal;
    }

    const lex::TokenList& tokens_;
    const source::PrefixMap& names_;
    std::string text_;
};

}  // namespace

Rope Lowerer::debug_types()
{
    Rope out = rope();
    if (options_.debugger_script.empty())
        return out;
    DebugTypes types(tokens_, options_.debug_names);
    for (const Node* decl : unit_.decls)
        types.walk(*decl);
    out << "static const char bn_types[] __attribute__((" << kept() << ")) = \"\"" << types.text()
        << ";\n"
        // clang drops types that nothing uses.
        << (options_.own_objects ? "__attribute__((used)) static int bn_whose(void) { return bn_self.mythread; }\n"
                                 : "static const struct bn_self *const bn_who __attribute__((used)) = &bn_self;\n");
    // 1 means that the file name of a Python program follows.  The linker merges equal entries.
    out << "__asm__("
        << source::quoted_name(".pushsection .debug_gdb_scripts, \"MS\", %progbits, 1; .byte 1; .asciz " +
                               source::quoted_name(options_.debugger_script) + "; .popsection")
        << ");\n";
    return out;
}

}  // namespace bn::lower
