#include "lsp/understood.h"

#include <filesystem>
#include <utility>

namespace bn::lsp {

Understood::Understood(CompileCommand command, const Document& document, bool wants_remarks)
    : unit_(std::move(command), document.text(), wants_remarks), version_(document.version())
{
    if (unit_.origin() == nullptr || unit_.tree() == nullptr)
        return;
    index_ = make_index(*unit_.tree()->unit, unit_.origin()->tokens);
    places_.emplace(unit_.origin()->tokens);
    main_file_ = places_->file(unit_.path()).value_or(0);
}

uint32_t Understood::entity_named(std::string_view name, lex::TokenIndex token) const
{
    uint32_t best = 0;
    for (uint32_t id = 1; id < index_.entities.size(); ++id) {
        const Entity& entity = index_.entities[id];
        bool is_name = entity.kind != EntityKind::Member && entity.kind != EntityKind::Struct &&
                       entity.kind != EntityKind::Union && entity.kind != EntityKind::Enum;
        if (is_name && entity.name == name && entity.from <= token && token <= entity.to &&
            (best == 0 || entity.from > index_.entities[best].from || index_.entities[best].at_file_scope))
            best = id;
    }
    return best;
}

std::string Understood::file_path(uint32_t file) const
{
    std::filesystem::path name(unit_.origin()->source.file_name(file));
    std::error_code ignored;
    return std::filesystem::absolute(name, ignored).lexically_normal().string();
}

Json range_in_line(std::string_view line, uint32_t number, size_t first, size_t end, Encoding encoding)
{
    return {{"start", {{"line", number}, {"character", column_of(line, first, encoding)}}},
            {"end", {{"line", number}, {"character", column_of(line, end, encoding)}}}};
}

Json Understood::range_of(const Spot& spot, Encoding encoding) const
{
    return range_in_line(line(spot.file, spot.line), spot.line - 1, spot.first, spot.end, encoding);
}

Json Understood::location_of(const Spot& spot, Encoding encoding) const
{
    return {{"uri", uri_of(file_path(spot.file))}, {"range", range_of(spot, encoding)}};
}

}  // namespace bn::lsp
