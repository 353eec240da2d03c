// study_svg.cc: times as a chart, with sizes or threads on the x axis, whichever there are several of, and a line for
// each way; or, if there is one way over several of both, threads on the x axis and a line for each size; or, if there
// is one cell, a bar for each way.

#include "sim/study.h"

#include "drawing.h"
#include "printed.h"
#include "sim/text.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

namespace bn::sim {

namespace {

constexpr double kWidth = 860, kLeft = 84, kTop = 64, kPlotWidth = 480, kPlotHeight = 330, kNameHeight = 15;
constexpr size_t kLinesMax = 10;  // more cannot be distinguished

// Distinguishable by people with red-green colour blindness
constexpr const char* kColours[kLinesMax] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9",
                                             "#e69f00", "#555555", "#7a1f2b", "#5b4ab0", "#8a8a00"};
constexpr const char* kUsual = "usual *";
constexpr const char* kUsualColour = "#000000";

std::string label(double x, double y, const char* anchor, const std::string& text, const char* more = "")
{
    return printed("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" %s>", x, y, anchor, more) + escaped(text) +
           "</text>\n";
}

std::string stroke(double x1, double y1, double x2, double y2, const char* colour)
{
    return printed("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>\n", x1, y1, x2, y2, colour);
}

struct Line {
    std::string name;
    bool is_usual = false;
    std::vector<std::pair<double, double>> points;
    const char* colour = kUsualColour;
    double last() const { return points.back().second; }
};

// Lower end of the logarithmic scale, where smaller values are drawn, such as a time of 0 from a description.
constexpr double kLeast = 1;

struct Range {
    double least = INFINITY, most = kLeast;

    void include(double value)
    {
        least = std::min(least, std::max(value, kLeast));
        most = std::max(most, value);
    }
    double share(double value) const
    {
        return most > least ? std::log(std::max(value, least) / least) / std::log(most / least) : 0.5;
    }
    // So that it begins and ends with 1, 2 or 5 of a power of ten
    void round();
};

double decade_of(double value)
{
    return std::pow(10, std::floor(std::log10(value) + 1e-9));
}

void Range::round()
{
    double low = decade_of(least), high = decade_of(most);
    double first = least / low * 1.0001, last = most / high * 0.9999;
    least = low * (first >= 5 ? 5 : first >= 2 ? 2 : 1);
    most = high * (last <= 1 ? 1 : last <= 2 ? 2 : last <= 5 ? 5 : 10);
}

bool is_over_threads(const Study& study)
{
    return study.cells.front().thread_count != study.cells.back().thread_count;
}

// Each cell has one way, because it was asked for or because it is the usual one.
bool has_one_way(const Study& study)
{
    return std::all_of(study.cells.begin(), study.cells.end(), [](const Cell& cell) { return cell.runs.size() == 1; });
}

std::vector<size_t> sizes_of(const Study& study)
{
    std::set<size_t> sizes;
    for (const Cell& cell : study.cells)
        sizes.insert(cell.nbytes);
    return {sizes.begin(), sizes.end()};
}

// The usual way of the cells, if it is the same in all; null if not
const bn_entry* usual_way_of(const Study& study)
{
    std::set<const bn_entry*> ways;
    for (const Cell& cell : study.cells) {
        for (const Run& run : cell.runs) {
            if (run.is_usual)
                ways.insert(run.way);
        }
    }
    return ways.size() == 1 ? *ways.begin() : nullptr;
}

// The times of the runs that are wanted
template <class IsWanted>
Line line_of(const Study& study, const std::string& name, IsWanted is_wanted)
{
    Line line = {name, false, {}};
    for (const Cell& cell : study.cells) {
        for (const Run& run : cell.runs) {
            if (!run.refusal && is_wanted(cell, run))
                line.points.emplace_back(is_over_threads(study) ? static_cast<double>(cell.thread_count)
                                                                : static_cast<double>(cell.nbytes),
                                         run.outcome.ns);
        }
    }
    return line;
}

std::string name_of(const Run& run)
{
    return std::string(run.way->name) + (run.is_usual ? " *" : "");
}

// One way over numbers of threads or sizes, or over both, with a line for each size
std::vector<Line> lines_of_sizes(const Study& study)
{
    std::vector<Line> lines;
    const std::vector<size_t> sizes = sizes_of(study);
    const Run& last = study.cells.back().runs[0];
    std::string name = last.is_usual && !usual_way_of(study) ? kUsual : name_of(last);
    if (!is_over_threads(study) || sizes.size() == 1) {
        lines = {line_of(study, name, [](const Cell&, const Run&) { return true; })};
        lines[0].is_usual = last.is_usual;
        return lines;
    }
    for (size_t size : sizes)
        lines.push_back(line_of(study, bytes_text(static_cast<double>(size)),
                                [&](const Cell& cell, const Run&) { return cell.nbytes == size; }));
    return lines;
}

// The fastest ways of the last cell and, where the usual way changes, a line for it
std::vector<Line> lines_of_ways(const Study& study)
{
    std::vector<Line> lines;
    bool changes = !usual_way_of(study);
    size_t room = kLinesMax;
    const std::vector<Run>& runs = study.cells.back().runs;
    if (std::any_of(runs.begin(), runs.end(), [](const Run& run) { return run.is_usual && !run.refusal; }))
        room--;
    for (const Run& run : runs) {
        if (run.refusal || (room == 0 && !run.is_usual))
            continue;
        room -= run.is_usual ? 0 : 1;
        lines.push_back(line_of(study, changes ? run.way->name : name_of(run),
                                [&](const Cell&, const Run& each) { return each.way == run.way; }));
        lines.back().is_usual = run.is_usual && !changes;
    }
    Line usual = line_of(study, kUsual, [](const Cell&, const Run& run) { return run.is_usual; });
    usual.is_usual = true;
    if (changes && !usual.points.empty())
        lines.push_back(usual);
    return lines;
}

// Slowest first, as in the chart
std::vector<Line> lines_of(const Study& study)
{
    std::vector<Line> lines = has_one_way(study) ? lines_of_sizes(study) : lines_of_ways(study);
    std::erase_if(lines, [](const Line& line) { return line.points.empty(); });
    for (size_t i = 0; i < lines.size(); i++)
        lines[i].colour = lines[i].name == kUsual ? kUsualColour : kColours[i % kLinesMax];
    std::stable_sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) { return a.last() > b.last(); });
    return lines;
}

