// study_svg.cc: times as a chart, with sizes or threads on the x axis, whichever there are several of, and a line for
// each way; or, if there is one cell, a bar for each way.

#include "sim/study.h"

#include "drawing.h"
#include "printed.h"
#include "sim/text.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace bn::sim {

namespace {

constexpr double kWidth = 860, kLeft = 84, kTop = 64, kPlotWidth = 480, kPlotHeight = 330, kNameHeight = 15;
constexpr size_t kLinesMax = 10;  // more cannot be distinguished

// Distinguishable by people with red-green colour blindness
constexpr const char* kColours[kLinesMax] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9",
                                             "#e69f00", "#555555", "#7a1f2b", "#5b4ab0", "#8a8a00"};

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
    const bn_entry* way;
    bool is_usual = false;
    std::vector<std::pair<double, double>> points;
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
};

bool is_over_threads(const Study& study)
{
    return study.cells.front().thread_count != study.cells.back().thread_count;
}

// The fastest ways of the last cell, slowest first, in the order of the chart
std::vector<Line> lines_of(const Study& study, bool is_over_thread_count)
{
    std::vector<Line> lines;
    size_t last_size = study.cells.back().nbytes;
    for (const Run& run : study.cells.back().runs) {
        if (run.refusal || lines.size() + (run.is_usual ? 0 : 1) > kLinesMax)
            continue;
        Line line{run.way, run.is_usual, {}};
        for (const Cell& cell : study.cells) {
            if (is_over_thread_count && cell.nbytes != last_size)
                continue;
            for (const Run& each : cell.runs) {
                if (each.way == run.way && !each.refusal)
                    line.points.push_back({is_over_thread_count ? static_cast<double>(cell.thread_count)
                                                                : static_cast<double>(cell.nbytes),
                                           each.outcome.ns});
            }
        }
        lines.push_back(line);
    }
    std::reverse(lines.begin(), lines.end());
    return lines;
}

std::string grid(const Range& xs, const Range& ys, const std::vector<Line>& lines, bool is_over_thread_count)
{
    std::string text;
    double bottom = kTop + kPlotHeight;
    for (double decade = std::pow(10, std::ceil(std::log10(ys.least) - 1e-9)); decade <= ys.most * 1.0001;
         decade *= 10) {
        double y = bottom - ys.share(decade) * kPlotHeight;
        text += stroke(kLeft, y, kLeft + kPlotWidth, y, "#dddddd");
        text += label(kLeft - 8, y + 4, "end", time_text(decade));
    }
    double next = -INFINITY;
    for (const auto& [value, ns] : lines.front().points) {
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
        const char* colour = kColours[i % kLinesMax];
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
        text += label(x + 20, places[i] + 4, "start", std::string(lines[i].way->name) + (lines[i].is_usual ? " *" : ""),
                      printed("fill=\"%s\"", colour).c_str());
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
        text += label(kLeft - 60, y + 12, "start", std::string(lines[i].way->name) + (lines[i].is_usual ? " *" : ""));
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
    bool is_one_size = study.cells.front().nbytes == cell.nbytes || is_over_thread_count;
    if (bn_operation_has_blocks(study.operation) && is_one_size)
        text += " of " + bytes_text(static_cast<double>(cell.nbytes));
    if (!is_over_thread_count)
        text += ", " + count_text(static_cast<uint64_t>(cell.thread_count), "thread");
    return text + ", simulated";
}

}  // namespace

std::string study_svg(Study study)
{
    auto is_before = [](const Cell& a, const Cell& b) {
        return std::tie(a.thread_count, a.nbytes) < std::tie(b.thread_count, b.nbytes);
    };
    std::stable_sort(study.cells.begin(), study.cells.end(), is_before);
    bool is_over_thread_count = is_over_threads(study);
    std::vector<Line> lines = lines_of(study, is_over_thread_count);
    Range xs, ys;
    for (const Line& line : lines) {
        for (const auto& [value, ns] : line.points) {
            xs.include(value);
            ys.include(ns);
        }
    }
    bool is_one_cell = study.cells.size() == 1 || xs.least == xs.most;
    double height = is_one_cell ? kTop + 34 * static_cast<double>(lines.size()) + 30 : kTop + kPlotHeight + 84;
    std::string text = printed("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
                               "font-family=\"sans-serif\" font-size=\"12\" fill=\"#222222\">\n"
                               "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
                               kWidth, height);
    text += label(24, 28, "start", title_of(study, is_over_thread_count), "font-size=\"16\"");
    std::string origin = study.description.origin.substr(study.description.origin.rfind('/') + 1);
    text += label(24, 46, "start", origin + ", synchronising with " + sync_text(study.sync), "fill=\"#666666\"");
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
