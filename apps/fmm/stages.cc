// The numerics of every stage, for double and float
//
// BSD-3-Clause, the Banyan authors.
#include "stages.h"

#include "operators.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fftw3.h>
#include <limits>
#include <mutex>
#include <omp.h>

namespace fmm {
namespace {

// FFTW's two interfaces, by type
template <typename T> struct Fourier;
template <> struct Fourier<double> {
    using Plan = fftw_plan;
    static constexpr auto plan_there = fftw_plan_guru_split_dft_r2c;
    static constexpr auto plan_back = fftw_plan_guru_split_dft_c2r;
    static constexpr auto there = fftw_execute_split_dft_r2c;
    static constexpr auto back = fftw_execute_split_dft_c2r;
    static constexpr auto destroy = fftw_destroy_plan;
    using Dimension = fftw_iodim;
};
template <> struct Fourier<float> {
    using Plan = fftwf_plan;
    static constexpr auto plan_there = fftwf_plan_guru_split_dft_r2c;
    static constexpr auto plan_back = fftwf_plan_guru_split_dft_c2r;
    static constexpr auto there = fftwf_execute_split_dft_r2c;
    static constexpr auto back = fftwf_execute_split_dft_c2r;
    static constexpr auto destroy = fftwf_destroy_plan;
    using Dimension = fftwf_iodim;
};

// Places of bodies or of a surface
template <typename T> struct Places {
    Buffer<T> x, y, z;
    Places() = default;
    explicit Places(long count) : x(at(count)), y(at(count)), z(at(count))
    {
    }
    Points<T> points(long first, long count, const T *charge = nullptr) const
    {
        return {x.data() + first, y.data() + first, z.data() + first, charge, count};
    }
};

// The number of cells that go up or down together
constexpr long BATCH = 8;

template <typename T> class StagesOf : public Stages {
  public:
    StagesOf(const fmm_options &options, const Surface &surface, Tree &&complete);
    ~StagesOf() override;
    StagesOf(const StagesOf &) = delete;
    StagesOf &operator=(const StagesOf &) = delete;
    void begin(const void *charges, bool gradients) override;
    void results(void *potentials, void *gradients) const override;
    void set_v_block(int block) override;
    int most_threads() const override
    {
        return static_cast<int>(scratch.size());
    }
    void set_body(long body, const double *place, double its_charge) override
    {
        T *const to[3] = {bodies.x.data(), bodies.y.data(), bodies.z.data()};
        for (int d = 0; d < 3; d++)
            to[d][body] = static_cast<T>((place[d] - tree.centre[d]) / tree.side);
        charge.data()[body] = static_cast<T>(its_charge);
    }
    void set_places(const T *places);
    void result(long body, double *result) const override;
    void clear_charges(long cell) override
    {
        std::fill_n(up_charges.data() + cell * s.points, s.points, T(0));
    }
    void clear_far_field(long cell) override
    {
        std::fill_n(far_field.data() + cell * s.points, s.points, T(0));
    }
    void add_charges(long cell, long count, const void *charges) override
    {
        T *to = up_charges.data() + cell * s.points;
        for (long i = 0; i < count * s.points; i++)
            to[i] += static_cast<const T *>(charges)[i];
    }
    const void *charges_of(long cell) const override
    {
        return up_charges.data() + cell * s.points;
    }
    long charges_bytes() const override
    {
        return s.points * static_cast<long>(sizeof(T));
    }

  private:
    // The buffers of a thread
    struct Scratch {
        Scratch(const Surface &s, long sources)
            : on_surface(s.points), sources(sources), charge(at(sources)), first(at(BATCH * s.rows)),
              second(at(BATCH * s.rows)), grids(at(SIBLINGS * s.grid))
        {
        }
        Places<T> on_surface, sources;
        Buffer<T> charge;        // of the sources
        Buffer<T> first, second; // of BATCH cells
        Buffer<T> grids;         // of 8 siblings
        Buffer<T> sums;          // [group of the block][frequency][OCTET]
        std::vector<const T *> from;
        std::vector<T *> to;
    };

    void work(fmm_stage stage, long begin, long end, int thread) override;
    void up(Scratch &my, long begin, long end);
    void transform(Scratch &my, long group);
    void far(Scratch &my, long begin, long end);
    void inverse(Scratch &my, long group, T *sums);
    void add_x(Scratch &my, long cell, T *potentials);
    void down(Scratch &my, long begin, long end);
    Points<T> gather(Scratch &my, std::int32_t leaf) const;
    void near(Scratch &my, long leaf);
    void finish(Scratch &my, long leaf);
    void make_all_operators();
    void make_plans();

    const Operators<T> &operators_at(int level) const
    {
        return *operators[at(kernel == FMM_LAPLACE ? 0 : level)];
    }
    // 1 / r is twice as large in a cell half as large: potentials on surfaces are stored as if their cells were the
    // root.
    T to_root(int level) const
    {
        return kernel == FMM_LAPLACE ? std::ldexp(T(1), -level) : T(1);
    }
    const Places<T> &place_surface(Scratch &my, const Cell &cell, double size);
    void act(const Points<T> &targets, const Points<T> &sources, const Sums<T> &sums, bool gradient) const
    {
        (kernel == FMM_LAPLACE ? inner_loops.laplace : inner_loops.yukawa)[gradient](targets, sources, decay, sums);
    }
    Sums<T> body_sums(long first) const
    {
        return {potential.data() + first, gradient.x.data() + first, gradient.y.data() + first,
                gradient.z.data() + first};
    }
    Points<T> bodies_of(const Cell &cell) const
    {
        return bodies.points(cell.first, cell.count, charge.data() + cell.first);
    }
    void solve(Scratch &my, const Buffer<T> &first, const Buffer<T> &second, long count, const T *const *potentials,
               T *const *charges);

    const Inner<T> &inner_loops = inner<T>();
    const fmm_kernel kernel;
    const Surface s;
    T decay;
    bool with_gradient = true;
    Places<T> bodies, gradient;
    Buffer<T> charge, potential;
    Buffer<T> up_charges, far_field; // [cell][points]; far_field holds potentials, from FMM_DOWN on charges
    Buffer<T> spectra;               // [group][frequency][OCTET]
    std::vector<std::shared_ptr<const Operators<T>>> operators;
    std::vector<Scratch> scratch;
    std::vector<T> unit_x, unit_y, unit_z; // a surface around 0, of size 1 and half width 1
    typename Fourier<T>::Plan there{}, back{};
};

template <typename T>
StagesOf<T>::StagesOf(const fmm_options &options, const Surface &surface_, Tree &&complete)
    : kernel(options.kernel), s(surface_)
{
    tree = std::move(complete);
    decay = kernel == FMM_LAPLACE ? T(0) : static_cast<T>(tree.side / options.length);
    long count = tree.cells[0].count;
    bodies = Places<T>(count);
    gradient = Places<T>(count);
    charge = Buffer<T>(at(count));
    potential = Buffer<T>(at(count));
    find_groups();
    long cells = static_cast<long>(tree.cells.size());
    up_charges = Buffer<T>(at(cells * s.points));
    far_field = Buffer<T>(at(cells * s.points));
    spectra = Buffer<T>(groups.size() * at(s.frequencies * OCTET));
    auto unit = s.around(1, 1);
    for (long i = 0; i < s.points; i++) {
        unit_x.push_back(static_cast<T>(unit[at(3 * i)]));
        unit_y.push_back(static_cast<T>(unit[at(3 * i + 1)]));
        unit_z.push_back(static_cast<T>(unit[at(3 * i + 2)]));
    }
    count_work();
    int threads = omp_get_max_threads();
    for (int t = 0; t < threads; t++)
        scratch.emplace_back(s, most_sources + MOST_LANES);
    records = std::vector<Record>(at(threads));
    make_all_operators();
    make_plans();
    set_v_block(options.v_block);
    v_products *= static_cast<double>(s.frequencies);
    surface = s.points;
    vectors = inner_loops.name;
    pair_operations = inner_loops.pair_operations;
}

template <typename T> StagesOf<T>::~StagesOf()
{
    std::lock_guard<std::mutex> lock(planning);
    if (there)
        Fourier<T>::destroy(there);
    if (back)
        Fourier<T>::destroy(back);
}

template <typename T> void StagesOf<T>::make_all_operators()
{
    if (tree.levels() <= FIRST_FAR_LEVEL)
        return;
    if (kernel == FMM_LAPLACE) {
        operators.push_back(shared_operators<T>(s, 0, 0, !groups.empty()));
        return;
    }
    for (int level = 0; level < tree.levels(); level++) {
        bool any = level > 0 && group_first[at(level) - 1] < group_first[at(level)];
        operators.push_back(level < FIRST_FAR_LEVEL ? nullptr
                                                    : shared_operators<T>(s, static_cast<double>(decay), level, any));
    }
}

// Real and imaginary parts go to the two halves of an octet, with siblings adjacent.
template <typename T> void StagesOf<T>::make_plans()
{
    if (groups.empty())
        return;
    using F = Fourier<T>;
    using D = typename F::Dimension;
    int edge = 2 * s.order, half = s.order + 1, grid = static_cast<int>(s.grid);
    const D in_to_out[3] = {{edge, edge * edge, edge * half * OCTET}, {edge, edge, half * OCTET}, {edge, 1, OCTET}};
    const D out_to_in[3] = {{edge, edge * half * OCTET, edge * edge}, {edge, half * OCTET, edge}, {edge, OCTET, 1}};
    std::lock_guard<std::mutex> lock(planning);
    const D siblings = {SIBLINGS, grid, 1}, siblings_back = {SIBLINGS, 1, grid};
    Buffer<T> octets(at(s.frequencies * OCTET));
    T *grids = scratch[0].grids.data(), *re = octets.data(), *im = re + SIBLINGS;
    there = F::plan_there(3, in_to_out, 1, &siblings, grids, re, im, FFTW_MEASURE);
    back = F::plan_back(3, out_to_in, 1, &siblings_back, re, im, grids, FFTW_MEASURE);
    if (!there || !back)
        throw std::bad_alloc();
}

template <typename T> void StagesOf<T>::set_v_block(int block)
{
    std::vector<Buffer<T>> sums;
    block = std::min(block, std::max(1, static_cast<int>(groups.size())));
    for (std::size_t t = 0; t < scratch.size(); t++)
        sums.emplace_back(at(block * s.frequencies * OCTET));
    for (std::size_t t = 0; t < scratch.size(); t++) {
        scratch[t].sums = std::move(sums[t]);
        scratch[t].from.resize(at(block));
        scratch[t].to.resize(at(block));
    }
}

template <typename T> void StagesOf<T>::set_places(const T *places)
{
#pragma omp parallel for
    for (long i = 0; i < static_cast<long>(tree.order.size()); i++) {
        const T *from = places + 3L * tree.order[at(i)];
        const double place[3] = {static_cast<double>(from[0]), static_cast<double>(from[1]),
                                 static_cast<double>(from[2])};
        set_body(i, place, 0);
    }
}

template <typename T> void StagesOf<T>::result(long body, double *result) const
{
    double side = tree.side;
    const T *const slopes[3] = {gradient.x.data(), gradient.y.data(), gradient.z.data()};
    result[0] = static_cast<double>(potential.data()[body]) / side;
    for (int d = 0; d < 3; d++)
        result[d + 1] = static_cast<double>(slopes[d][body]) / side / side;
}

template <typename T> void StagesOf<T>::begin(const void *charges, bool gradients)
{
    const T *given = static_cast<const T *>(charges);
    with_gradient = gradients;
#pragma omp parallel for
    for (long i = 0; i < static_cast<long>(tree.order.size()); i++) {
        charge.data()[i] = given[tree.order[at(i)]];
        potential.data()[i] = std::numeric_limits<T>::quiet_NaN(); // so that a leaf that was not computed is noticed
    }
#pragma omp parallel for
    for (long c = 0; c < static_cast<long>(tree.cells.size()); c++) {
        std::fill_n(far_field.data() + c * s.points, s.points, T(0));
    }
    records = std::vector<Record>(records.size());
}

template <typename T> void StagesOf<T>::results(void *potentials, void *gradients) const
{
    T *to = static_cast<T *>(potentials), *slopes = static_cast<T *>(gradients);
    T inverse = static_cast<T>(1 / tree.side);
#pragma omp parallel for
    for (long i = 0; i < static_cast<long>(tree.order.size()); i++) {
        long body = tree.order[at(i)];
        to[body] = potential.data()[i] * inverse;
        if (slopes == nullptr)
            continue;
        slopes[3 * body] = gradient.x.data()[i] * inverse * inverse;
        slopes[3 * body + 1] = gradient.y.data()[i] * inverse * inverse;
        slopes[3 * body + 2] = gradient.z.data()[i] * inverse * inverse;
    }
}

template <typename T> const Places<T> &StagesOf<T>::place_surface(Scratch &my, const Cell &cell, double size)
{
    Places<T> &places = my.on_surface;
    double width = std::ldexp(1.0, -cell.level);
    T reach = static_cast<T>(size * width / 2), centre[3];
    for (int d = 0; d < 3; d++)
        centre[d] = static_cast<T>((cell.place[d] + 0.5) * width - 0.5);
    for (long i = 0; i < s.points; i++) {
        places.x.data()[i] = centre[0] + reach * unit_x[at(i)];
        places.y.data()[i] = centre[1] + reach * unit_y[at(i)];
        places.z.data()[i] = centre[2] + reach * unit_z[at(i)];
    }
    return places;
}

// charges[i] = second first potentials[i], for at most BATCH cells, so that the matrices are loaded from memory once.
// `potentials` must not point into my.second; `charges` have `points` numbers.
template <typename T>
void StagesOf<T>::solve(Scratch &my, const Buffer<T> &first, const Buffer<T> &second, long count,
                        const T *const *potentials, T *const *charges)
{
    const T *between[BATCH];
    T *products[BATCH], *sums[BATCH];
    for (long i = 0; i < count; i++) {
        between[i] = products[i] = my.second.data() + i * s.rows;
        sums[i] = my.first.data() + i * s.rows;
    }
    std::fill_n(my.second.data(), count * s.rows, T(0));
    inner_loops.matrix_vectors(s.rows, s.points, first.data(), count, potentials, products);
    std::fill_n(my.first.data(), count * s.rows, T(0));
    inner_loops.matrix_vectors(s.rows, s.points, second.data(), count, between, sums);
    for (long i = 0; i < count; i++)
        std::copy_n(sums[i], s.points, charges[i]);
}

// At most BATCH cells of a level
template <typename T> void StagesOf<T>::up(Scratch &my, long begin, long end)
{
    const Operators<T> &o = operators_at(tree.cells[at(begin)].level);
    const T *checked[BATCH];
    T *charges[BATCH];
    std::fill_n(my.first.data(), (end - begin) * s.rows, T(0));
    for (long c = begin; c < end; c++) {
        const Cell &cell = tree.cells[at(c)];
        T *potentials = my.first.data() + (c - begin) * s.rows;
        checked[c - begin] = potentials;
        charges[c - begin] = up_charges.data() + c * s.points;
        if (!cell.leaf)
            continue;
        act(place_surface(my, cell, OUTER_SIZE).points(0, s.points), bodies_of(cell),
            {potentials, nullptr, nullptr, nullptr}, false);
        T factor = to_root(cell.level);
        for (long i = 0; i < s.points; i++)
            potentials[i] *= factor;
    }
    for (int k = 0; k < 8; k++) {
        const T *from[BATCH];
        T *to[BATCH];
        long count = 0;
        for (long c = begin; c < end; c++) {
            std::int32_t child = tree.cells[at(c)].child[k];
            if (child < 0)
                continue;
            from[count] = up_charges.data() + child * long{s.points};
            to[count++] = my.first.data() + (c - begin) * s.rows;
        }
        inner_loops.matrix_vectors(s.rows, s.points, o.from_child[k].data(), count, from, to);
    }
    solve(my, o.up_first, o.up_second, end - begin, checked, charges);
}

template <typename T> void StagesOf<T>::transform(Scratch &my, long g)
{
    const Cell &cell = tree.cells[at(groups[at(g)].cell)];
    T *grids = my.grids.data();
    std::fill_n(grids, SIBLINGS * s.grid, T(0));
    for (int k = 0; k < SIBLINGS; k++) {
        if (cell.child[k] < 0)
            continue;
        const T *charges = up_charges.data() + cell.child[k] * long{s.points};
        for (long i = 0; i < s.points; i++)
            grids[k * s.grid + s.on_grid[at(i)]] = charges[i];
    }
    T *spectrum = spectra.data() + g * s.frequencies * OCTET;
    Fourier<T>::there(there, grids, spectrum, spectrum + SIBLINGS);
}

// A few frequencies at a time, so that the matrices of a direction stay in the cache for all groups of the block
template <typename T> void StagesOf<T>::far(Scratch &my, long begin, long end)
{
    constexpr long STEP = 8;
    const T *v = operators_at(tree.cells[at(groups[at(begin)].cell)].level + 1).v.data();
    long size = s.frequencies * OCTET;
    std::fill_n(my.sums.data(), (end - begin) * size, T(0));
    for (long f = 0; f < s.frequencies; f += STEP) {
        long step = std::min(STEP, s.frequencies - f);
        for (long direction = 0; direction < DIRECTIONS; direction++) {
            long count = 0;
            for (long g = begin; g < end; g++) {
                std::int32_t source = groups[at(g)].sources[direction];
                if (source < 0)
                    continue;
                my.from[at(count)] = spectra.data() + source * size + f * OCTET;
                my.to[at(count++)] = my.sums.data() + (g - begin) * size + f * OCTET;
            }
            inner_loops.v_products(step, v + (direction * s.frequencies + f) * MATRIX, count, my.from.data(),
                                   my.to.data());
        }
    }
    for (long g = begin; g < end; g++)
        inverse(my, g, my.sums.data() + (g - begin) * size);
}

template <typename T> void StagesOf<T>::inverse(Scratch &my, long g, T *sums)
{
    const Cell &cell = tree.cells[at(groups[at(g)].cell)];
    T *grids = my.grids.data();
    Fourier<T>::back(back, sums, sums + SIBLINGS, grids);
    for (int k = 0; k < SIBLINGS; k++) {
        if (cell.child[k] < 0)
            continue;
        T *potentials = far_field.data() + cell.child[k] * long{s.points};
        for (long i = 0; i < s.points; i++)
            potentials[i] += grids[k * s.grid + s.on_grid[at(i)]];
    }
}

// Adds the action of the X list on the inner surface of a cell
template <typename T> void StagesOf<T>::add_x(Scratch &my, long c, T *potentials)
{
    if (tree.x.begin(c) == tree.x.end(c))
        return;
    const Cell &cell = tree.cells[at(c)];
    const Places<T> &places = place_surface(my, cell, INNER_SIZE);
    for (const std::int32_t *x = tree.x.begin(c); x != tree.x.end(c); x++)
        act(places.points(0, s.points), bodies_of(tree.cells[at(*x)]), {potentials, nullptr, nullptr, nullptr}, false);
    T factor = to_root(cell.level);
    for (long i = 0; i < s.points; i++)
        potentials[i] *= factor;
}

// At most BATCH cells of a level
template <typename T> void StagesOf<T>::down(Scratch &my, long begin, long end)
{
    int level = tree.cells[at(begin)].level;
    const T *checked[BATCH];
    T *charges[BATCH];
    std::fill_n(my.first.data(), (end - begin) * s.rows, T(0));
    for (long c = begin; c < end; c++) {
        checked[c - begin] = charges[c - begin] = far_field.data() + c * s.points;
        add_x(my, c, my.first.data() + (c - begin) * s.rows);
    }
    std::fill_n(my.second.data(), (end - begin) * s.rows, T(0));
    for (int k = 0; k < 8 && level > FIRST_FAR_LEVEL; k++) {
        const T *from[BATCH];
        T *to[BATCH];
        long count = 0;
        for (long c = begin; c < end; c++) {
            std::int32_t parent = tree.cells[at(c)].parent;
            if (tree.cells[at(parent)].child[k] != c)
                continue;
            from[count] = far_field.data() + parent * long{s.points};
            to[count++] = my.second.data() + (c - begin) * s.rows;
        }
        inner_loops.matrix_vectors(s.rows, s.points, operators_at(level - 1).to_child[k].data(), count, from, to);
    }
    T factor = kernel == FMM_LAPLACE ? T(0.5) : T(1); // from the parent's root to the cell's
    for (long c = begin; c < end; c++) {
        const T *x = my.first.data() + (c - begin) * s.rows, *parents = my.second.data() + (c - begin) * s.rows;
        for (long i = 0; i < s.points; i++)
            charges[c - begin][i] += x[i] + parents[i] * factor;
    }
    const Operators<T> &o = operators_at(level);
    solve(my, o.down_first, o.down_second, end - begin, checked, charges);
}

// Copies all sources of the leaf into one array, so that vectors of them are full
template <typename T> Points<T> StagesOf<T>::gather(Scratch &my, std::int32_t leaf) const
{
    long count = 0;
    T *const to[4] = {my.sources.x.data(), my.sources.y.data(), my.sources.z.data(), my.charge.data()};
    for (const std::int32_t *u = tree.u.begin(leaf); u != tree.u.end(leaf);) {
        long first = tree.cells[at(*u)].first, end = first;
        for (; u != tree.u.end(leaf) && tree.cells[at(*u)].first == end; u++) // neighbours on the curve together
            end += tree.cells[at(*u)].count;
        Points<T> from = bodies.points(first, end - first, charge.data() + first);
        std::copy_n(from.x, from.count, to[0] + count);
        std::copy_n(from.y, from.count, to[1] + count);
        std::copy_n(from.z, from.count, to[2] + count);
        std::copy_n(from.charge, from.count, to[3] + count);
        count += from.count;
    }
    for (T *values : to)
        std::fill_n(values + count, MOST_LANES, T(0));
    return my.sources.points(0, count, my.charge.data());
}

template <typename T> void StagesOf<T>::near(Scratch &my, long l)
{
    std::int32_t leaf = tree.leaves[at(l)];
    const Cell &cell = tree.cells[at(leaf)];
    Sums<T> sums = body_sums(cell.first);
    for (T *to : {sums.potential, sums.x, sums.y, sums.z})
        std::fill_n(to, cell.count, T(0));
    (kernel == FMM_LAPLACE ? inner_loops.laplace_many
                           : inner_loops.yukawa_many)[with_gradient](bodies_of(cell), gather(my, leaf), decay, sums);
}

template <typename T> void StagesOf<T>::finish(Scratch &my, long l)
{
    std::int32_t leaf = tree.leaves[at(l)];
    const Cell &cell = tree.cells[at(leaf)];
    Sums<T> sums = body_sums(cell.first);
    for (const std::int32_t *w = tree.w.begin(leaf); w != tree.w.end(leaf); w++) {
        const Places<T> &places = place_surface(my, tree.cells[at(*w)], INNER_SIZE);
        act(bodies_of(cell), places.points(0, s.points, up_charges.data() + *w * long{s.points}), sums, with_gradient);
    }
    if (cell.level < FIRST_FAR_LEVEL)
        return;
    const Places<T> &places = place_surface(my, cell, OUTER_SIZE);
    act(bodies_of(cell), places.points(0, s.points, far_field.data() + leaf * long{s.points}), sums, with_gradient);
}

template <typename T> void StagesOf<T>::work(fmm_stage stage, long begin, long end, int thread)
{
    Scratch &my = scratch[at(thread)];
    long step = stage == FMM_UP || stage == FMM_DOWN ? BATCH : stage == FMM_V ? end - begin : 1;
    for (long i = begin; i < end; i += step) {
        switch (stage) {
        case FMM_UP: up(my, i, std::min(i + step, end)); break;
        case FMM_TRANSFORM: transform(my, i); break;
        case FMM_V: far(my, begin, end); break;
        case FMM_DOWN: down(my, i, std::min(i + step, end)); break;
        case FMM_U: near(my, i); break;
        default: finish(my, i); break;
        }
    }
}

template <typename T> std::unique_ptr<Stages> stages_of(const fmm_options &options, long count, const void *places)
{
    Surface surface(options.order);
    const T *from = static_cast<const T *>(places);
    auto made = std::make_unique<StagesOf<T>>(options, surface, make_tree(count, from, options.leaf, surface.points));
    made->set_places(from);
    return made;
}

} // namespace

std::unique_ptr<Stages> make_stages(const fmm_options &options, long count, const void *places)
{
    return options.precision == FMM_DOUBLE ? stages_of<double>(options, count, places)
                                           : stages_of<float>(options, count, places);
}

std::unique_ptr<Stages> make_stages(const fmm_options &options, Tree &&grown)
{
    Surface surface(options.order);
    find_neighbours(grown, surface.points);
    if (options.precision == FMM_DOUBLE)
        return std::make_unique<StagesOf<double>>(options, surface, std::move(grown));
    return std::make_unique<StagesOf<float>>(options, surface, std::move(grown));
}

} // namespace fmm
