// lifetime.cc: with -pthreads, each thread calls constructors and destructors (functions with these attributes), as a
// process of its own would (docs/design/014-pthreads.md).  The C library must not call them:
//
// UPC form                                             C form
// __attribute__((constructor(200))) void f(void) { }   __attribute__((__used__)) void f(void) { } and, at the end of
//                                                      the unit, a record of f, and a constructor of the same priority
//                                                      that gives it to the runtime
#include "lower/lowerer.h"
#include "sema/attributes.h"

namespace bn::lower {

using ast::Kind;

namespace {

constexpr std::string_view kConstructor = "constructor";
constexpr std::string_view kDestructor = "destructor";

}  // namespace

// Notes what a declaration at file scope says about the function.  Those of system headers are left to the C library,
// as their objects exist once.
void Lowerer::note_lifetime(const ast::Specifiers& spec, const ast::Declarator& declarator)
{
    if (tokens_[declarator.name].in_system_header)
        return;
    for (std::string_view kind : {kConstructor, kDestructor})
        for (std::span<ast::Attribute> attributes : {spec.attributes, declarator.attributes})
            if (const ast::Attribute* found = sema::find_attribute(attributes, tokens_, kind)) {
                Rope priority = rope();
                for (lex::TokenIndex token = found->args_first; token <= found->args_last; ++token)
                    priority << text(token) << " ";
                lifetimes_[tokens_[declarator.name].name].insert_or_assign(kind, priority);
            }
}

void Lowerer::note_lifetimes(const Node& node)
{
    if (node.kind == Kind::FunctionDef) {
        const auto& def = static_cast<const ast::FunctionDef&>(node);
        note_lifetime(*def.specifiers, *def.declarator);
    } else if (node.kind == Kind::Declaration) {
        const auto& decl = static_cast<const ast::Declaration&>(node);
        for (const ast::InitDeclarator* init : decl.declarators)
            note_lifetime(*decl.specifiers, *init->declarator);
    }
}

// Replaces the attributes by one that also keeps the function
void Lowerer::attribute_list(Node& list)
{
    Rope out = rope();
    bool is_changed = false;
    for (lex::TokenIndex token = list.first; token <= list.last; ++token) {
        std::string_view word = sema::without_underscores(text(token));
        if (word != kConstructor && word != kDestructor) {
            out << text(token) << (tokens_[token].kind == lex::Tok::Colon ? "" : " ");  // "::" is two tokens
            continue;
        }
        is_changed = true;
        out << "__used__ ";
        for (int depth = 0; token < list.last; ++token) {  // the priority goes
            depth += tokens_[token + 1].kind == lex::Tok::LParen;
            if (depth == 0)
                break;
            depth -= tokens_[token + 1].kind == lex::Tok::RParen;
        }
    }
    if (is_changed && !tokens_[list.first].in_system_header)
        set(&list, out);
}

// The records of the unit's constructors and destructors, in the order of their definitions
Rope Lowerer::lifetimes()
{
    Rope out = rope();
    int number = 0;
    for (const Node* decl : unit_.decls) {
        if (decl->kind != Kind::FunctionDef)
            continue;
        lex::TokenIndex name = static_cast<const ast::FunctionDef*>(decl)->declarator->name;
        auto found = lifetimes_.find(tokens_[name].name);
        if (found == lifetimes_.end())
            continue;
        for (const auto& lifetime : found->second) {
            std::string_view kind = lifetime.first;
            const Rope& priority = lifetime.second;
            std::string suffix = std::to_string(++number);
            auto registration = [&](std::string_view attribute, const char* function) {
                out << "static __attribute__((" << attribute;
                if (!priority.empty())
                    out << "(" << priority << ")";
                out << ", no_instrument_function)) void bn_" << attribute << "_" << suffix << "(void) { " << function
                    << "(&bn_lifetime_" << suffix << "); }\n";
            };
            out << "static struct bn_lifetime bn_lifetime_" << suffix << " = { (void (*)(void))" << text(name)
                << ", 0, 0 };\n";
            registration(kConstructor,
                         kind == kConstructor ? "bn_lifetime_add_constructor" : "bn_lifetime_add_destructor");
            if (kind == kDestructor)
                registration(kDestructor, "bn_lifetime_leave");
        }
    }
    return out;
}

}  // namespace bn::lower
