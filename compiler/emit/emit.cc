#include "emit/emit.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "emit/macro_marks.h"

namespace bn::emit {

using ast::Node;

namespace {

bool is_node(const ast::Piece& piece)
{
    return piece.node != nullptr;
}

class Emitter {
public:
    Emitter(const ast::Unit& unit, const lex::TokenList& tokens)
        : unit_(unit), tokens_(tokens), source_(*tokens.source), text_(tokens.source->text())
    {
        for (const MacroMark& mark : hiding_marks(tokens)) {
            // " 3 4" and the newline; gcc's preprocessor puts the text one column before the macro
            std::ranges::copy(std::string_view("   \n "), text_.begin() + mark.flags);
            unmarked_.push_back(mark.line);
        }
        out_.reserve(text_.size() + text_.size() / 4 + 4096);
        find_settings();
    }

    Emitted run(const ast::Lowered& tail)
    {
        lowered_from(nullptr);
        uint32_t at = 0;
        for (const Node* decl : unit_.decls) {
            if (!decl->touched)
                continue;
            uint32_t first = tokens_[decl->first].offset;
            copy(at, first);
            in_declaration_ = true;
            node(*decl);
            in_declaration_ = false;
            at = end_of(decl->last);
            keep_settings(first, at);
            change_files(line_of(first), line_of(at));
        }
        copy(at, static_cast<uint32_t>(text_.size()));
        if (!tail.pieces.empty() && !out_.empty() && out_.back() != '\n')
            out_ += '\n';
        auto behind = std::find_if(tail.pieces.rbegin(), tail.pieces.rend(), is_node).base();
        for (auto piece = tail.pieces.begin(); piece != tail.pieces.end(); ++piece) {
            if (piece == behind)
                leave_program();
            if (piece->node != nullptr)  // its own text begins with lowered text, about which there can be messages
                go_to_line(line_of(tokens_[piece->node->first].offset));
            print(*piece, nullptr);
        }
        return {std::move(out_), std::move(parts_)};
    }

private:
    uint32_t end_of(lex::TokenIndex token) const { return tokens_[token].offset + tokens_[token].length; }

    void part(Part p)
    {
        if (!parts_.empty() && parts_.back().begin == p.begin)
            parts_.back() = p;
        else
            parts_.push_back(p);
    }

    // Notes that the following text replaces a node.
    void lowered_from(const Node* n)
    {
        Part p{.begin = size(), .source = Part::kLowered};
        if (n != nullptr) {
            p.first = n->first;
            p.last = n->last;
            p.at = n->lowered->at != 0 ? n->lowered->at : n->first;
        }
        part(p);
    }

    void copied_from(uint32_t offset) { part({.begin = size(), .source = offset}); }

    uint32_t size() const { return static_cast<uint32_t>(out_.size()); }

    void print(const ast::Piece& piece, const Node* of)
    {
        if (piece.node != nullptr) {
            node(*piece.node);
            return;
        }
        lowered_from(of);
        out_ += piece.text;
        if (piece.text.find('\n') == std::string_view::npos)
            return;
        // Lines of lowered text do not exist in the source: a marker keeps the position.
        uint32_t line = line_;
        line_ = kUnknownLine;
        if (line != kUnknownLine)
            go_to_line(line);
    }

    void node(const Node& n)
    {
        if (n.lowered != nullptr) {
            for (const ast::Piece& piece : n.lowered->pieces)
                print(piece, &n);
            return;
        }
        uint32_t at = tokens_[n.first].offset;
        if (n.touched) {
            for (const Node* child : n.children) {
                if (!child->touched)
                    continue;
                copy(at, tokens_[child->first].offset);
                node(*child);
                at = end_of(child->last);
                if (n.kind == ast::Kind::Compound)
                    keep_settings(tokens_[child->first].offset, at);
            }
        }
        copy(at, end_of(n.last));
    }

    // Finds "#pragma GCC diagnostic" and "#pragma clang diagnostic", which change warnings from there on.
    void find_settings()
    {
        for (size_t at = text_.find("#pragma"); at != text_.npos; at = text_.find("#pragma", at + 1)) {
            size_t end = std::min(text_.find('\n', at), text_.size());
            std::string_view line = std::string_view(text_).substr(at, end - at);
            if ((at == 0 || text_[at - 1] == '\n') &&
                (line.starts_with("#pragma GCC diagnostic ") || line.starts_with("#pragma clang diagnostic ")))
                settings_.push_back({static_cast<uint32_t>(at), static_cast<uint32_t>(end), false});
        }
    }

    auto settings_from(uint32_t offset)
    {
        return std::lower_bound(settings_.begin(), settings_.end(), offset,
                                [](const Setting& setting, uint32_t from) { return setting.begin < from; });
    }

    // Called after a declaration or statement has been printed: prints the pragmas within it that its lowered form left
    // out.
    void keep_settings(uint32_t from, uint32_t to)
    {
        for (auto setting = settings_from(from); setting != settings_.end() && setting->begin < to; ++setting) {
            if (setting->is_printed)
                continue;
            if (out_.back() != '\n')
                out_ += '\n';
            append(setting->begin, setting->end);
            out_ += '\n';
            line_ = kUnknownLine;
        }
    }

    // What follows is upcc's own: as part of a system header, it draws no warnings.
    void leave_program()
    {
        uint32_t line = line_ != kUnknownLine ? line_ : source_.line_count() - 1;
        line_ = kUnknownLine;
        is_behind_program_ = true;
        go_to_line(line);
    }

    // Physical line of an offset, by binary search, because copies start anywhere
    uint32_t line_of(uint32_t offset) const
    {
        uint32_t low = 0;
        uint32_t high = source_.line_count();
        while (high - low > 1) {
            uint32_t middle = low + (high - low) / 2;
            (source_.line_offset(middle) <= offset ? low : high) = middle;
        }
        return low;
    }

