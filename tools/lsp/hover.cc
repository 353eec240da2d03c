#include <algorithm>
#include <string>
#include <vector>

#include "lex/chars.h"
#include "lsp/answers.h"
#include "lsp/layout.h"
#include "lsp/words.h"

namespace bn::lsp {

using ast::Expr;
using ast::Kind;
using ast::Node;

namespace {

constexpr int kCommentLines = 12;
constexpr size_t kMostMacroLines = 8;

// A line of a comment without comment marks
std::string_view comment_text(std::string_view line)
{
    line = trimmed(line);
    for (std::string_view mark : {"/**", "/*", "///", "//", "*/", "*"}) {
        if (!line.starts_with(mark))
            continue;
        line.remove_prefix(mark.size());
        break;
    }
    if (line.ends_with("*/"))
        line.remove_suffix(2);
    return trimmed(line);
}

bool begins_comment(std::string_view line)
{
    return trimmed(line).starts_with("/*") || trimmed(line).starts_with("//");
}

// Joins the lines [first, last] of a comment into paragraphs
std::string joined(Understood& unit, uint32_t file, uint32_t first, uint32_t last, int most_lines)
{
    std::string text;
    int count = 0;
    for (uint32_t line = first; line <= last; ++line) {
        std::string_view part = comment_text(unit.line(file, line));
        if (part.empty() && text.empty())
            continue;
        if (++count > most_lines) {
            text += " ...";
            break;
        }
        text += part.empty() ? "\n\n" : text.empty() || text.ends_with('\n') ? "" : " ";
        text += part;
    }
    return std::string(trimmed(text));
}

// The expression around a name that designates the object accessed: a[i] for the name a
const Expr* access_around(const std::vector<const Node*>& nodes)
{
    const Expr* access = nullptr;
    for (size_t i = nodes.size(); i-- > 0;) {
        if (!ast::is_expression(nodes[i]))
            break;
        const auto* e = static_cast<const Expr*>(nodes[i]);
        bool is_part = access == nullptr || e->a == access;
        bool goes_on = access == nullptr || e->kind == Kind::Index || e->kind == Kind::Paren ||
                       e->kind == Kind::ImplicitCast || e->kind == Kind::Member ||
                       (e->kind == Kind::Unary && e->op == ast::Op::Deref);
        if (!is_part || !goes_on)
            break;
        access = e;
    }
    return access;
}

std::string code(const std::string& text)
{
    return "```upc\n" + text + "\n```\n";
}

// The definition of a macro in a file of the unit
std::string macro_text(Understood& unit, std::string_view name)
{
    std::optional<Spot> spot = macro_spot(unit, name);
    if (!spot)
        return {};
    std::string text(trimmed(unit.line(spot->file, spot->line)));
    for (size_t more = 1; text.ends_with('\\') && more < kMostMacroLines; ++more)
        text.append("\n").append(unit.line(spot->file, spot->line + static_cast<uint32_t>(more)));
    return text;
}

std::string entity_words(Understood& unit, const Entity& entity)
{
    std::string text = code(declaration_text(unit, entity));
    bool is_object = entity.kind == EntityKind::Variable || entity.kind == EntityKind::Parameter ||
                     entity.kind == EntityKind::Member;
    bool is_static = entity.kind == EntityKind::Variable && entity.at_file_scope;
    std::string layout = is_object ? layout_words(entity.type, unit.unit().threads(), is_static) : "";
    if (!layout.empty()) {
        layout[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(layout[0])));
        text += "\n" + layout + ".\n";
    }
    std::string comment = comment_of(unit, entity, kCommentLines);
    if (!comment.empty())
        text += "\n" + comment + "\n";
    return text;
}

// A description of the access around a token
std::string access_words(Understood& unit, lex::TokenIndex token)
{
    const Expr* access = access_around(nodes_around(unit.tree(), token));
    if (access == nullptr || access->type.type == nullptr)
        return {};
    std::string place = place_words(*access, unit.tokens(), unit.unit().threads());
    if (place.empty())
        return {};
    std::string text = "\nHere `" + written(unit.tokens(), access->first, access->last) + "`, of type `" +
                       sema::describe(access->type) + "`, is on " + place + ".";
    bool is_value = access->is_lvalue && !sema::is_array(access->type);
    if (is_value)
        text += access->strict ? " The access is strict." : " The access is relaxed.";
    return text + "\n";
}

// For a token that is not a name: the type of the smallest expression around it
std::string expression_words(Understood& unit, lex::TokenIndex token)
{
    std::vector<const Node*> nodes = nodes_around(unit.tree(), token);
    if (nodes.empty() || !ast::is_expression(nodes.back()))
        return {};
    const auto* e = static_cast<const Expr*>(nodes.back());
    if (e->type.type == nullptr || sema::is_unknown(e->type))
        return {};
    return code(written(unit.tokens(), e->first, e->last)) + "\nType `" + sema::describe(e->type) + "`\n" +
           access_words(unit, token);
}

std::string forall_words(Understood& unit, lex::TokenIndex token)
{
    for (const Node* node : nodes_around(unit.tree(), token))
        if (node->kind == Kind::Forall && node->first == token)
            return "\nHere " +
                   affinity_words(static_cast<const ast::SimpleStmt&>(*node), unit.tokens(), unit.unit().threads()) +
                   ".\n";
    return {};
}

}  // namespace

