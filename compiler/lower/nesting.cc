#include "lower/nesting.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sema/types.h"

namespace bn::lower {

using ast::FunctionDef;
using ast::Kind;
using ast::Node;
using ast::SimpleStmt;
using lex::Tok;
using lex::TokenIndex;
using sema::Symbol;

namespace {

struct Range {
    TokenIndex first;
    TokenIndex last;
};

class Callers {
public:
    Callers(const ast::Unit& unit, const lex::TokenList& tokens) : tokens_(tokens)
    {
        for (const Node* decl : unit.decls)
            if (decl->kind == Kind::FunctionDef)
                candidate(static_cast<const FunctionDef&>(*decl));
        if (functions_.empty())
            return;
        strings();
        for (const Node* decl : unit.decls)
            declaration(*decl);
    }

    std::unordered_set<const Symbol*> outside_foralls() const
    {
        std::unordered_set<const Symbol*> result;
        for (const auto& [name, function] : functions_)
            result.insert(function.symbol);
        std::unordered_map<const Symbol*, std::vector<const Symbol*>> called;  // by each function
        std::vector<const Symbol*> inside;                                     // whose callees remain to be looked at
        for (const auto& [name, function] : functions_) {
            bool is_inside = function.may_be_inside;
            for (const Symbol* caller : function.callers) {
                is_inside |= !result.contains(caller);
                called[caller].push_back(function.symbol);
            }
            if (is_inside)
                inside.push_back(function.symbol);
        }
        for (const Symbol* symbol : inside)
            result.erase(symbol);
        while (!inside.empty()) {
            const Symbol* caller = inside.back();
            inside.pop_back();
            for (const Symbol* symbol : called[caller])
                if (result.erase(symbol) > 0)
                    inside.push_back(symbol);
        }
        return result;
    }

private:
    struct Function {
        const Symbol* symbol;
        bool may_be_inside = false;
        std::unordered_set<const Symbol*> callers;
    };

    void candidate(const FunctionDef& def)
    {
        if (def.symbol != nullptr && (def.symbol->is_static || def.symbol->name == "main"))
            functions_.try_emplace(tokens_[def.symbol->token].name, Function{def.symbol, false, {}});
    }

    // __attribute__((alias("f"))) makes f reachable under another name.
    void strings()
    {
        std::unordered_set<std::string_view> names;
        for (TokenIndex i = 1; i < tokens_.tokens.size(); ++i)
            if (tokens_[i].kind == Tok::String)
                names.insert(tokens_.text(i));
        for (auto& [name, function] : functions_) {
            std::string quoted = "\"" + std::string(function.symbol->name) + "\"";
            function.may_be_inside |= names.contains(quoted);
        }
    }

    void declaration(const Node& decl)
    {
        if (decl.kind == Kind::FunctionDef) {
            const auto& def = static_cast<const FunctionDef&>(decl);
            foralls_.clear();
            bool is_understood = def.symbol != nullptr && (def.body == nullptr || find_foralls(*def.body));
            uses(decl, is_understood ? def.symbol : nullptr);
        } else {
            foralls_.clear();
            uses(decl, nullptr, decl.kind == Kind::Declaration);
        }
    }

    // Returns false if the body contains another function, which may be called from anywhere in it.
    bool find_foralls(const Node& node)
    {
        if (node.kind == Kind::FunctionDef)
            return false;
        if (node.kind == Kind::Forall && static_cast<const SimpleStmt&>(node).affinity != nullptr)
            foralls_.push_back({node.first, node.last});
        return std::all_of(node.children.begin(), node.children.end(),
                           [&](const Node* child) { return find_foralls(*child); });
    }

    void uses(const Node& decl, const Symbol* caller, bool is_prototype = false)
    {
        for (TokenIndex i = decl.first; i <= decl.last; ++i) {
            if (tokens_[i].kind != Tok::Identifier)
                continue;
            auto found = functions_.find(tokens_[i].name);
            if (found == functions_.end())
                continue;
            Function& function = found->second;
            bool is_call = tokens_[i + 1].kind == Tok::LParen && !has_asm(i);
            bool is_in_forall = std::any_of(foralls_.begin(), foralls_.end(),
                                            [&](const Range& range) { return range.first <= i && i <= range.last; });
            if (!is_call || is_in_forall || (caller == nullptr && !is_prototype))
                function.may_be_inside = true;
            else if (caller != nullptr)
                function.callers.insert(caller);
        }
    }

    // Whether this may be a declaration with a name for the assembler, by which other declarations may mean the
    // function
    bool has_asm(TokenIndex i)
    {
        auto is_last = [](Tok tok) {
            return tok == Tok::KwAsm || tok == Tok::Semicolon || tok == Tok::LBrace || tok == Tok::RBrace ||
                   tok == Tok::End;
        };
        if (i < scanned_.first || i > scanned_.last) {
            scanned_ = {i, i};
            while (!is_last(tokens_[scanned_.last].kind))
                ++scanned_.last;
        }
        return tokens_[scanned_.last].kind == Tok::KwAsm;
    }

    const lex::TokenList& tokens_;
    std::unordered_map<uint32_t, Function> functions_;  // candidates, by the index of their name
    std::vector<Range> foralls_;                        // with an affinity, in the function being analysed
    Range scanned_{1, 0};                               // the tokens up to which has_asm looked last
};

}  // namespace

std::unordered_set<const Symbol*> functions_outside_foralls(const ast::Unit& unit, const lex::TokenList& tokens)
{
    return Callers(unit, tokens).outside_foralls();
}

}  // namespace bn::lower