// The powers of ten in a range that begins and ends with 1, 2 or 5 of one; of a small range, these numbers, too
std::vector<double> ticks_of(const Range& ys)
{
    std::vector<double> ticks;
    for (double decade = decade_of(ys.least); decade <= ys.most * 1.0001; decade *= 10) {
        for (double part : {1, 2, 5}) {
            double tick = decade * part;
            if (tick >= ys.least * 0.9999 && tick <= ys.most * 1.0001 && (part == 1 || ys.most / ys.least < 100))
                ticks.push_back(tick);
        }
    }
    return ticks;
}

std::string grid(const Range& xs, const Range& ys, const std::vector<Line>& lines, bool is_over_thread_count)
{
    std::string text;
    double bottom = kTop + kPlotHeight;
    for (double tick : ticks_of(ys)) {
        double y = bottom - ys.share(tick) * kPlotHeight;
        text += stroke(kLeft, y, kLeft + kPlotWidth, y, "#dddddd");
        text += label(kLeft - 8, y + 4, "end", time_text(tick));
    }
    std::set<double> values;
    for (const Line& line : lines) {
        for (const auto& [value, ns] : line.points)
            values.insert(value);
    }
    double next = -INFINITY;
    for (double value : values) {
        double x = kLeft + xs.share(value) * kPlotWidth;
        if (x < next)
            continue;
        next = x + 60;
        text += stroke(x, bottom, x, bottom + 5, "#555555");
        text += label(x, bottom + 20, "middle",
                      is_over_thread_count ? with_commas(static_cast<uint64_t>(value)) : bytes_text(value));
    }
    text += stroke(kLeft, bottom, kLeft + kPlotWidth, bottom, "#555555");
    text += stroke(kLeft, kTop, kLeft, bottom, "#555555");
    return text +
           label(kLeft + kPlotWidth / 2, bottom + 42, "middle", is_over_thread_count ? "threads" : "bytes of a block");
}