std::string_view name_around(std::string_view line, size_t byte, size_t* begin_p)
{
    size_t begin = std::min(byte, line.size());
    while (begin > 0 && lex::is_ident_char(line[begin - 1]))
        --begin;
    size_t end = std::min(byte, line.size());
    while (end < line.size() && lex::is_ident_char(line[end]))
        ++end;
    if (begin_p != nullptr)
        *begin_p = begin;
    return begin < end && lex::is_ident_start(line[begin]) ? line.substr(begin, end - begin) : std::string_view();
}

std::string declaration_text(const Understood& unit, const Entity& entity)
{
    std::string name(entity.name);
    switch (entity.kind) {
    case EntityKind::Struct: return "struct " + name;
    case EntityKind::Union: return "union " + name;
    case EntityKind::Enum: return "enum " + name;
    case EntityKind::Label: return name + ":";
    case EntityKind::Enumerator: return "enumerator " + name;
    default: break;
    }
    // Of several declarators in a declaration only this one is shown; a record's definition is not repeated.
    const lex::TokenList& tokens = unit.tokens();
    std::string text = written(tokens, entity.first, entity.last);
    bool has_others = text.find('{') != text.npos || text.find(';') != text.npos ||
                      (entity.kind != EntityKind::Function && text.find(',') != text.npos);
    if (!has_others || entity.type.type == nullptr)
        return text;
    if (entity.kind == EntityKind::Typedef)
        return "typedef " + sema::describe(sema::desugar(entity.type)) + " " + name;
    return sema::describe(entity.type) + " " + name;
}

std::string comment_of(Understood& unit, const Entity& entity, int most_lines)
{
    std::optional<Spot> spot = unit.places().spot(entity.first);
    if (!spot)
        return {};
    uint32_t file = spot->file;
    std::string_view own = unit.line(file, spot->line);
    if (size_t mark = own.find("//"); mark != own.npos && own.find('"') == own.npos)
        return std::string(comment_text(own.substr(mark)));
    // In headers, consecutive declarations without a gap share the comment above.
    bool shares = file != unit.main_file() && entity.at_file_scope;
    uint32_t line = spot->line - 1;
    while (shares && line > 0 && !trimmed(unit.line(file, line)).ends_with("*/") &&
           !begins_comment(unit.line(file, line)) && !trimmed(unit.line(file, line)).empty() &&
           trimmed(unit.line(file, line)) != "}")
        --line;
    std::string_view last = trimmed(unit.line(file, line));
    if (line == 0 || (!last.ends_with("*/") && !last.starts_with("//")))
        return {};
    uint32_t first = line;
    bool is_block = !last.starts_with("//");
    if (is_block && !last.starts_with("/*") && last.find("/*") != last.npos)
        return {};  // after code
    while (first > 1 &&
           (is_block ? !begins_comment(unit.line(file, first)) : trimmed(unit.line(file, first - 1)).starts_with("//")))
        --first;
    std::string text = joined(unit, file, first, line, most_lines);
    return text.starts_with("----") ? std::string() : text;
}

Json hover(const Question& question)
{
    size_t begin = 0;
    std::string_view name = name_around(question.line(), question.byte(), &begin);
    std::string text;
    lex::TokenIndex token = question.token();
    Understood& unit = question.unit;
    const Word* word = word_of_upc(name);
    const Occurrence* known = token != 0 ? unit.index().at(token) : nullptr;
    if (word != nullptr) {
        text = "**" + std::string(word->text) + "**\n\n" + std::string(word->meaning) + "\n";
        if (token != 0)
            text += forall_words(unit, token);
    } else if (known != nullptr && unit.index().entities[known->entity].name == name) {
        text = entity_words(unit, unit.index().entities[known->entity]) + access_words(unit, token);
    } else if (unit.has_tree()) {
        std::string macro = macro_text(unit, name);
        text = !macro.empty() ? code(macro) : token != 0 ? expression_words(unit, token) : "";
    }
    if (text.empty())
        return nullptr;
    Json result = {{"contents", {{"kind", "markdown"}, {"value", text}}}};
    if (!name.empty())
        result["range"] =
            range_in_line(question.line(), question.position.line, begin, begin + name.size(), question.encoding);
    return result;
}

}  // namespace bn::lsp
