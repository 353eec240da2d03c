#include "emit/emit.h"

#include <algorithm>

namespace bn::emit {

using ast::Node;

namespace {

class Emitter {
public:
    Emitter(const ast::Unit& unit, const lex::TokenList& tokens)
        : unit_(unit), tokens_(tokens), source_(*tokens.source), text_(tokens.source->text())
    {
        out_.reserve(text_.size() + text_.size() / 4 + 4096);
    }

    std::string run(const ast::Lowered& tail)
    {
        uint32_t at = 0;
        for (const Node* decl : unit_.decls) {
            if (!decl->touched)
                continue;
            uint32_t first = tokens_[decl->first].offset;
            copy(at, first);
            node(*decl);
            at = end_of(decl->last);
        }
        copy(at, static_cast<uint32_t>(text_.size()));
        if (!tail.pieces.empty() && !out_.empty() && out_.back() != '\n')
            out_ += '\n';
        for (const ast::Piece& piece : tail.pieces)
            print(piece);
        return std::move(out_);
    }

private:
    uint32_t end_of(lex::TokenIndex token) const { return tokens_[token].offset + tokens_[token].length; }

    void print(const ast::Piece& piece)
    {
        if (piece.node != nullptr) {
            node(*piece.node);
            return;
        }
        out_ += piece.text;
        if (piece.text.find('\n') == std::string_view::npos)
            return;
        // Lines of lowered text do not exist in the source: a marker says where we are still.
        uint32_t line = line_;
        line_ = kUnknownLine;
        if (line != kUnknownLine)
            go_to_line(line);
    }

    void node(const Node& n)
    {
        if (n.lowered != nullptr) {
            for (const ast::Piece& piece : n.lowered->pieces)
                print(piece);
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
            }
        }
        copy(at, end_of(n.last));
    }

    // Physical line of an offset: found by bisection, since copies begin anywhere.
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

    // Makes the back end see `line` (a physical line) at the end of what is printed.
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
        out_ += "# " + std::to_string(to.line) + " \"" + escaped(source_.file_name(to.file)) + "\"" +
                (to.in_system_header ? " 3\n" : "\n");
        line_ = line;
    }

    static std::string escaped(std::string_view name)
    {
        std::string result;
        for (char c : name) {
            if (c == '"' || c == '\\')
                result += '\\';
            result += c;
        }
        return result;
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
            if (text_[from] != '#')
                go_to_line(line);
            else if (!out_.empty() && out_.back() != '\n')
                out_ += '\n';   // a line marker or pragma needs its own line, and a marker says where we are
        }
        auto pragma = std::lower_bound(unit_.pragmas.begin(), unit_.pragmas.end(), from,
                                       [](const ast::Pragma& p, uint32_t offset) { return p.offset < offset; });
        uint32_t at = from;
        for (; pragma != unit_.pragmas.end() && pragma->offset < to; ++pragma) {
            out_.append(text_, at, pragma->offset - at);
            at = pragma->offset + pragma->length;
        }
        out_.append(text_, at, to - at);
        line_ = line + static_cast<uint32_t>(std::count(text_.begin() + from, text_.begin() + to, '\n'));
    }

    static constexpr uint32_t kUnknownLine = UINT32_MAX;
    const ast::Unit& unit_;
    const lex::TokenList& tokens_;
    const source::Source& source_;
    std::string_view text_;
    std::string out_;
    uint32_t line_ = 0;
};

}  // namespace

std::string emit(const ast::Unit& unit, const ast::Lowered& tail, const lex::TokenList& tokens)
{
    return Emitter(unit, tokens).run(tail);
}

}  // namespace bn::emit
