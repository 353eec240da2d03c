#include "fmm/operators.h"

#include "bodies.h"
#include "fmm/index.h"

#include <cmath>
#include <gtest/gtest.h>
#include <map>

using fmm::at;
using fmm::Surface;

namespace {

double kernel(const double* a, const double* b, double decay)
{
    double r = std::sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
    return std::exp(-decay * r) / r;
}

// Potentials at `to` of charges at `from`
std::vector<double> potentials(const std::vector<double>& to, const std::vector<double>& from,
                               const std::vector<double>& charges, double decay)
{
    std::vector<double> sums(to.size() / 3);
    for (std::size_t i = 0; i < sums.size(); i++) {
        for (std::size_t j = 0; j < charges.size(); j++)
            sums[i] += charges[j] * kernel(&to[3 * i], &from[3 * j], decay);
    }
    return sums;
}

std::vector<double> times(const Surface& s, const fmm::Buffer<double>& matrix, const std::vector<double>& x)
{
    std::vector<double> y(at(s.rows));
    const double* from = x.data();
    double* to = y.data();
    fmm::inner<double>().matrix_vectors(s.rows, s.points, matrix.data(), 1, &from, &to);
    y.resize(at(s.points));
    return y;
}

double apart(const std::vector<double>& found, const std::vector<double>& right)
{
    double square = 0, norm = 0;
    for (std::size_t i = 0; i < right.size(); i++) {
        square += (found[i] - right[i]) * (found[i] - right[i]);
        norm += right[i] * right[i];
    }
    return std::sqrt(square / norm);
}

std::vector<double> moved(std::vector<double> places, double x, double y, double z)
{
    for (std::size_t i = 0; i < places.size(); i += 3) {
        places[i] += x;
        places[i + 1] += y;
        places[i + 2] += z;
    }
    return places;
}

// For a cell of level 2, a quarter wide
class Of : public testing::TestWithParam<double> {
protected:
    static constexpr int LEVEL = 2, ORDER = 4;
    static constexpr double WIDTH = 0.25, HALF = WIDTH / 2, ALLOWED = 1e-3;
    static std::vector<double> bodies_of_cell()
    {
        std::vector<double> places = numbers(3 * 20, 1);
        for (double& x : places)
            x *= HALF;
        return places;
    }
    const double decay = GetParam();
    const Surface s{ORDER};
    static const fmm::Operators<double>& made_once(double decay)
    {
        static std::map<double, fmm::Operators<double>> all;
        if (all.count(decay) == 0)
            all[decay] = fmm::make_operators<double>(Surface(ORDER), decay, LEVEL, true);
        return all[decay];
    }
    const fmm::Operators<double>& made = made_once(decay);
    const std::vector<double> inner = s.around(fmm::INNER_SIZE, HALF), outer = s.around(fmm::OUTER_SIZE, HALF);
    const std::vector<double> charges = numbers(20, 2);
};

TEST_P(Of, ChargesOnTheInnerSurfaceStandForBodiesInside)
{
    std::vector<double> bodies = bodies_of_cell(), far = moved(bodies, 2 * WIDTH, 0, -WIDTH);
    auto checked = potentials(outer, bodies, charges, decay);
    auto equivalent = times(s, made.up_second, times(s, made.up_first, checked));
    EXPECT_LT(apart(potentials(far, inner, equivalent, decay), potentials(far, bodies, charges, decay)), ALLOWED);
}

TEST_P(Of, ChargesOnTheOuterSurfaceStandForBodiesFarAway)
{
    std::vector<double> near = bodies_of_cell(), bodies = moved(near, 0, 2 * WIDTH, WIDTH);
    auto checked = potentials(inner, bodies, charges, decay);
    auto equivalent = times(s, made.down_second, times(s, made.down_first, checked));
    EXPECT_LT(apart(potentials(near, outer, equivalent, decay), potentials(near, bodies, charges, decay)), ALLOWED);
}

TEST_P(Of, ChildrenReachTheirParentAndBack)
{
    auto on_surface = numbers(s.points, 3);
    for (int child = 0; child < 8; child++) {
        double x[3];
        for (int d = 0; d < 3; d++)
            x[d] = (child >> d & 1 ? 0.5 : -0.5) * HALF;
        auto of_child = moved(s.around(fmm::INNER_SIZE, HALF / 2), x[0], x[1], x[2]);
        EXPECT_LT(apart(times(s, made.from_child[child], on_surface), potentials(outer, of_child, on_surface, decay)),
                  1e-13);
        EXPECT_LT(apart(times(s, made.to_child[child], on_surface), potentials(of_child, outer, on_surface, decay)),
                  1e-13);
    }
}

// The matrices of frequency 0 hold means of the kernel over the grid: positive for cells that are far, otherwise 0.
TEST_P(Of, FarListLeavesOutWhatTouches)
{
    int far = 0;
    for (int direction = 0, n = 0; n < 27; n++) {
        if (n == 13)
            continue;
        const int parent[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
        const double* matrix = made.v.data() + direction++ * s.frequencies * fmm::MATRIX;
        for (int source = 0; source < 8; source++) {
            for (int target = 0; target < 8; target++) {
                bool touches = true;
                for (int d = 0; d < 3; d++)
                    touches &= std::abs(2 * parent[d] + (source >> d & 1) - (target >> d & 1)) <= 1;
                double mean = matrix[source * fmm::OCTET + target];
                EXPECT_EQ(mean > 0, !touches) << n << " " << source << " " << target;
                far += !touches;
            }
        }
    }
    EXPECT_EQ(far, 8 * 189);
}

INSTANTIATE_TEST_SUITE_P(Operators, Of, testing::Values(0.0, 3.0),
                         [](const auto& info) { return info.param > 0 ? "Yukawa" : "Laplace"; });

// Its singular values are 1e-102, whose inverses overflow float.
TEST(Operators, AreFiniteWhereTheKernelDecaysWithinACell)
{
    Surface s(4);
    auto made = fmm::make_operators<float>(s, 1000, 2, false);
    for (const auto* matrix : {&made.up_first, &made.up_second, &made.down_first, &made.down_second}) {
        for (long i = 0; i < s.rows * s.points; i++)
            ASSERT_TRUE(std::isfinite(matrix->data()[i]));
    }
}

TEST(Surface, HasTheOuterPointsOfItsGrid)
{
    for (int order = 4; order <= 10; order++) {
        Surface s(order);
        int inside = order - 2;
        EXPECT_EQ(s.points, order * order * order - inside * inside * inside);
        EXPECT_EQ(s.rows % 16, 0);
        EXPECT_GE(s.rows, s.points);
        EXPECT_EQ(s.frequencies, 4L * order * order * (order + 1));
        for (std::size_t i = 0; i < s.x.size(); i++)
            EXPECT_EQ(s.on_grid[i], (s.x[i] * 2 * order + s.y[i]) * 2 * order + s.z[i]);
    }
}

}  // namespace