// Names are drawn at the ends of their lines, moved apart.
std::string curves(const Range& xs, const Range& ys, const std::vector<Line>& lines)
{
    std::string text;
    std::vector<double> places(lines.size());
    for (size_t i = 0; i < lines.size(); i++) {
        double own_y = kTop + kPlotHeight - ys.share(lines[i].last()) * kPlotHeight;
        places[i] = i == 0 ? own_y : std::max(own_y, places[i - 1] + kNameHeight);
    }
    double free_y = kTop + kPlotHeight;
    for (size_t i = lines.size(); i-- > 0;) {
        places[i] = std::min(places[i], free_y);
        free_y = places[i] - kNameHeight;
    }
    for (size_t i = 0; i < lines.size(); i++) {
        const char* colour = lines[i].colour;
        std::string path;
        double x = 0, y = 0;
        for (const auto& [value, ns] : lines[i].points) {
            x = kLeft + xs.share(value) * kPlotWidth;
            y = kTop + kPlotHeight - ys.share(ns) * kPlotHeight;
            path += printed("%s%.1f %.1f", path.empty() ? "M" : " L", x, y);
            text += printed("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n", x, y, colour);
        }
        text +=
            "<path d=\"" + path +
            printed("\" fill=\"none\" stroke=\"%s\" stroke-width=\"%s\"/>\n", colour, lines[i].is_usual ? "3" : "1.6");
        text += stroke(x + 4, y, x + 16, places[i], colour);
        text += label(x + 20, places[i] + 4, "start", lines[i].name, printed("fill=\"%s\"", colour).c_str());
    }
    return text;
}

std::string bars(const std::vector<Line>& lines)
{
    std::string text;
    double most = kLeast, y = kTop;
    for (const Line& line : lines)
        most = std::max(most, line.last());
    for (size_t i = lines.size(); i-- > 0; y += 34) {
        double width = std::max(lines[i].last() / most * (kPlotWidth - 100), 1.0);
        text += label(kLeft - 60, y + 12, "start", lines[i].name);
        text += printed("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"12\" fill=\"%s\"/>\n", kLeft - 60, y + 16,
                        width, kColours[0]);
        text += label(kLeft - 52 + width, y + 26, "start", time_text(lines[i].last()));
    }
    return text;
}

std::string title_of(const Study& study, bool is_over_thread_count)
{
    const Cell& cell = study.cells.back();
    std::string text = bn_operation_name(study.operation);
    bool is_one_size = sizes_of(study).size() == 1;
    if (bn_operation_has_blocks(study.operation) && is_one_size)
        text += " of " + bytes_text(static_cast<double>(cell.nbytes));
    if (!is_over_thread_count)
        text += ", " + count_text(static_cast<uint64_t>(cell.thread_count), "thread");
    return text + ", simulated";
}

// ", by WAY" where lines are sizes
std::string way_text(const Study& study)
{
    if (!has_one_way(study) || !is_over_threads(study) || sizes_of(study).size() == 1)
        return "";
    const Run& last = study.cells.back().runs[0];
    return ", by " + (last.is_usual && !usual_way_of(study) ? "the usual ways *" : name_of(last));
}

}  // namespace

std::string study_svg(Study study)
{
    auto is_before = [](const Cell& a, const Cell& b) {
        return std::tie(a.thread_count, a.nbytes) < std::tie(b.thread_count, b.nbytes);
    };
    std::stable_sort(study.cells.begin(), study.cells.end(), is_before);
    bool is_over_thread_count = is_over_threads(study);
    std::vector<Line> lines = lines_of(study);
    Range xs, ys;
    for (const Line& line : lines) {
        for (const auto& [value, ns] : line.points) {
            xs.include(value);
            ys.include(ns);
        }
    }
    bool is_one_cell = study.cells.size() == 1 || xs.least == xs.most;
    if (!lines.empty())
        ys.round();
    double height = is_one_cell ? kTop + 34 * static_cast<double>(lines.size()) + 30 : kTop + kPlotHeight + 84;
    std::string text = printed("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
                               "font-family=\"sans-serif\" font-size=\"12\" fill=\"#222222\">\n"
                               "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
                               kWidth, height);
    text += label(24, 28, "start", title_of(study, is_over_thread_count), "font-size=\"16\"");
    std::string origin = study.description.origin.substr(study.description.origin.rfind('/') + 1);
    text += label(24, 46, "start", origin + ", synchronising with " + sync_text(study.sync) + way_text(study),
                  "fill=\"#666666\"");
    if (lines.empty())
        text += label(24, kTop + 20, "start", "no way can be taken");
    else if (is_one_cell)
        text += bars(lines);
    else
        text += grid(xs, ys, lines, is_over_thread_count) + curves(xs, ys, lines);
    text += label(24, height - 12, "start", "* what programs take without a table", "fill=\"#666666\"");
    return text + "</svg>\n";
}

}  // namespace bn::sim
