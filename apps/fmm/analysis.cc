// Sweeps over the record of an evaluation, and a list scheduler that replays it
//
// BSD-3-Clause, the Banyan authors.
#include "analysis.h"

#include "models.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <limits>
#include <queue>
#include <stdexcept>

namespace fmm {
namespace {

struct Span {
    double begin = std::numeric_limits<double>::infinity(), end = 0, seconds = 0, processor = 0;
};

// When each node was executed. A barrier follows everything that it depends on, and takes no time.
std::vector<Span> spans_of(const Stages &stages, const Graph &graph)
{
    std::vector<std::int32_t> nodes[FMM_STAGES];
    for (std::int32_t node = 0; node < graph.nodes(); node++) {
        for (const Work *work = graph.begin(node); work != graph.end(node); work++) {
            nodes[work->stage].resize(std::max(nodes[work->stage].size(), at(work->end)), -1);
            nodes[work->stage][at(work->begin)] = node;
        }
    }
    std::vector<Span> spans(at(graph.nodes()));
    bool any = false;
    for (const Record &record : stages.records) {
        record.caught.again();
        for (const Piece &piece : record.pieces) {
            Span &span = spans[at(nodes[piece.stage][at(piece.first)])];
            span.begin = std::min(span.begin, piece.begin);
            span.end = std::max(span.end, piece.begin + piece.seconds);
            span.seconds += piece.seconds;
            span.processor += piece.processor;
            any = true;
        }
    }
    if (!any)
        throw std::runtime_error("nothing was recorded; fmm_trace before the evaluation does that");
    for (long node = 0; node < graph.nodes(); node++) {
        Span &span = spans[at(node)];
        if (graph.begin(node) != graph.end(node))
            continue;
        for (const std::int32_t *from = graph.before.begin(node); from != graph.before.end(node); from++)
            span.end = std::max(span.end, spans[at(*from)].end);
        span.begin = span.end;
    }
    return spans;
}

struct Event {
    double time;
    int running, ready; // the change of both numbers
};

std::vector<Event> events_of(const Stages &stages, const Graph &graph, double began)
{
    std::vector<Span> spans = spans_of(stages, graph);
    std::vector<Event> events;
    for (long node = 0; node < graph.nodes(); node++) {
        double ready = began;
        for (const std::int32_t *from = graph.before.begin(node); from != graph.before.end(node); from++)
            ready = std::max(ready, spans[at(*from)].end);
        events.push_back({ready, 0, 1});
        events.push_back({std::max(ready, spans[at(node)].begin), 0, -1});
    }
    for (const Record &record : stages.records) {
        for (const Piece &piece : record.pieces) {
            events.push_back({piece.begin, 1, 0});
            events.push_back({piece.begin + piece.seconds, -1, 0});
        }
    }
    std::sort(events.begin(), events.end(), [](const Event &a, const Event &b) { return a.time < b.time; });
    return events;
}

// Adds `much` to the bins between begin and end, which are fractions of the whole, in proportion to the time in each
void add_to_bins(double begin, double end, double much, int bins, double *running)
{
    for (int bin = static_cast<int>(begin * bins); bin < bins && bin < end * bins; bin++) {
        double from = std::max(begin * bins, static_cast<double>(bin)), to = std::min(end * bins, bin + 1.0);
        if (bin >= 0)
            running[bin] += much * std::max(0.0, to - from);
    }
}

// Intervals in which cores work
using Busy = std::vector<std::pair<double, double>>;

// Simulates one loop: returns the duration until the last piece of a phase is done; cores take pieces according to the
// loop's schedule
class Loop {
  public:
    Loop(int cores, double gap, Busy &busy) : cores(cores), gap(gap), busy(busy)
    {
    }
    // `begin` is when the loop begins
    double in_equal_shares(double begin, const std::vector<double> &seconds) const
    {
        double longest = 0;
        for (long core = 0, next = 0; core < cores; core++) {
            double sum = 0;
            long count = static_cast<long>(seconds.size()), share = count / cores + (core < count % cores);
            for (long end = next + share; next < end; next++) {
                busy.emplace_back(begin + sum, begin + sum + seconds[at(next)]);
                sum += seconds[at(next)] + gap;
            }
            longest = std::max(longest, sum);
        }
        return longest;
    }
    // A free core takes one piece or, if `guided`, an equal share of the remaining ones
    double by_whoever_is_free(double begin, const std::vector<double> &seconds, bool guided) const
    {
        std::priority_queue<double, std::vector<double>, std::greater<double>> free;
        for (int core = 0; core < cores; core++)
            free.push(0);
        double longest = 0;
        for (long next = 0, count = static_cast<long>(seconds.size()); next < count;) {
            double time = free.top();
            free.pop();
            for (long end = next + (guided ? (count - next + cores - 1) / cores : 1); next < end; next++) {
                busy.emplace_back(begin + time, begin + time + seconds[at(next)]);
                time += seconds[at(next)] + gap;
            }
            free.push(time);
            longest = std::max(longest, time);
        }
        return longest;
    }

