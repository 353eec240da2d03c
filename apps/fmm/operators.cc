// Operators of a level: singular values by LAPACK, the V list's by FFTW; made in double, kept as T
//
// BSD-3-Clause, the Banyan authors.
#include "operators.h"

#include "caught.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fftw3.h>
#include <lapacke.h>
#include <limits>
#include <map>
#include <stdexcept>
#include <sys/mman.h>
#include <tuple>

extern "C" int openblas_get_num_threads() __attribute__((weak));

namespace fmm {

std::mutex planning;

namespace {

double kernel(double x, double y, double z, double decay)
{
    double r = std::sqrt(x * x + y * y + z * z);
    return r > 0 ? std::exp(-decay * r) / r : 0;
}

// Column by column, with `rows` numbers each: the potential at to[i] + shift of a charge at from[j]; zeros below
std::vector<double> potentials(const std::vector<double> &to, const std::vector<double> &from, const double *shift,
                               double decay, long rows)
{
    long n = static_cast<long>(to.size()) / 3;
    std::vector<double> matrix(at(rows * n));
#pragma omp parallel for
    for (long j = 0; j < n; j++) {
        for (long i = 0; i < n; i++) {
            double d[3];
            for (int k = 0; k < 3; k++)
                d[k] = to[at(3 * i + k)] + shift[k] - from[at(3 * j + k)];
            matrix[at(j * rows + i)] = kernel(d[0], d[1], d[2], decay);
        }
    }
    return matrix;
}

template <typename T> Buffer<T> as(const std::vector<double> &from)
{
    Buffer<T> to(from.size());
    for (std::size_t i = 0; i < from.size(); i++)
        to.data()[i] = static_cast<T>(from[i]);
    return to;
}

// OpenBLAS, if it provides LAPACK, requests 128 MiB for each of its threads, and retries for ever if there is no
// memory.
void check_memory_of_openblas()
{
    constexpr std::size_t EACH = 160UL << 20; // includes what LAPACK takes
    if (openblas_get_num_threads == nullptr)
        return;
    std::size_t bytes = EACH * at(openblas_get_num_threads());
    void *some = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (some == MAP_FAILED)
        throw std::bad_alloc();
    munmap(some, bytes);
}

// Let A = U S V' be the potentials of the inner surface on the outer one; its pseudo-inverse is V S^-1 U'. For the
// reverse direction the matrix is A', so U and V change places. Singular values below rounding errors are left out.
template <typename T> void make_inverses(const Surface &s, double decay, double half, Operators<T> &made)
{
    const double none[3] = {0, 0, 0};
    int n = s.points;
    auto a = potentials(s.around(OUTER_SIZE, half), s.around(INNER_SIZE, half), none, decay, n);
    std::vector<double> u(at(long{n} * n)), vt(at(long{n} * n)), sigma(at(n));
    check_memory_of_openblas();
    int fault = LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'A', n, n, a.data(), n, sigma.data(), u.data(), n, vt.data(), n);
    if (fault == LAPACK_WORK_MEMORY_ERROR || fault == LAPACK_TRANSPOSE_MEMORY_ERROR)
        throw std::bad_alloc();
    if (fault != 0)
        throw std::runtime_error("LAPACK found no singular values of an operator (dgesdd)");
    // Nor is one useful whose inverse overflows T: then the kernel decays to nothing within a cell.
    double least = std::max(4 * static_cast<double>(std::numeric_limits<T>::epsilon()) * sigma[0],
                            1e6 * static_cast<double>(std::numeric_limits<T>::min()));
    std::vector<double> up1(at(s.rows * n)), up2(up1), down1(up1), down2(up1);
    for (long i = 0; i < n; i++) {
        for (long j = 0; j < n; j++) {
            double inverse_j = sigma[at(j)] > least ? 1 / sigma[at(j)] : 0;
            up1[at(j * s.rows + i)] = u[at(i * n + j)];              // U'
            up2[at(j * s.rows + i)] = vt[at(i * n + j)] * inverse_j; // V S^-1
            down1[at(j * s.rows + i)] = vt[at(j * n + i)];           // V'
            down2[at(j * s.rows + i)] = u[at(j * n + i)] * inverse_j;
        }
    }
    made.up_first = as<T>(up1);
    made.up_second = as<T>(up2);
    made.down_first = as<T>(down1);
    made.down_second = as<T>(down2);
}

struct Transform {
    explicit Transform(int edge) : edge(edge)
    {
        std::vector<double> in(at(long{edge} * edge * edge));
        std::vector<fftw_complex> out(at(long{edge} * edge * (edge / 2 + 1)));
        std::lock_guard<std::mutex> lock(planning);
        plan = fftw_plan_dft_r2c_3d(edge, edge, edge, in.data(), out.data(), FFTW_ESTIMATE | FFTW_UNALIGNED);
        if (plan == nullptr)
            throw std::bad_alloc();
    }
    Transform(const Transform &) = delete;
    Transform &operator=(const Transform &) = delete;
    ~Transform()
    {
        std::lock_guard<std::mutex> lock(planning);
        fftw_destroy_plan(plan);
    }
    int edge;
    fftw_plan plan;
};

// Offsets of cells of one level that can be in each other's V list, from -3 to 3 in each direction
constexpr int REACH = 3, OFFSETS = 7 * 7 * 7;
int offset_index(const int *offset)
{
    return offset[0] + REACH + 7 * (offset[1] + REACH) + 49 * (offset[2] + REACH);
}
bool is_far(const int *offset)
{
    return std::abs(offset[0]) > 1 || std::abs(offset[1]) > 1 || std::abs(offset[2]) > 1;
}

// Transforms of the kernel between grids of two cells whose places, target minus source, differ by `offset` cells
std::vector<double> kernel_transforms(const Surface &s, double decay, double half, const Transform &transform)
{
    int edge = transform.edge;
    double spacing = 2 * INNER_SIZE * half / (s.order - 1);
    std::vector<double> all(at(2 * s.frequencies * OFFSETS));
    Caught caught;
#pragma omp parallel for schedule(dynamic, 4)
    for (int o = 0; o < OFFSETS; o++) {
        const int offset[3] = {o % 7 - REACH, o / 7 % 7 - REACH, o / 49 - REACH};
        if (!is_far(offset))
            continue;
        caught.in([&] {
            std::vector<double> grid(at(s.grid));
            for (long g = 0; g < s.grid; g++) {
                const long place[3] = {g / edge / edge, g / edge % edge, g % edge};
                double d[3];
                for (int k = 0; k < 3; k++) {
                    long steps = place[k] < s.order ? place[k] : place[k] - edge;
                    d[k] = offset[k] * 2 * half + static_cast<double>(steps) * spacing;
                }
                grid[at(g)] = kernel(d[0], d[1], d[2], decay) / static_cast<double>(s.grid);
            }
            fftw_execute_dft_r2c(transform.plan, grid.data(),
                                 reinterpret_cast<fftw_complex *>(&all[at(2 * s.frequencies * o)]));
        });
    }
    caught.again();
    return all;
}

template <typename T> Buffer<T> make_v(const Surface &s, double decay, double half)
{
    Transform transform(2 * s.order);
    std::vector<double> all = kernel_transforms(s, decay, half, transform);
    Buffer<T> v(at(DIRECTIONS * s.frequencies * MATRIX));
    for (int direction = 0, n = 0; n < 27; n++) {
        if (n == 13)
            continue;
        const int parent[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1}; // source minus target
        for (int pair = 0; pair < 64; pair++) {
            int target = pair % 8, source = pair / 8, offset[3];
            for (int k = 0; k < 3; k++)
                offset[k] = (target >> k & 1) - (source >> k & 1) - 2 * parent[k];
            const double *from = is_far(offset) ? &all[at(2 * s.frequencies * offset_index(offset))] : nullptr;
            T *to = v.data() + direction * s.frequencies * MATRIX + source * OCTET + target;
            for (long f = 0; f < s.frequencies; f++) {
                to[f * MATRIX] = from == nullptr ? T(0) : static_cast<T>(from[2 * f]);
                to[f * MATRIX + SIBLINGS] = from == nullptr ? T(0) : static_cast<T>(from[2 * f + 1]);
            }
        }
        direction++;
    }
    return v;
}

} // namespace

