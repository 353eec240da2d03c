// draw_svg.cc: trees and rings as pictures.
//
// Threads are drawn in an order that keeps neighbours close together, above (or inside) bars for the parts of the
// machine that they are in.  Subtrees are contiguous in that order, so edges of trees do not cross.

#include "info/shape.h"

#include "drawing.h"
#include "info/colours.h"
#include "printed.h"

#include <algorithm>
#include <cmath>

namespace bn::info {

namespace {

constexpr double kMargin = 28;
constexpr double kHeader = 74;
constexpr double kBarHeight = 20;
constexpr double kBarGap = 5;
constexpr double kRowName = 58;  // space left of the bars

// Distance between neighbours, in pixels
double spacing(int thread_count)
{
    return thread_count <= 96 ? 34 : thread_count <= 256 ? 24 : thread_count <= 640 ? 12 : 7;
}

// Consecutive threads of the order that are in the same group of a level
struct Run {
    int begin, end, group;
};

std::vector<Run> runs(const Drawing& drawing, const std::vector<int>& order, bn_level level)
{
    std::vector<Run> list;
    for (int i = 0; i < static_cast<int>(order.size()); ++i) {
        int group = bn_hierarchy_group_of(drawing.hierarchy.get(), level, order[static_cast<size_t>(i)]);
        if (!list.empty() && list.back().group == group)
            list.back().end = i + 1;
        else
            list.push_back({i, i + 1, group});
    }
    return list;
}

// Levels that distinguish threads, innermost first.  Levels with the same groups are named after the outermost, except
// that memory regions are preferred to sockets and boards, being better known.
std::vector<bn_level> interesting_levels(const Drawing& drawing)
{
    std::vector<bn_level> levels;
    int before = 0;
    for (int i = 0; i < BN_LEVEL_COUNT; ++i) {
        auto level = static_cast<bn_level>(i);
        int groups = bn_hierarchy_group_count(drawing.hierarchy.get(), level);
        if (groups == 1 || groups == drawing.thread_count())
            continue;
        if (groups != before)
            levels.push_back(level);
        else if (levels.back() != BN_LEVEL_NUMA || level >= BN_LEVEL_NODE)
            levels.back() = level;
        before = groups;
    }
    return levels;
}

std::string thread_svg(double x, double y, double radius, int thread, bool is_root)
{
    std::string title = printed("<title>thread %d</title>", thread);
    std::string text =
        printed("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\" stroke=\"#3d4654\" stroke-width=\"%.1f\">", x,
                y, radius, is_root ? "#ffd35c" : "#ffffff",
                is_root      ? 2.0
                : radius > 5 ? 1.3
                             : 0.8);
    text += title + "</circle>\n";
    if (radius < 9)
        return text;
    double size = thread >= 1000 ? radius * 0.68 : thread >= 100 ? radius * 0.82 : radius * 0.95;
    return text +
           printed("<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.1f\" text-anchor=\"middle\" fill=\"#1d2430\">%d</text>\n",
                   x, y + size * 0.35, size, thread);
}

// Title, and a legend of the colours of distances
std::string header_svg(const Drawing& drawing)
{
    std::string text =
        printed("<text x=\"%.0f\" y=\"30\" font-size=\"15\" font-weight=\"600\" fill=\"#1d2430\">", kMargin) +
        escaped(drawing.title) + "</text>\n";
    std::vector<int> edges = drawing.edges_by_level();
    double x = kMargin;
    for (int i = 0; i <= BN_LEVEL_CLUSTER; ++i) {
        int count = edges[static_cast<size_t>(i)];
        auto level = static_cast<bn_level>(i);
        if (count == 0)
            continue;
        std::string label = printed("%d in one %s", count, bn_level_name(level));
        text += printed("<line x1=\"%.0f\" y1=\"50\" x2=\"%.0f\" y2=\"50\" stroke=\"%s\" stroke-width=\"3\"/>", x,
                        x + 20, level_colour(level));
        text +=
            printed("<text x=\"%.0f\" y=\"54\" font-size=\"12\" fill=\"#4a5361\">%s</text>\n", x + 26, label.c_str());
        x += 44 + 7.0 * static_cast<double>(label.size());
    }
    return text;
}

double header_width(const Drawing& drawing)
{
    return 2 * kMargin + std::max(8.3 * static_cast<double>(drawing.title.size()), 520.0);
}

std::string document(double width, double height, const std::string& body)
{
    return printed("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
                   "font-family=\"system-ui, 'DejaVu Sans', sans-serif\">\n<rect width=\"100%%\" height=\"100%%\" "
                   "fill=\"#ffffff\"/>\n",
                   width, height, width, height) +
           body + "</svg>\n";
}

std::string edge_style(bn_level level, bool is_dense)
{
    return printed("fill=\"none\" stroke=\"%s\" stroke-width=\"%.1f\"", level_colour(level),
                   is_dense                 ? 1.0
                   : level >= BN_LEVEL_NODE ? 2.4
                                            : 1.7);
}

// ---- Trees ----

std::string bars_svg(const Drawing& drawing, double left, double top, double step)
{
    std::string text;
    double y = top;
    for (bn_level level : interesting_levels(drawing)) {
        text += printed("<text x=\"%.1f\" y=\"%.1f\" font-size=\"11\" text-anchor=\"end\" fill=\"#4a5361\">%s</text>\n",
                        left - 10, y + 14, bn_level_name(level));
        for (const Run& run : runs(drawing, drawing.order, level)) {
            double x = left + run.begin * step + 1;
            double width = (run.end - run.begin) * step - 2;
            text += printed("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.0f\" rx=\"4\" fill=\"%s\" "
                            "fill-opacity=\"0.22\" stroke=\"%s\" stroke-opacity=\"0.5\"/>",
                            x, y, width, kBarHeight, level_colour(level), level_colour(level));
            if (width >= 16)
                text += printed("<text x=\"%.1f\" y=\"%.1f\" font-size=\"10.5\" text-anchor=\"middle\" "
                                "fill=\"#39424f\">%d</text>",
                                x + width / 2, y + 14, run.group);
            text += "\n";
        }
        y += kBarHeight + kBarGap;
    }
    return text;
}

std::string tree_svg(const Drawing& drawing)
{
    const int count = drawing.thread_count();
    const double step = spacing(count);
    const double radius = std::min(13.0, step * 0.42);
    const double row = drawing.depth > 12 ? std::max(12.0, 900.0 / drawing.depth) : 74;
    const double left = kMargin + kRowName;
    const double top = kHeader + radius + 10;
    std::vector<double> xs(static_cast<size_t>(count)), ys(static_cast<size_t>(count));
    for (int i = 0; i < count; ++i)
        xs[static_cast<size_t>(drawing.order[static_cast<size_t>(i)])] = left + (i + 0.5) * step;
    for (size_t thread = 0; thread < ys.size(); ++thread)
        ys[thread] = top + drawing.vertices[thread].depth * row;

    std::string edges, threads;
    for (size_t thread = 0; thread < ys.size(); ++thread) {
        int parent = drawing.vertices[thread].parent;
        threads += thread_svg(xs[thread], ys[thread], radius, static_cast<int>(thread), parent < 0);
        if (parent < 0)
            continue;
        auto from = static_cast<size_t>(parent);
        bn_level level = drawing.distance(static_cast<int>(thread), parent);
        edges += printed("<path d=\"M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f\" %s/>\n", xs[from], ys[from], xs[from],
                         ys[from] + row * 0.6, xs[thread], ys[thread] - row * 0.6, xs[thread], ys[thread],
                         edge_style(level, step < 20).c_str());
    }
    double bars = top + drawing.depth * row + radius + 18;
    double height = bars + static_cast<double>(interesting_levels(drawing).size()) * (kBarHeight + kBarGap) + kMargin;
    double width = std::max(left + count * step + kMargin, header_width(drawing));
    return document(width, height, header_svg(drawing) + edges + threads + bars_svg(drawing, left, bars, step));
}

// ---- Rings ----

struct Circle {
    double x, y, step;  // centre, and the angle between neighbours; the first is at the top
    double px(double index, double radius) const { return x + radius * std::sin(index * step); }
    double py(double index, double radius) const { return y - radius * std::cos(index * step); }
};

std::string arcs_svg(const Drawing& drawing, const Circle& circle, const std::vector<int>& order, double radius)
{
    std::string text;
    for (bn_level level : interesting_levels(drawing)) {
        double padding = std::min(0.12, 3.0 / radius / circle.step);
        for (const Run& run : runs(drawing, order, level)) {
            double from = run.begin - 0.5 + padding;
            double to = run.end - 0.5 - padding;
            bool is_large = (to - from) * circle.step > M_PI;
            text += printed("<path d=\"M%.1f %.1fA%.1f %.1f 0 %d 1 %.1f %.1f\" fill=\"none\" stroke=\"%s\" "
                            "stroke-opacity=\"0.35\" stroke-width=\"12\"><title>%s %d</title></path>",
                            circle.px(from, radius), circle.py(from, radius), radius, radius, is_large ? 1 : 0,
                            circle.px(to, radius), circle.py(to, radius), level_colour(level), bn_level_name(level),
                            run.group);
            double middle = (from + to) / 2;
            if ((to - from) * circle.step * radius > 14)
                text += printed(
                    "<text x=\"%.1f\" y=\"%.1f\" font-size=\"9.5\" text-anchor=\"middle\" fill=\"#39424f\">%d</text>",
                    circle.px(middle, radius), circle.py(middle, radius) + 3.4, run.group);
            text += "\n";
        }
        radius += 17;
    }
    return text;
}

std::string ring_svg(const Drawing& drawing)
{
    const int count = drawing.thread_count();
    const double step = spacing(count);
    const double thread_radius = std::min(13.0, step * 0.42);
    const double radius = std::max(90.0, count * step / (2 * M_PI));
    const double outer = radius + thread_radius + 16;
    const double extent = outer + 17 * static_cast<double>(interesting_levels(drawing).size()) + kMargin;
    const double width = std::max(2 * extent, header_width(drawing));
    const Circle circle = {width / 2, kHeader + extent - kMargin / 2, 2 * M_PI / count};

    std::vector<int> order;
    for (int i = 0; i < count; ++i)
        order.push_back(bn_hierarchy_member_at(drawing.hierarchy.get(), i));
    std::string edges, threads;
    for (int thread = 0; thread < count; ++thread) {
        double from = bn_hierarchy_position_of(drawing.hierarchy.get(), thread);
        int next = drawing.vertices[static_cast<size_t>(thread)].children[0];
        double to = bn_hierarchy_position_of(drawing.hierarchy.get(), next);
        double apart = std::fabs(from - to);
        apart = std::min(apart, count - apart);
        // Distance of the curve's middle from the centre
        double pull = apart <= 1 ? 0.98 : std::max(0.15, 1 - 3 * apart / count);
        double middle_x = (circle.px(from, radius) + circle.px(to, radius)) / 2 - circle.x;
        double middle_y = (circle.py(from, radius) + circle.py(to, radius)) / 2 - circle.y;
        edges += printed("<path d=\"M%.1f %.1fQ%.1f %.1f %.1f %.1f\" %s/>\n", circle.px(from, radius),
                         circle.py(from, radius), circle.x + middle_x * pull, circle.y + middle_y * pull,
                         circle.px(to, radius), circle.py(to, radius),
                         edge_style(drawing.distance(thread, next), step < 20).c_str());
        threads += thread_svg(circle.px(from, radius), circle.py(from, radius), thread_radius, thread, false);
    }
    return document(width, circle.y + extent,
                    header_svg(drawing) + arcs_svg(drawing, circle, order, outer) + edges + threads);
}

}  // namespace

std::string draw_svg(const Drawing& drawing)
{
    return drawing.is_ring ? ring_svg(drawing) : tree_svg(drawing);
}

}  // namespace bn::info