  private:
    int cores;
    double gap;
    Busy &busy;
};

double simulate_loops(const Graph &graph, const std::vector<Span> &spans, fmm_model model, int cores, double gap,
                      Busy &busy)
{
    Loop loop(cores, gap, busy);
    std::vector<double> seconds;
    double sum = 0;
    for (long node = 0; node < graph.nodes(); node++) {
        if (graph.begin(node) != graph.end(node)) {
            seconds.push_back(spans[at(node)].processor);
            continue;
        }
        sum += model == FMM_STATIC ? loop.in_equal_shares(sum, seconds)
                                   : loop.by_whoever_is_free(sum, seconds, model == FMM_GUIDED);
        seconds.clear();
    }
    return sum;
}

// Runs nodes in the order in which they become ready, each on the first free core
double simulate_tasks(const Graph &graph, const std::vector<Span> &spans, bool one_makes_all, int cores, double gap,
                      Busy &busy)
{
    struct Next {
        double time;
        std::int32_t node; // n: node n ends; n - count: node n has been made; count: the maker is free
        bool operator>(const Next &other) const
        {
            return time != other.time ? time > other.time : node > other.node;
        }
    };
    std::int32_t count = static_cast<std::int32_t>(graph.nodes());
    std::priority_queue<Next, std::vector<Next>, std::greater<Next>> next;
    std::vector<int> waits(at(count));
    for (std::int32_t node = 0; node < count; node++) {
        waits[at(node)] = static_cast<int>(graph.before.end(node) - graph.before.begin(node)) + 1; // 1: making it
        next.push({one_makes_all ? (node + 1) * gap : 0, node - count});
    }
    next.push({one_makes_all ? count * gap : 0, count});
    std::deque<std::int32_t> ready;
    int free = cores - 1;
    double now = 0;
    auto done = [&](std::int32_t node) {
        if (--waits[at(node)] == 0)
            ready.push_back(node);
    };
    while (!next.empty()) {
        now = next.top().time;
        std::int32_t node = next.top().node;
        next.pop();
        if (node < 0)
            done(node + count);
        else
            free++;
        if (node >= 0 && node < count)
            std::for_each(graph.after.begin(node), graph.after.end(node), done);
        for (; free > 0 && !ready.empty(); free--) {
            double end = now + spans[at(ready.front())].processor;
            busy.emplace_back(now, end);
            next.push({end + (one_makes_all ? 0 : gap), ready.front()});
            ready.pop_front();
        }
    }
    return now;
}

} // namespace

fmm_times find_times(const Stages &stages, const Graph &graph, double began, double wall, int bins, double *running)
{
    fmm_times times = {};
    double threads = static_cast<double>(stages.records.size()), before = began;
    long now_running = 0, now_ready = 0;
    std::fill_n(running, bins, 0.0);
    std::vector<Event> events = events_of(stages, graph, began);
    events.push_back({began + wall, 0, 0});
    for (const Event &event : events) {
        double passed = event.time - before, waiting = threads - static_cast<double>(now_running);
        double could = std::min(waiting, static_cast<double>(now_ready));
        times.working += passed * static_cast<double>(now_running);
        times.scheduling += passed * could;
        times.idle += passed * (waiting - could);
        add_to_bins((before - began) / wall, (event.time - began) / wall, static_cast<double>(now_running), bins,
                    running);
        now_running += event.running;
        now_ready += event.ready;
        before = event.time;
    }
    return times;
}

double simulate(const Stages &stages, const Graph &graph, fmm_model model, double caller, int cores, int bins,
                double *running)
{
    if (stages.records.size() != 1)
        throw std::runtime_error("a simulation needs a record of one thread (fmm_set_threads)");
    std::vector<Span> spans = spans_of(stages, graph);
    double worked = 0;
    for (const Span &span : spans)
        worked += span.processor;
    double pieces = static_cast<double>(stages.records[0].pieces.size());
    if (has_tasks(model))
        pieces = static_cast<double>(graph.nodes());
    double gap = std::max(0.0, caller - worked) / pieces;
    Busy busy;
    double wall = has_tasks(model) ? simulate_tasks(graph, spans, model == FMM_TILED_TASKS, cores, gap, busy)
                                   : simulate_loops(graph, spans, model, cores, gap, busy);
    std::fill_n(running, bins, 0.0);
    for (auto [begin, end] : busy)
        add_to_bins(begin / wall, end / wall, 1, bins, running);
    return wall;
}

} // namespace fmm
