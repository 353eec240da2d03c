#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "lsp/answers.h"

namespace bn::lsp {

using Role = Occurrence::Role;

namespace {

const Occurrence* occurrence_at(const Question& question)
{
    lex::TokenIndex token = question.token();
    const Occurrence* known = token != 0 ? question.unit.index().at(token) : nullptr;
    if (known == nullptr)
        return nullptr;
    // A token that comes from a macro does not represent a name written there.
    std::string_view name = name_around(question.line(), question.byte());
    return question.unit.index().entities[known->entity].name == name ? known : nullptr;
}

Json location_of_token(const Question& question, lex::TokenIndex token)
{
    std::optional<Spot> spot = question.unit.places().spot(token);
    return spot ? question.unit.location_of(*spot, question.encoding) : Json(nullptr);
}

// For the macro whose name is written there
Json location_of_macro(const Question& question)
{
    std::string_view name = name_around(question.line(), question.byte());
    std::optional<Spot> spot = question.unit.has_tree() ? macro_spot(question.unit, name) : std::nullopt;
    return spot ? question.unit.location_of(*spot, question.encoding) : Json(nullptr);
}

// All places of the entity named there; each place once, in order
std::vector<std::pair<Spot, Role>> places_of(const Question& question)
{
    std::vector<std::pair<Spot, Role>> places;
    const Occurrence* known = occurrence_at(question);
    std::string_view name = name_around(question.line(), question.byte());
    if (known == nullptr)
        return question.unit.has_tree() && macro_spot(question.unit, name) ? macro_places(question.unit, name) : places;
    std::set<Spot> found;
    for (const Occurrence& occurrence : question.unit.index().occurrences) {
        if (occurrence.entity != known->entity)
            continue;
        std::optional<Spot> spot = question.unit.places().spot(occurrence.token);
        if (spot && spot->is_written && found.insert(*spot).second)
            places.emplace_back(*spot, occurrence.role);
    }
    return places;
}

int symbol_kind(const Entity& entity)
{
    switch (entity.kind) {
    case EntityKind::Function: return 12;
    case EntityKind::Typedef: return 5;  // Class, as in other C servers
    case EntityKind::Struct:
    case EntityKind::Union: return 23;
    case EntityKind::Enum: return 10;
    case EntityKind::Enumerator: return 22;
    case EntityKind::Member: return 8;
    default: return 13;  // Variable
    }
}

// The range from the first token to the last, over several lines, both in this file
Json full_range(const Question& question, const Entity& entity, const Spot& name)
{
    std::optional<Spot> first = question.unit.places().spot(entity.first);
    std::optional<Spot> last = question.unit.places().spot(std::max(entity.last, entity.body_last));
    bool is_here = first && last && first->file == name.file && last->file == name.file &&
                   std::tie(first->line, first->first) <= std::tie(name.line, name.first) &&
                   std::tie(last->line, last->end) >= std::tie(name.line, name.end);
    Json range = question.unit.range_of(name, question.encoding);
    if (is_here) {
        range["start"] = question.unit.range_of(*first, question.encoding)["start"];
        range["end"] = question.unit.range_of(*last, question.encoding)["end"];
    }
    return range;
}

struct SemanticToken {
    Spot spot;
    int type;
    int modifiers;
};

constexpr const char* kTokenTypes[] = {"keyword", "variable", "parameter", "function",
                                       "type",    "property", "enumMember"};
constexpr const char* kTokenModifiers[] = {"declaration", "shared", "defaultLibrary"};
enum TokenType { kKeyword, kVariable, kParameter, kFunction, kType, kProperty, kEnumMember };
enum TokenModifier { kDeclaration = 1, kShared = 2, kDefaultLibrary = 4 };

int token_type(EntityKind kind)
{
    switch (kind) {
    case EntityKind::Variable: return kVariable;
    case EntityKind::Parameter: return kParameter;
    case EntityKind::Function: return kFunction;
    case EntityKind::Member: return kProperty;
    case EntityKind::Enumerator: return kEnumMember;
    case EntityKind::Label: return -1;
    default: return kType;
    }
}

}  // namespace

Json definition(const Question& question)
{
    const Occurrence* known = occurrence_at(question);
    if (known == nullptr)
        return location_of_macro(question);
    const Entity& entity = question.unit.index().entities[known->entity];
    return location_of_token(question, entity.defined != 0 ? entity.defined : entity.declared);
}

Json declaration(const Question& question)
{
    const Occurrence* known = occurrence_at(question);
    return known != nullptr ? location_of_token(question, question.unit.index().entities[known->entity].declared)
                            : location_of_macro(question);
}

Json references(const Question& question, bool with_declarations)
{
    Json list = Json::array();
    for (const auto& [spot, role] : places_of(question))
        if (with_declarations || role == Role::Read || role == Role::Write)
            list.push_back(question.unit.location_of(spot, question.encoding));
    return list;
}

Json highlights(const Question& question)
{
    Json list = Json::array();
    for (const auto& [spot, role] : places_of(question))
        if (spot.file == question.unit.main_file())
            list.push_back({{"range", question.unit.range_of(spot, question.encoding)},
                            {"kind", role == Role::Read    ? 2
                                     : role == Role::Write ? 3
                                                           : 1}});
    return list;
}

Json document_symbols(const Question& question)
{
    if (!question.unit.has_tree())
        return Json::array();
    const Index& index = question.unit.index();
    std::vector<std::pair<uint32_t, Json>> symbols;  // with the entity that contains each
    std::unordered_map<uint32_t, size_t> places;     // in symbols, by entity
    for (uint32_t id = 1; id < index.entities.size(); ++id) {
        const Entity& entity = index.entities[id];
        bool is_inner = entity.kind == EntityKind::Member || entity.kind == EntityKind::Enumerator;
        lex::TokenIndex token = entity.defined != 0 ? entity.defined : entity.declared;
        if (!entity.at_file_scope || entity.kind == EntityKind::Parameter || entity.kind == EntityKind::Label ||
            (entity.kind == EntityKind::Member && entity.parent == 0) || question.unit.tokens()[token].in_system_header)
            continue;
        std::optional<Spot> spot = question.unit.places().spot(token);
        if (!spot || spot->file != question.unit.main_file() || !spot->is_written)
            continue;
        Json symbol = {{"name", entity.name},
                       {"kind", symbol_kind(entity)},
                       {"range", full_range(question, entity, *spot)},
                       {"selectionRange", question.unit.range_of(*spot, question.encoding)}};
        if (entity.type.type != nullptr && entity.kind != EntityKind::Typedef)
            symbol["detail"] = sema::describe(entity.type);
        places.emplace(id, symbols.size());
        symbols.emplace_back(is_inner ? entity.parent : 0, std::move(symbol));
    }
    Json list = Json::array();
    for (auto& [parent, symbol] : symbols) {
        auto above = parent != 0 ? places.find(parent) : places.end();
        if (above != places.end())
            symbols[above->second].second["children"].push_back(symbol);
    }
    for (auto& [parent, symbol] : symbols)
        if (parent == 0)
            list.push_back(std::move(symbol));
    return list;
}

Json semantic_legend()
{
    return {{"tokenTypes", kTokenTypes}, {"tokenModifiers", kTokenModifiers}};
}

// UPC words, and names with what upcc knows about them
Json semantic_tokens(const Question& question)
{
    Json data = Json::array();
    if (!question.unit.has_tree())
        return {{"data", data}};
    std::vector<SemanticToken> found;
    auto add = [&](lex::TokenIndex token, int type, int modifiers) {
        if (type < 0 || question.unit.tokens()[token].in_system_header)
            return;
        std::optional<Spot> spot = question.unit.places().spot(token);
        if (spot && spot->is_written && spot->file == question.unit.main_file())
            found.push_back({*spot, type, modifiers});
    };
    for (lex::TokenIndex token : question.unit.tokens().upc_keywords)
        add(token, kKeyword, 0);
    const Index& index = question.unit.index();
    for (const Occurrence& occurrence : index.occurrences) {
        const Entity& entity = index.entities[occurrence.entity];
        bool is_object = entity.kind == EntityKind::Variable && entity.type.type != nullptr;
        int modifiers = occurrence.role >= Role::Declaration ? kDeclaration : 0;
        modifiers |= is_object && sema::is_shared(entity.type) ? kShared : 0;
        modifiers |= question.unit.tokens()[entity.declared].in_system_header ? kDefaultLibrary : 0;
        add(occurrence.token, token_type(entity.kind), modifiers);
    }
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.spot < b.spot; });
    uint32_t line = 0;
    uint32_t column = 0;
    const Spot* last = nullptr;
    for (const SemanticToken& token : found) {
        if (last != nullptr && token.spot.line == last->line && token.spot.first < last->end)
            continue;
        Columns& columns = question.unit.columns_of(token.spot.file, token.spot.line, question.encoding);
        uint32_t first = columns.of(token.spot.first);
        uint32_t end = columns.of(token.spot.end);
        uint32_t new_line = token.spot.line - 1;
        for (uint32_t number : {new_line - line, new_line == line ? first - column : first, end - first,
                                static_cast<uint32_t>(token.type), static_cast<uint32_t>(token.modifiers)})
            data.push_back(number);
        line = new_line;
        column = first;
        last = &token.spot;
    }
    return {{"data", data}};
}

}  // namespace bn::lsp