Surface::Surface(int order) : order(order), grid(8L * order * order * order)
{
    int edge = 2 * order;
    frequencies = long{edge} * edge * (order + 1);
    for (int i = 0; i < order; i++) {
        for (int j = 0; j < order; j++) {
            for (int k = 0; k < order; k++) {
                bool outer = i == 0 || j == 0 || k == 0 || i == order - 1 || j == order - 1 || k == order - 1;
                if (!outer)
                    continue;
                x.push_back(i);
                y.push_back(j);
                z.push_back(k);
                on_grid.push_back((i * edge + j) * edge + k);
            }
        }
    }
    points = static_cast<int>(x.size());
    rows = (points + 15) / 16 * 16;
}

std::vector<double> Surface::around(double size, double half) const
{
    std::vector<double> places;
    auto coordinate = [&](int i) { return size * half * (2.0 * i / (order - 1) - 1); };
    for (std::size_t i = 0; i < x.size(); i++) {
        places.insert(places.end(), {coordinate(x[i]), coordinate(y[i]), coordinate(z[i])});
    }
    return places;
}

template <typename T> Operators<T> make_operators(const Surface &s, double decay, int level, bool with_v)
{
    Operators<T> made;
    double half = std::ldexp(0.5, -level);
    make_inverses(s, decay, half, made);
    for (int c = 0; c < 8; c++) {
        double towards[3], away[3];
        for (int k = 0; k < 3; k++) {
            towards[k] = (c >> k & 1 ? 0.5 : -0.5) * half;
            away[k] = -towards[k];
        }
        auto inner = s.around(INNER_SIZE, half / 2), outer = s.around(OUTER_SIZE, half);
        made.from_child[c] = as<T>(potentials(outer, inner, away, decay, s.rows));
        made.to_child[c] = as<T>(potentials(inner, outer, towards, decay, s.rows));
    }
    if (with_v)
        made.v = make_v<T>(s, decay, half);
    return made;
}

template <typename T>
std::shared_ptr<const Operators<T>> shared_operators(const Surface &s, double decay, int level, bool with_v)
{
    static std::mutex making;
    static std::map<std::tuple<int, double, int, bool>, std::weak_ptr<const Operators<T>>> all;
    std::lock_guard<std::mutex> lock(making);
    auto &known = all[{s.order, decay, level, with_v}];
    std::shared_ptr<const Operators<T>> found = known.lock();
    if (found == nullptr)
        known = found = std::make_shared<const Operators<T>>(make_operators<T>(s, decay, level, with_v));
    return found;
}

template std::shared_ptr<const Operators<double>> shared_operators<double>(const Surface &, double, int, bool);
template std::shared_ptr<const Operators<float>> shared_operators<float>(const Surface &, double, int, bool);
template Operators<double> make_operators<double>(const Surface &, double, int, bool);
template Operators<float> make_operators<float>(const Surface &, double, int, bool);

} // namespace fmm
