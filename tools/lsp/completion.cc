#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lex/chars.h"
#include "lsp/answers.h"
#include "lsp/layout.h"
#include "lsp/words.h"
#include "sema/library.h"

namespace bn::lsp {

using sema::QualType;

namespace {

constexpr size_t kMostItems = 500;
constexpr size_t kMostTextBefore = 4096;  // bytes before the cursor that are searched for a call or a member

// CompletionItemKind of the protocol
enum class ItemKind : uint8_t {
    Function = 3,
    Field = 5,
    Variable = 6,
    Class = 7,  // also other types
    Keyword = 14,
    Snippet = 15,
    EnumMember = 20
};

ItemKind item_kind(EntityKind kind)
{
    switch (kind) {
    case EntityKind::Function: return ItemKind::Function;
    case EntityKind::Member: return ItemKind::Field;
    case EntityKind::Typedef: return ItemKind::Class;
    case EntityKind::Enumerator: return ItemKind::EnumMember;
    default: return ItemKind::Variable;
    }
}

// The text before the cursor
struct Before {
    std::string text;     // comments and strings are blanked, because they may contain brackets and names
    bool is_code = true;  // the cursor itself is not in a comment or string
};

// Reads from the first line, because a comment may begin anywhere.
Before text_before(const Question& question)
{
    size_t end = question.document.offset(question.position, question.encoding);
    Before before{question.document.text().substr(0, end)};
    std::string& text = before.text;
    before.is_code = blank_comments(text);
    text.erase(0, end - std::min(end, kMostTextBefore));
    return before;
}

// Steps backwards over text that may be an incomplete program.
class Backwards {
public:
    explicit Backwards(std::string_view text) : text_(text), at_(text.size()) {}

    void blanks()
    {
        while (at_ > 0 && (lex::is_blank(text_[at_ - 1]) || text_[at_ - 1] == '\n'))
            --at_;
    }

    bool take(std::string_view what)
    {
        blanks();
        if (!text_.substr(0, at_).ends_with(what))
            return false;
        at_ -= what.size();
        return true;
    }

    // The name that ends here; empty if there is none
    std::string_view name()
    {
        blanks();
        size_t end = at_;
        while (at_ > 0 && lex::is_ident_char(text_[at_ - 1]))
            --at_;
        if (at_ < end && !lex::is_ident_start(text_[at_]))
            at_ = end;
        return text_.substr(at_, end - at_);
    }

    // Skips the group closed by the bracket here
    bool group()
    {
        blanks();
        int depth = 0;
        while (at_ > 0) {
            char c = text_[--at_];
            depth += c == ')' || c == ']' || c == '}';
            depth -= c == '(' || c == '[' || c == '{';
            if (depth == 0)
                return true;
        }
        return false;
    }

    char last()
    {
        blanks();
        return at_ > 0 ? text_[at_ - 1] : '\0';
    }

