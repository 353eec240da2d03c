#include "parse/c_names.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

#include "ast/arena.h"
#include "ast/ast.h"
#include "diag/diagnostics.h"
#include "parse/parse.h"

namespace bn::parse {

namespace {

using ast::Kind;
using lex::PragmaKind;
using lex::Tok;
using lex::TokenIndex;

// Walks over a unit and tracks the scopes of the words in question only
class Namer {
public:
    Namer(const lex::TokenList& tokens, const std::vector<TokenIndex>& words)
        : tokens_(tokens), is_word_(tokens.tokens.size())
    {
        for (TokenIndex word : words)
            is_word_[word] = true;
    }

    void run(const ast::Unit& unit)
    {
        for (const ast::Node* decl : unit.decls)
            visit(decl);
    }

    bool is_name(TokenIndex word) const { return names_.contains(word); }
    const std::vector<TokenIndex>& undeclared() const { return undeclared_; }

private:
    void visit(const ast::Node* node)
    {
        switch (node->kind) {
        case Kind::FunctionDef: visit_function(*static_cast<const ast::FunctionDef*>(node)); break;
        case Kind::Declarator: visit_declarator(*static_cast<const ast::Declarator*>(node)); break;
        case Kind::FieldDecl: visit_members(*static_cast<const ast::FieldDecl*>(node)); break;
        case Kind::EnumSpec: visit_enum(*static_cast<const ast::EnumSpec*>(node)); break;
        case Kind::RecordSpec:
            note_name(static_cast<const ast::RecordSpec*>(node)->tag);
            visit_children(*node);
            break;
        case Kind::Specifiers:
            note_use(static_cast<const ast::Specifiers*>(node)
                         ->typedef_name);  // the parser takes unknown ones for types, too
            visit_children(*node);
            break;
        case Kind::Designation:
            for (const ast::Designator& designator : static_cast<const ast::Designation*>(node)->designators)
                note_name(designator.member);
            visit_children(*node);
            break;
        case Kind::Ident:
            if (!note_use(static_cast<const ast::Expr*>(node)->name))
                undeclared_.push_back(node->first);
            break;
        case Kind::Unary:
        case Kind::Member:
        case Kind::Offsetof:
            note_name(static_cast<const ast::Expr*>(node)->name);  // for an operator there is nothing to note
            visit_children(*node);
            break;
        case Kind::Label:
        case Kind::Goto:
            note_name(static_cast<const ast::SimpleStmt*>(node)->name);
            visit_children(*node);
            break;
        case Kind::Compound:
        case Kind::For:
        case Kind::Forall: visit_scope(*node); break;
        default: visit_children(*node); break;
        }
    }

    void visit_children(const ast::Node& node)
    {
        for (const ast::Node* child : node.children)
            visit(child);
    }

    void visit_scope(const ast::Node& node)
    {
        const size_t mark = declared_.size();
        visit_children(node);
        declared_.resize(mark);
    }

    void visit_declarator(const ast::Declarator& declarator)
    {
        visit_scope(declarator);
        declare(declarator.name);
    }

    void visit_function(const ast::FunctionDef& function)
    {
        visit(function.specifiers);
        declare(function.declarator->name);
        const size_t mark = declared_.size();
        visit_children(*function.declarator);
        for (TokenIndex name : function.declarator->parts[0].kr_names)
            declare(name);
        for (const ast::Declaration* declaration : function.kr_declarations)
            visit(declaration);
        if (function.body != nullptr)
            visit(function.body);
        declared_.resize(mark);
    }

    void visit_members(const ast::FieldDecl& members)
    {
        visit(members.specifiers);
        for (const ast::FieldDecl::Field& field : members.fields) {
            if (field.declarator != nullptr) {
                note_name(field.declarator->name);
                visit_scope(*field.declarator);
            }
            if (field.width != nullptr)
                visit(field.width);
        }
    }

    void visit_enum(const ast::EnumSpec& enumeration)
    {
        note_name(enumeration.tag);
        for (const ast::EnumSpec::Enumerator& enumerator : enumeration.enumerators) {
            if (enumerator.value != nullptr)
                visit(enumerator.value);
            declare(enumerator.name);
        }
    }

