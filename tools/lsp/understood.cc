#include "lsp/understood.h"

#include <filesystem>
#include <set>
#include <utility>

namespace bn::lsp {

Understood::Understood(CompileCommand command, const Document& document, bool wants_remarks)
    : unit_(std::move(command), document.text_to_compile(), wants_remarks), version_(document.version()),
      uri_(document.uri())
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

std::vector<uint32_t> Understood::files() const
{
    std::vector<uint32_t> files{main_file_};
    std::set<std::string> known{file_path(main_file_)};
    for (uint32_t file = 0; file < unit_.origin()->source.file_count(); ++file)
        if (known.insert(file_path(file)).second)
            files.push_back(file);
    return files;
}

uint32_t Understood::line_count(uint32_t file) const
{
    constexpr uint32_t kMostEmpty = 1000;
    uint32_t last = 0;
    for (uint32_t number = 1; number <= last + kMostEmpty; ++number)
        if (!line(file, number).empty())
            last = number;
    return last;
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

Columns& Understood::columns_of(uint32_t file, uint32_t line, Encoding encoding)
{
    if (!columns_ || file != columns_file_ || line != columns_line_)
        columns_.emplace(this->line(file, line), encoding);
    columns_file_ = file;
    columns_line_ = line;
    return *columns_;
}

Json Understood::range_of(const Spot& spot, Encoding encoding)
{
    Columns& columns = columns_of(spot.file, spot.line, encoding);
    Json start = {{"line", spot.line - 1}, {"character", columns.of(spot.first)}};
    return {{"start", start}, {"end", {{"line", spot.line - 1}, {"character", columns.of(spot.end)}}}};
}

Json Understood::location_of(const Spot& spot, Encoding encoding)
{
    std::string uri = spot.file == main_file_ ? uri_ : uri_of(file_path(spot.file));
    return {{"uri", uri}, {"range", range_of(spot, encoding)}};
}

}  // namespace bn::lsp
