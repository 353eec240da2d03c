// The C interface: checks and errors
//
// BSD-3-Clause, the Banyan authors.
#include "fmm.h"

#include "analysis.h"
#include "counters.h"
#include "kernels.h"
#include "part_of.h"
#include "problem.h"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <ctime>
#include <exception>
#include <limits>
#include <new>
#include <omp.h>
#include <stdexcept>

namespace {

const char *const STAGES[FMM_STAGES] = {"up", "transform", "v", "down", "u", "leaf"};
const char *const MODELS[FMM_MODELS] = {"static", "dynamic",     "guided",        "naive-tasks",
                                        "tiled",  "tiled-tasks", "subtree-tasks", "tbb"};
const char *const COUNTERS[FMM_COUNTERS] = {"cycles", "instructions", "cache references", "cache misses",
                                            "page faults"};
constexpr int LEAST_ORDER = 4, MOST_ORDER = 10;

using fmm::check_count;
using fmm::check_options;
using fmm::fail;
using fmm::told;

void check_model(fmm_model model, int tile, int v_block)
{
    if (model < 0 || model >= FMM_MODELS)
        fail("there is no model %d", static_cast<int>(model));
    if (fmm_lacks(model) != nullptr)
        fail("the model %s is not there: %s", MODELS[model], fmm_lacks(model));
    if (tile < 1)
        fail("the tile is %d cells; it must be 1 or more", tile);
    if (v_block < 1)
        fail("the V block is %d groups; it must be 1 or more", v_block);
}

double processor_seconds(clockid_t of = CLOCK_PROCESS_CPUTIME_ID)
{
    timespec now;
    clock_gettime(of, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

template <typename T> void check_finite(long count, const void *given, int each, const char *what)
{
    const T *values = static_cast<const T *>(given);
    long wrong = std::numeric_limits<long>::max();
#pragma omp parallel for reduction(min : wrong)
    for (long i = 0; i < count * each; i++) {
        if (!std::isfinite(values[i]) && i < wrong)
            wrong = i;
    }
    if (wrong < count * each) {
        fail("%s of body %ld is %g; it must be finite", what, wrong / each, static_cast<double>(values[wrong]));
    }
}

void check_values(const fmm_options &o, long count, const void *values, int each, const char *what)
{
    o.precision == FMM_DOUBLE ? check_finite<double>(count, values, each, what)
                              : check_finite<float>(count, values, each, what);
}

double value(const fmm_options &o, const void *from, long i)
{
    return o.precision == FMM_DOUBLE ? static_cast<const double *>(from)[i]
                                     : static_cast<double>(static_cast<const float *>(from)[i]);
}

void direct(const fmm_options &o, long count, const void *places, const void *charges, long targets, const long *which,
            double *potentials, double *gradients)
{
    fmm::Tree cube;
    o.precision == FMM_DOUBLE ? enclose(cube, count, static_cast<const double *>(places))
                              : enclose(cube, count, static_cast<const float *>(places));
    const std::size_t room = static_cast<std::size_t>(count) + fmm::MOST_LANES;
    std::vector<double> x[3], charge(room);
    for (int d = 0; d < 3; d++) {
        x[d].resize(room);
        for (long i = 0; i < count; i++) {
            x[d][static_cast<std::size_t>(i)] = (value(o, places, 3 * i + d) - cube.centre[d]) / cube.side;
        }
    }
    for (long i = 0; i < count; i++)
        charge[static_cast<std::size_t>(i)] = value(o, charges, i);
    const auto &loops = fmm::inner<double>();
    const fmm::Points<double> sources = {x[0].data(), x[1].data(), x[2].data(), charge.data(), count};
    double decay = o.kernel == FMM_LAPLACE ? 0 : cube.side / o.length;
#pragma omp parallel for schedule(dynamic, 1)
    for (long t = 0; t < targets; t++) {
        const fmm::Points<double> target = {sources.x + which[t], sources.y + which[t], sources.z + which[t], nullptr,
                                            1};
        double potential = 0, g[3] = {0, 0, 0};
        (o.kernel == FMM_LAPLACE ? loops.laplace_many : loops.yukawa_many)[1](target, sources, decay,
                                                                              {&potential, &g[0], &g[1], &g[2]});
        potentials[t] = potential / cube.side;
        for (int d = 0; d < 3; d++)
            gradients[3 * t + d] = g[d] / cube.side / cube.side;
    }
}

} // namespace

namespace fmm {

void fail(const char *format, ...)
{
    char text[FMM_MESSAGE_BYTES];
    va_list values;
    va_start(values, format);
    std::vsnprintf(text, sizeof text, format, values);
    va_end(values);
    throw std::runtime_error(text);
}

void check_options(const fmm_options &o)
{
    if (o.kernel != FMM_LAPLACE && o.kernel != FMM_YUKAWA)
        fail("there is no kernel %d", static_cast<int>(o.kernel));
    if (o.precision != FMM_DOUBLE && o.precision != FMM_SINGLE) {
        fail("there is no precision %d", static_cast<int>(o.precision));
    }
    if (o.order < LEAST_ORDER || o.order > MOST_ORDER) {
        fail("the order is %d; it must be %d to %d", o.order, LEAST_ORDER, MOST_ORDER);
    }
    if (o.leaf < 1)
        fail("a leaf is to have %d bodies; it must be 1 or more", o.leaf);
    if (o.kernel == FMM_YUKAWA && !(o.length > 0 && std::isfinite(o.length))) {
        fail("the length of the Yukawa kernel is %g; it must be above 0 and finite", o.length);
    }
    check_model(o.model, o.tile, o.v_block);
}

void check_count(long count)
{
    if (count < 0)
        fail("the number of bodies is %ld; it must not be negative", count);
    if (count > std::numeric_limits<std::int32_t>::max())
        fail("%ld bodies are more than 2147483647", count);
}

} // namespace fmm

fmm_problem::fmm_problem() = default;
fmm_problem::~fmm_problem() = default;

void fmm_problem::make_graph()
{
    if (graph_is_made)
        return;
    double before = omp_get_wtime();
    graph = fmm::make_graph(*stages, options.model, sizes());
    graph_is_made = true;
    making = omp_get_wtime() - before;
}

fmm_options fmm_defaults(void)
{
    // See docs/tuning/fmm.md: a block's sources and sums stay in the second-level cache, and there are enough blocks
    // for all threads.
    int v_block = std::clamp(128 / omp_get_max_threads(), 8, 32);
    return {FMM_LAPLACE, FMM_DOUBLE, FMM_TILED, 1.0, 6, 192, 16, v_block};
}

int fmm_check_options(const fmm_options *options, char *message)
{
    return told(message, [&] { check_options(*options); });
}

fmm_problem *fmm_new(const fmm_options *options, long count, const void *places, char *message)
{
    std::unique_ptr<fmm_problem> made;
    int status = told(message, [&] {
        double before = omp_get_wtime(), processor = processor_seconds();
        check_options(*options);
        check_count(count);
        check_values(*options, count, places, 3, "a coordinate");
        made = std::make_unique<fmm_problem>();
        made->options = *options;
        made->stages = fmm::make_stages(*options, count, places);
        made->setup = omp_get_wtime() - before;
        made->setup_processor = processor_seconds() - processor;
    });
    return status == 0 ? made.release() : nullptr;
}

int fmm_evaluate(fmm_problem *p, const void *charges, void *potentials, void *gradients, char *message)
{
    return told(message, [&] {
        if (p->part != nullptr)
            fail("a share of a problem cannot be evaluated alone (part.h)");
        check_values(p->options, static_cast<long>(p->stages->tree.order.size()), charges, 1, "the charge");
        const fmm_options &o = p->options;
        if (fmm::has_tasks(o.model))
            p->make_graph();
        double processor = processor_seconds();
        p->stages->begin(charges, gradients != nullptr);
        double caller = processor_seconds(CLOCK_THREAD_CPUTIME_ID);
        p->began = omp_get_wtime();
        run_model(*p->stages, o.model, p->sizes(), p->graph);
        p->wall = omp_get_wtime() - p->began;
        p->caller = processor_seconds(CLOCK_THREAD_CPUTIME_ID) - caller;
        p->stages->results(potentials, gradients);
        p->processor = processor_seconds() - processor;
    });
}

void fmm_free(fmm_problem *p)
{
    delete p;
}

int fmm_set_model(fmm_problem *p, fmm_model model, int tile, int v_block, char *message)
{
    return told(message, [&] {
        check_model(model, tile, v_block);
        if (v_block != p->options.v_block)
            p->stages->set_v_block(v_block);
        p->options.model = model;
        p->options.tile = tile;
        p->options.v_block = v_block;
        p->graph = fmm::Graph();
        p->graph_is_made = false;
        p->making = 0;
    });
}

int fmm_direct(const fmm_options *options, long count, const void *places, const void *charges, long targets,
               const long *which, double *potentials, double *gradients, char *message)
{
    return told(message, [&] {
        check_options(*options);
        check_count(count);
        check_values(*options, count, places, 3, "a coordinate");
        check_values(*options, count, charges, 1, "the charge");
        direct(*options, count, places, charges, targets, which, potentials, gradients);
    });
}

double fmm_promised(const fmm_options *options, int of_gradients)
{
    // Three times the measured error (docs/design/018-fmm.md): a digit for each point on an edge for 1/r, a digit less
    // for the Yukawa kernel
    double digits = std::pow(10.0, -options->order) * (options->kernel == FMM_YUKAWA ? 10 : 1);
    double error = of_gradients ? 100 * digits : 3 * digits, rounding = of_gradients ? 2e-4 : 3e-6;
    return options->precision == FMM_SINGLE && error < rounding ? rounding : error;
}

void fmm_last_profile(const fmm_problem *p, fmm_profile *profile)
{
    const fmm::Stages &stages = *p->stages;
    *profile = fmm_profile();
    for (const fmm::Record &record : stages.records) {
        for (int stage = 0; stage < FMM_STAGES; stage++) {
            profile->seconds[stage] += record.seconds[stage];
            profile->calls[stage] += record.calls[stage];
            profile->stage_processor[stage] += record.processor[stage];
            for (int c = 0; c < FMM_COUNTERS; c++)
                profile->counts[stage][c] += record.counts[stage][c];
        }
    }
    profile->wall = p->wall;
    profile->setup = p->setup;
    profile->processor = p->processor;
    profile->caller_processor = p->caller;
    profile->setup_processor = p->setup_processor;
    profile->making = p->making;
    profile->pairs = stages.pairs;
    profile->v_products = stages.v_products;
    profile->pair_operations = stages.pair_operations;
    profile->cells = static_cast<long>(stages.tree.cells.size());
    profile->leaves = static_cast<long>(stages.tree.leaves.size());
    profile->levels = stages.tree.levels();
    profile->threads = static_cast<int>(stages.records.size());
    profile->surface = stages.surface;
    profile->vectors = stages.vectors;
}

int fmm_set_threads(fmm_problem *p, int threads, char *message)
{
    return told(message, [&] {
        int most = p->stages->most_threads();
        if (threads < 1 || threads > most)
            fail("%d threads; there can be 1 to %d, as OpenMP had when the problem was made", threads, most);
        p->stages->records = std::vector<fmm::Record>(static_cast<std::size_t>(threads));
    });
}

const char *fmm_lacks(fmm_model model)
{
    return model == FMM_TBB && fmm::run_on_tbb == nullptr
               ? "it needs oneTBB, which was not linked (Debian: libtbb-dev, then build apps/fmm again)"
               : nullptr;
}

void fmm_count(fmm_problem *p, int on)
{
    p->stages->counting = on != 0;
}

int fmm_counter_error(fmm_counter counter)
{
    return fmm::Counters().error(counter);
}

const char *fmm_counter_name(fmm_counter counter)
{
    return COUNTERS[counter];
}

int fmm_find_times(fmm_problem *p, int bins, double *running, fmm_times *times, char *message)
{
    return told(message, [&] {
        p->make_graph();
        *times = fmm::find_times(*p->stages, p->graph, p->began, p->wall, bins, running);
    });
}

int fmm_simulate(fmm_problem *p, int cores, double *wall, int bins, double *running, char *message)
{
    return told(message, [&] {
        if (cores < 1)
            fail("%d cores; there must be 1 or more", cores);
        p->make_graph();
        *wall = fmm::simulate(*p->stages, p->graph, p->options.model, p->caller, cores, bins, running);
    });
}

void fmm_trace(fmm_problem *p, int on)
{
    p->stages->tracing = on != 0;
}

int fmm_write_trace(const fmm_problem *p, const char *file, char *message)
{
    return told(message, [&] {
        for (const fmm::Record &record : p->stages->records)
            record.caught.again();
        std::FILE *to = std::fopen(file, "w");
        if (to == nullptr)
            fail("%s cannot be written: %m", file);
        std::fputs("{\"displayTimeUnit\": \"ms\", \"traceEvents\": [", to);
        const char *between = "\n";
        for (std::size_t thread = 0; thread < p->stages->records.size(); thread++) {
            for (const fmm::Piece &piece : p->stages->records[thread].pieces) {
                std::fprintf(
                    to,
                    "%s{\"name\": \"%s\", \"ph\": \"X\", \"pid\": 1, \"tid\": %zu, \"ts\": %.3f, \"dur\": %.3f,"
                    " \"args\": {\"count\": %d}}",
                    between, STAGES[piece.stage], thread, (piece.begin - p->began) * 1e6, piece.seconds * 1e6,
                    piece.count);
                between = ",\n";
            }
        }
        std::fputs("\n]}\n", to);
        bool failed = std::ferror(to) != 0;
        if (std::fclose(to) != 0 || failed)
            fail("%s could not be written whole: %m", file);
    });
}

const char *fmm_stage_name(fmm_stage stage)
{
    return STAGES[stage];
}

const char *fmm_model_name(fmm_model model)
{
    return MODELS[model];
}