    void note_name(TokenIndex token)
    {
        if (is_word_[token])
            names_.insert(token);
    }

    void declare(TokenIndex token)
    {
        note_name(token);
        if (is_word_[token])
            declared_.push_back(tokens_[token].name);
    }

    // Returns false for one of the words if nothing declares it.
    bool note_use(TokenIndex token)
    {
        if (!is_word_[token])
            return true;
        bool is_declared = std::find(declared_.begin(), declared_.end(), tokens_[token].name) != declared_.end();
        if (is_declared)
            names_.insert(token);
        return is_declared;
    }

    const lex::TokenList& tokens_;
    std::vector<bool> is_word_;       // by token
    std::vector<uint32_t> declared_;  // declared names, those of inner scopes last
    std::unordered_set<TokenIndex> names_;
    std::vector<TokenIndex> undeclared_;  // in order
};

// Parses the unit with `words` treated as names
Namer name_words(const lex::TokenList& tokens, const std::vector<TokenIndex>& words, uint32_t max_height)
{
    lex::TokenList as_c = tokens;
    for (TokenIndex word : words)
        as_c.tokens[word].kind = Tok::Identifier;
    std::erase_if(as_c.upc_keywords, [&](TokenIndex i) { return as_c[i].kind == Tok::Identifier; });
    diag::Diagnostics nobody_reads(as_c, {});
    ast::Arena arena;
    Namer namer(as_c, words);
    namer.run(*parse(as_c, arena, nobody_reads, {.full_parse = true, .max_height = max_height}));
    return namer;
}

uint32_t file_of(const lex::TokenList& tokens, uint32_t line)
{
    return tokens.source->location(line).file;
}

}  // namespace

void settle_c_code(lex::TokenList& tokens, uint32_t max_height)
{
    if (tokens.c_words.empty())
        return;
    std::vector<TokenIndex> words;
    for (const lex::Undecided& word : tokens.c_words)
        words.push_back(word.token);
    const Namer namer = name_words(tokens, words, max_height);
    const std::vector<TokenIndex>& undeclared = namer.undeclared();
    for (const lex::Undecided& word : tokens.c_words) {
        if (!std::binary_search(undeclared.begin(), undeclared.end(), word.token))
            continue;
        tokens.tokens[word.token].kind = word.keyword;
        tokens.upc_keywords.push_back(word.token);
        tokens.has_upc_keyword |= !tokens[word.token].in_system_header;
    }
    std::sort(tokens.upc_keywords.begin(), tokens.upc_keywords.end());
}

bool settle_c_files(lex::TokenList& tokens, bool main_may_be_c, uint32_t max_height)
{
    const uint32_t main_file = file_of(tokens, tokens.tokens.back().line);
    std::unordered_set<uint32_t> of_upc;
    for (const lex::Pragma& pragma : tokens.pragmas)
        if (pragma.kind != PragmaKind::CCode)
            of_upc.insert(file_of(tokens, pragma.line));
    if (!main_may_be_c || !of_upc.empty())
        of_upc.insert(main_file);
    std::vector<TokenIndex> words;
    for (TokenIndex i : tokens.upc_keywords)
        if (!of_upc.contains(file_of(tokens, tokens[i].line)))
            words.push_back(i);
    if (words.empty())
        return false;

    const Namer namer = name_words(tokens, words, max_height);
    for (TokenIndex word : words)
        if (!namer.is_name(word))
            of_upc.insert(file_of(tokens, tokens[word].line));
    if (!of_upc.empty())
        of_upc.insert(main_file);
    std::erase_if(words, [&](TokenIndex word) { return of_upc.contains(file_of(tokens, tokens[word].line)); });
    for (TokenIndex word : words) {
        tokens.tokens[word].kind = Tok::Identifier;
        tokens.names_of_c.push_back(tokens[word].name);
    }
    std::erase_if(tokens.upc_keywords, [&](TokenIndex i) { return tokens[i].kind == Tok::Identifier; });
    tokens.has_upc_keyword = std::any_of(tokens.upc_keywords.begin(), tokens.upc_keywords.end(),
                                         [&](TokenIndex i) { return !tokens[i].in_system_header; });
    return !words.empty();
}

}  // namespace bn::parse