    std::string_view rest() const { return text_.substr(0, at_); }

private:
    std::string_view text_;
    size_t at_;
};

// The type of an expression "a[i].b->c" that ends here, found by its names; none if it has another form or is unknown
QualType type_before(Understood& unit, Backwards& text, lex::TokenIndex token)
{
    enum class Step { Element, Call, Dot, Arrow };
    struct Part {
        Step step;
        std::string_view member;
    };
    std::vector<Part> parts;
    std::string_view name;
    for (;;) {
        char last = text.last();
        if (last == ']' || last == ')') {
            if (!text.group())
                return {};
            parts.push_back({last == ']' ? Step::Element : Step::Call, {}});
            continue;
        }
        name = text.name();
        if (name.empty())
            return {};
        if (text.take("->"))
            parts.push_back({Step::Arrow, name});
        else if (text.take("."))
            parts.push_back({Step::Dot, name});
        else
            break;
    }
    QualType type = unit.index().entities[unit.entity_named(name, token)].type;
    for (auto part = parts.rbegin(); part != parts.rend() && type.type != nullptr; ++part) {
        bool is_indirect = part->step == Step::Element || part->step == Step::Arrow;
        if (is_indirect && !sema::is_pointer(type) && !sema::is_array(type))
            return {};
        if (is_indirect)
            type = sema::is_array(type) ? sema::kind_of(type)->base : sema::pointee(type);
        if (part->step == Step::Call)
            type = sema::is_function(type) ? sema::kind_of(type)->base : QualType{};
        if (part->step == Step::Dot || part->step == Step::Arrow) {
            const sema::Field* field = type.type != nullptr && sema::is_record(type)
                                           ? sema::find_field(*sema::kind_of(type)->record, part->member)
                                           : nullptr;
            type = field != nullptr ? field->type : QualType{};
        }
    }
    return type;
}

Json items(Json list, bool is_complete)
{
    return {{"isIncomplete", !is_complete}, {"items", std::move(list)}};
}

void add_fields(const sema::Record& record, std::string_view prefix, Json& list)
{
    for (const sema::Field& field : record.fields) {
        bool is_anonymous = field.name.empty() && sema::is_record(field.type);
        if (is_anonymous)
            add_fields(*sema::kind_of(field.type)->record, prefix, list);
        else if (!field.name.empty() && field.name.starts_with(prefix))
            list.push_back({{"label", field.name}, {"kind", ItemKind::Field}, {"detail", sema::describe(field.type)}});
    }
}

// Members after "." and "->"; null if there is neither
Json members(const Question& question, std::string_view before, std::string_view prefix)
{
    size_t last = before.find_last_not_of(" \t");
    if (last == before.npos || before[last] == '\n')
        return nullptr;
    Backwards text(before);
    bool is_arrow = text.take("->");
    if (!is_arrow && !text.take("."))
        return nullptr;
    Json list = Json::array();
    if (question.unit.has_tree()) {
        lex::TokenIndex token = question.unit.token_before(question.position.line, question.byte());
        QualType type = type_before(question.unit, text, token);
        bool is_indirect = type.type != nullptr && (sema::is_pointer(type) || sema::is_array(type));
        if (is_indirect)  // also after ".", which upcc then corrects
            type = sema::is_array(type) ? sema::kind_of(type)->base : sema::pointee(type);
        if (type.type != nullptr && sema::is_record(type))
            add_fields(*sema::kind_of(type)->record, prefix, list);
    }
    return items(std::move(list), true);
}

bool is_of_compiler(std::string_view name)
{
    return name.starts_with("__") || name.starts_with("bn_") || name.starts_with("BN_");
}

// Names in scope; of equal names, the innermost one
void add_names(const Question& question, std::string_view prefix, Json& list)
{
    Understood& unit = question.unit;
    lex::TokenIndex token = unit.token_before(question.position.line, question.byte());
    std::set<std::string_view> known;
    const std::vector<Entity>& entities = unit.index().entities;
    for (size_t id = entities.size(); id-- > 1 && list.size() < kMostItems;) {
        const Entity& entity = entities[id];
        bool is_name = entity.kind != EntityKind::Member && entity.kind != EntityKind::Label &&
                       entity.kind != EntityKind::Struct && entity.kind != EntityKind::Union &&
                       entity.kind != EntityKind::Enum;
        bool is_in_scope = entity.from <= token && token <= entity.to;
        bool is_wanted = entity.name.starts_with(prefix) && (!is_of_compiler(entity.name) || prefix.size() > 2);
        if (!is_name || !is_in_scope || !is_wanted || !known.insert(entity.name).second)
            continue;
        Json item = {{"label", entity.name}, {"kind", item_kind(entity.kind)}};
        if (entity.type.type != nullptr)
            item["detail"] = sema::describe(entity.type);
        // Nearer names come first.
        item["sortText"] = (entity.at_file_scope ? "2" : "1") + std::string(entity.name);
        list.push_back(std::move(item));
    }
}

// Functions from headers that are not included
void add_library(std::string_view prefix, Json& list)
{
    std::set<std::string> known;
    for (const Json& item : list)
        known.insert(item["label"].get<std::string>());
    for (const sema::LibraryFunction& function : sema::library_functions()) {
        bool is_one = !function.name.ends_with('*') && function.name.starts_with(prefix) && !prefix.empty();
        if (is_one && !known.contains(std::string(function.name)))
            list.push_back({{"label", function.name},
                            {"kind", ItemKind::Function},
                            {"detail", "needs #include <" + std::string(function.header) + ">"},
                            {"sortText", "4" + std::string(function.name)}});
    }
}

struct CallBefore {
    std::string_view name;
    uint32_t argument = 0;
};

// The innermost call that is unclosed at the end of a text
CallBefore call_before(std::string_view text)
{
    CallBefore call;
    int depth = 0;
    for (size_t at = text.size(); at-- > 0;) {
        char c = text[at];
        if ((c == ';' || c == '{') && depth == 0)
            return {};
        depth += c == ')' || c == ']' || c == '}';
        if (c == ',' && depth == 0)
            ++call.argument;
        if ((c != '(' && c != '[' && c != '{') || depth-- > 0)
            continue;
        Backwards before(text.substr(0, at));
        call.name = c == '(' ? before.name() : std::string_view();
        if (!call.name.empty())
            return call;
        call.argument = 0;
        depth = 0;
    }
    return {};
}

}  // namespace

Json completion(const Question& question, bool is_triggered)
{
    auto [before, is_code] = text_before(question);
    if (!is_code)
        return items(Json::array(), true);
    size_t begin = before.size();
    while (begin > 0 && lex::is_ident_char(before[begin - 1]))
        --begin;
    std::string prefix = before.substr(begin);
    before.resize(begin);
    if (!prefix.empty() && !lex::is_ident_start(prefix[0]))
        return items(Json::array(), true);
    if (Json found = members(question, before, prefix); !found.is_null())
        return found;
    Json list = Json::array();
    if (is_triggered)
        return items(std::move(list), true);
    for (const Word& word : words_of_upc()) {
        if (!word.text.starts_with(prefix) || (is_of_compiler(word.text) && prefix.empty()))
            continue;
        list.push_back({{"label", word.text},
                        {"kind", word.snippet.empty() ? ItemKind::Keyword : ItemKind::Snippet},
                        {"documentation", {{"kind", "markdown"}, {"value", word.meaning}}},
                        {"sortText", "3" + std::string(word.text)}});
        if (!word.snippet.empty()) {
            list.back()["insertText"] = word.snippet;
            list.back()["insertTextFormat"] = 2;
        }
    }
    if (question.unit.has_tree())
        add_names(question, prefix, list);
    bool is_complete = list.size() < kMostItems;
    add_library(prefix, list);
    return items(std::move(list), is_complete);
}

Json signature_help(const Question& question)
{
    if (!question.unit.has_tree())
        return nullptr;
    std::string before = text_before(question).text;
    CallBefore call = call_before(before);
    if (call.name.empty())
        return nullptr;
    Understood& unit = question.unit;
    lex::TokenIndex token = unit.token_before(question.position.line, question.byte());
    const Entity& entity = unit.index().entities[unit.entity_named(call.name, token)];
    QualType type = entity.type;
    if (type.type != nullptr && sema::is_pointer(type))
        type = sema::pointee(type);
    if (type.type == nullptr || !sema::is_function(type))
        return nullptr;
    const sema::Type& function = *sema::kind_of(type);
    std::string label = sema::describe(function.base);
    label += (label.ends_with('*') ? "" : " ") + std::string(entity.name) + "(";
    Json parameters = Json::array();
    for (size_t i = 0; i < function.params.size(); ++i) {
        bool has_text = i < function.param_decls.size();
        const ast::ParamDecl* param = has_text ? function.param_decls[i] : nullptr;
        std::string text =
            param != nullptr ? written(unit.tokens(), param->first, param->last) : sema::describe(function.params[i]);
        label += (i == 0 ? "" : ", ") + text;
        parameters.push_back({{"label", text}});
    }
    label += function.is_variadic ? ", ...)" : ")";
    std::string comment = comment_of(unit, entity, 6);
    Json signature = {{"label", label}, {"parameters", parameters}};
    if (!comment.empty())
        signature["documentation"] = {{"kind", "markdown"}, {"value", comment}};
    return {{"signatures", {signature}}, {"activeSignature", 0}, {"activeParameter", call.argument}};
}

}  // namespace bn::lsp
