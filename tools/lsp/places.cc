#include "lsp/places.h"

#include <algorithm>
#include <tuple>

namespace bn::lsp {

namespace {

constexpr size_t kMostLines = 20000;   // whose places are cached
constexpr uint32_t kLinesOfMacro = 8;  // lines above that are searched for the macro call

}  // namespace

Places::Places(const lex::TokenList& tokens) : tokens_(tokens)
{
    uint32_t physical = UINT32_MAX;
    source::Location here;
    for (lex::TokenIndex i = 1; i + 1 < tokens.tokens.size(); ++i) {
        if (tokens[i].line == physical)
            continue;
        physical = tokens[i].line;
        source::Location location = tokens.source->location(physical);
        if (!runs_.empty() && location.file == here.file && location.line == here.line)
            continue;
        here = location;
        runs_.push_back({here.file, here.line, i});
    }
    std::stable_sort(runs_.begin(), runs_.end(),
                     [](const Run& a, const Run& b) { return std::tie(a.file, a.line) < std::tie(b.file, b.line); });
}

const diag::LinePlaces& Places::line_places(lex::TokenIndex token)
{
    auto after = lines_.upper_bound(token);
    if (after != lines_.begin() && std::prev(after)->second.contains(token))
        return std::prev(after)->second;
    if (lines_.size() > kMostLines)
        lines_.clear();
    lex::TokenIndex first = token;
    while (first > 1 && tokens_[first - 1].line == tokens_[token].line)
        --first;
    return lines_.insert_or_assign(first, diag::LinePlaces(tokens_, token)).first->second;
}

std::optional<Spot> Places::spot(lex::TokenIndex token)
{
    if (token == 0 || token + 1 >= tokens_.tokens.size())
        return std::nullopt;
    const diag::LinePlaces& places = line_places(token);
    if (!places.known() || !places.contains(token))
        return std::nullopt;
    diag::Place place = places.place(token);
    Spot spot{source().location(tokens_[token].line).file, place.line, place.first, place.end, false};
    std::string_view text = source().source_line(spot.file, spot.line);
    if (spot.end > text.size())
        return std::nullopt;
    spot.is_written = text.substr(spot.first, spot.end - spot.first) == tokens_.text(token);
    return spot;
}

lex::TokenIndex Places::token_at(uint32_t file, uint32_t line, size_t byte)
{
    lex::TokenIndex ends_here = 0;
    for (uint32_t above = 0; above <= kLinesOfMacro && above < line; ++above) {
        auto [begin, end] =
            std::equal_range(runs_.begin(), runs_.end(), Run{file, line - above, 0}, [](const Run& a, const Run& b) {
                return std::tie(a.file, a.line) < std::tie(b.file, b.line);
            });
        for (auto run = begin; run != end; ++run) {
            const diag::LinePlaces& places = line_places(run->first);
            for (lex::TokenIndex i = run->first; places.known() && places.contains(i); ++i) {
                diag::Place place = places.place(i);
                if (place.line == line && place.first <= byte && byte < place.end)
                    return i;
                if (place.line == line && place.end == byte)
                    ends_here = i;
            }
        }
        if (ends_here != 0)
            break;
    }
    return ends_here;
}

lex::TokenIndex Places::token_before(uint32_t file, uint32_t line, size_t byte)
{
    auto after = std::upper_bound(runs_.begin(), runs_.end(), Run{file, line, 0}, [](const Run& a, const Run& b) {
        return std::tie(a.file, a.line) < std::tie(b.file, b.line);
    });
    while (after != runs_.begin() && std::prev(after)->file == file) {
        const Run& run = *--after;
        const diag::LinePlaces& places = line_places(run.first);
        lex::TokenIndex best = 0;
        for (lex::TokenIndex i = run.first; places.known() && places.contains(i); ++i) {
            diag::Place place = places.place(i);
            if (place.line < line || (place.line == line && place.end <= byte))
                best = i;
        }
        if (best != 0)
            return best;
    }
    return 0;
}

std::optional<uint32_t> Places::file(std::string_view name) const
{
    std::optional<uint32_t> found;
    for (uint32_t file = 0; file < source().file_count(); ++file) {
        if (source().file_name(file) != name)
            continue;
        auto run = std::lower_bound(runs_.begin(), runs_.end(), file,
                                    [](const Run& a, uint32_t wanted) { return a.file < wanted; });
        if (!found || (run != runs_.end() && run->file == file))
            found = file;
    }
    return found;
}

}  // namespace bn::lsp