    // Makes the back end see `line` (a physical line) at the current end of the output.
    void go_to_line(uint32_t line)
    {
        if (line == line_)
            return;
        constexpr uint32_t kMostNewlines = 8;
        source::Location to = source_.location(line);
        if (line_ != kUnknownLine && line > line_ && line - line_ <= kMostNewlines) {
            source::Location from = source_.location(line_);
            if (from.file == to.file && to.line - from.line == line - line_) {
                out_.append(line - line_, '\n');
                line_ = line;
                return;
            }
        }
        if (!out_.empty() && out_.back() != '\n')
            out_ += '\n';
        bool is_quiet = is_behind_program_ || (to.in_system_header && !std::ranges::binary_search(unmarked_, line));
        out_ += "# " + std::to_string(to.line) + " " + source::quoted_name(source_.file_name(to.file)) +
                (is_quiet ? " 3\n" : "\n");
        line_ = line;
    }

    // After a declaration that starts in one file and ends in another: leaves and enters the files for which its own
    // line markers were not printed.
    void change_files(uint32_t from, uint32_t to)
    {
        std::vector<source::Location> left = source_.included_from(from);
        std::vector<source::Location> entered = source_.included_from(to);
        while (!left.empty() && !entered.empty() && left.back().file == entered.back().file &&
               left.back().line == entered.back().line) {
            left.pop_back();
            entered.pop_back();
        }
        if (left.empty() && entered.empty())
            return;
        if (out_.back() != '\n')
            out_ += '\n';
        auto marker = [&](uint32_t line, uint32_t file, const char* flag) {
            out_ += "# " + std::to_string(line) + " " + source::quoted_name(source_.file_name(file)) + flag + "\n";
        };
        for (const source::Location& outer : left)
            marker(outer.line, outer.file, " 2");
        for (size_t i = entered.size(); i-- > 0;) {
            marker(entered[i].line, entered[i].file, "");
            marker(1, i > 0 ? entered[i - 1].file : source_.location(to).file, " 1");
        }
        line_ = kUnknownLine;
    }

    void copy(uint32_t from, uint32_t to)
    {
        if (from >= to)
            return;
        uint32_t line = line_of(from);
        if (line != line_) {
            size_t start = text_.find_first_not_of(" \t\n\f\v\r", from);
            if (start >= to) {
                out_ += ' ';
                return;
            }
            from = static_cast<uint32_t>(start);
            line = line_of(from);
            std::optional<source::LineMarker> marker =
                source::parse_line_marker(source_.text().substr(from, text_.find('\n', from) - from));
            if (text_[from] != '#')
                go_to_line(line);
            else if (marker && marker->enters_file && line > 0)
                go_to_line(line - 1);  // the file is entered from the one that includes it
            else if (!out_.empty() && out_.back() != '\n')
                out_ += '\n';  // a line marker or pragma needs its own line, and a marker gives the position
        }
        auto pragma = std::lower_bound(unit_.pragmas.begin(), unit_.pragmas.end(), from,
                                       [](const ast::Pragma& p, uint32_t offset) { return p.offset < offset; });
        uint32_t at = from;
        for (; pragma != unit_.pragmas.end() && pragma->offset < to; ++pragma) {
            append(at, pragma->offset);
            at = pragma->offset + pragma->length;
        }
        append(at, to);
        line_ = line + static_cast<uint32_t>(std::count(text_.begin() + from, text_.begin() + to, '\n'));
    }

    // Copies text.  Parts of a declaration may be left out: line markers within it then give line numbers but do not
    // enter or leave a file, because cc expects these in pairs.
    void append(uint32_t from, uint32_t to)
    {
        copied_from(from);
        for (auto setting = settings_from(from); setting != settings_.end() && setting->begin < to; ++setting)
            setting->is_printed = true;
        if (!in_declaration_) {
            out_.append(text_, from, to - from);
            return;
        }
        while (from < to) {
            size_t newline = text_.find('\n', from);
            uint32_t end = newline >= to ? to : static_cast<uint32_t>(newline) + 1;
            std::string_view line = std::string_view(text_).substr(from, end - from);
            bool is_whole = from == 0 || text_[from - 1] == '\n';
            std::optional<source::LineMarker> marker = is_whole ? source::parse_line_marker(line) : std::nullopt;
            if (marker && (marker->enters_file || marker->returns_to_file))
                out_ += "# " + std::to_string(marker->line) + " \"" + std::string(marker->quoted_file) + "\"" +
                        (marker->in_system_header ? " 3\n" : "\n");
            else
                out_ += line;
            from = end;
            if (marker && from < to)
                copied_from(from);
        }
    }

    struct Setting {
        uint32_t begin, end;
        bool is_printed;
    };
    static constexpr uint32_t kUnknownLine = UINT32_MAX;
    const ast::Unit& unit_;
    const lex::TokenList& tokens_;
    const source::Source& source_;
    std::string text_;                // the source's, without the marks that hide warnings
    std::vector<uint32_t> unmarked_;  // physical lines after these
    std::string out_;
    std::vector<Part> parts_;
    std::vector<Setting> settings_;
    bool in_declaration_ = false;     // inside a declaration that is not printed verbatim
    bool is_behind_program_ = false;  // in the part of the tail that has no text of the program's
    uint32_t line_ = 0;
};

}  // namespace

Emitted emit(const ast::Unit& unit, const ast::Lowered& tail, const lex::TokenList& tokens)
{
    return Emitter(unit, tokens).run(tail);
}

}  // namespace bn::emit
