#include "fmm/kernels.h"

#include "bodies.h"
#include "fmm/index.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using fmm::at;
using fmm::Inner;

namespace {

template <typename T>
class Form : public testing::Test {
protected:
    // Calls `check` for each version that this machine can run
    template <typename Check>
    void each_form(const Check& check)
    {
        for (int i = 0; fmm::form<T>(i) != nullptr; i++) {
            SCOPED_TRACE(fmm::form<T>(i)->name);
            check(*fmm::form<T>(i));
        }
    }
    static std::vector<T> some(long count, std::uint64_t seed)
    {
        std::vector<double> made = numbers(count, seed);
        return std::vector<T>(made.begin(), made.end());
    }
    static constexpr double ROUNDING = 40 * static_cast<double>(std::numeric_limits<T>::epsilon());
};
using Types = testing::Types<double, float>;
TYPED_TEST_SUITE(Form, Types);

// The sums of the actions of `sources` at (x, y, z), in double, and of the absolute values of the terms
struct Right {
    double sums[4] = {}, sizes[4] = {};
    template <typename T>
    Right(const fmm::Points<T>& sources, T x, T y, T z, double decay)
    {
        for (long s = 0; s < sources.count; s++) {
            double d[3] = {static_cast<double>(x) - static_cast<double>(sources.x[s]),
                           static_cast<double>(y) - static_cast<double>(sources.y[s]),
                           static_cast<double>(z) - static_cast<double>(sources.z[s])};
            double r = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
            if (r == 0)
                continue;
            double value = static_cast<double>(sources.charge[s]) * std::exp(-decay * r) / r;
            add(0, value);
            for (int k = 0; k < 3; k++)
                add(k + 1, -value * (1 + decay * r) / r / r * d[k]);
        }
    }
    void add(int k, double value)
    {
        sums[k] += value;
        sizes[k] += std::abs(value);
    }
};

TYPED_TEST(Form, ActsAsTheFormulaSays)
{
    using T = TypeParam;
    constexpr long MOST = 37, ROOM = MOST + fmm::MOST_LANES;
    std::vector<T> s = this->some(4 * ROOM, 1), t = this->some(3 * 40, 2);
    for (int d = 0; d < 3; d++)
        t[at(40 * d + 3)] = s[at(ROOM * d + 5)];  // in the same place, so they do not act on each other
    this->each_form([&](const Inner<T>& inner) {
        for (long targets : {1, 2, 7, 16, 17, 33, 40}) {
            for (long sources : {0L, 1L, MOST}) {
                for (double decay : {0.0, 1.5}) {
                    for (int many_and_gradient = 0; many_and_gradient < 4; many_and_gradient++) {
                        bool gradient = many_and_gradient % 2 == 1, many = many_and_gradient >= 2;
                        // One more than will be written
                        std::vector<T> sums(at(4 * (targets + 1)), T(1)), charges(at(ROOM));
                        std::copy_n(&s[at(3 * ROOM)], sources, charges.begin());
                        T* to[4];
                        for (int k = 0; k < 4; k++)
                            to[k] = sums.data() + k * (targets + 1);
                        fmm::Points<T> from = {&s[0], &s[at(ROOM)], &s[at(2 * ROOM)], charges.data(), sources};
                        const auto& act = decay > 0 ? many ? inner.yukawa_many : inner.yukawa
                                          : many    ? inner.laplace_many
                                                    : inner.laplace;
                        act[gradient]({&t[0], &t[40], &t[80], nullptr, targets}, from, static_cast<T>(decay),
                                      {to[0], to[1], to[2], to[3]});
                        for (long i = 0; i <= targets; i++) {
                            Right right(from, t[at(i % 40)], t[at(40 + i % 40)], t[at(80 + i % 40)], decay);
                            for (int k = 0; k < 4; k++) {
                                bool written = i < targets && (k == 0 || gradient);
                                double size = written ? right.sizes[k] + 1 : 0;
                                EXPECT_NEAR(static_cast<double>(to[k][i]), 1 + (written ? right.sums[k] : 0),
                                            this->ROUNDING * size)
                                    << targets << " targets, " << sources << " sources, decay " << decay << ", "
                                    << (many ? "many, " : "") << "target " << i << ", number " << k;
                            }
                        }
                    }
                }
            }
        }
    });
}

// The approximation of 1 / sqrt is accurate to the last digits for all exponents that occur.
TYPED_TEST(Form, ActsOverAllDistances)
{
    using T = TypeParam;
    const T zero = 0, one = 1;
    int most = std::numeric_limits<T>::max_exponent / 2 - 2;
    this->each_form([&](const Inner<T>& inner) {
        for (int exponent = -most; exponent <= most; exponent++) {
            T x = std::ldexp(T(1.3), exponent), potential = 0;
            inner.laplace[0]({&x, &zero, &zero, nullptr, 1}, {&zero, &zero, &zero, &one, 1}, 0,
                             {&potential, nullptr, nullptr, nullptr});
            EXPECT_NEAR(static_cast<double>(potential * x), 1, this->ROUNDING / 10) << "2^" << exponent;
        }
    });
}

TYPED_TEST(Form, MultipliesMatrixAndVectors)
{
    using T = TypeParam;
    constexpr long MOST = 7;
    this->each_form([&](const Inner<T>& inner) {
        for (long rows : {16, 48}) {
            for (long columns : {1, 2, 7}) {
                std::vector<T> a = this->some(rows * columns, 3), x = this->some(MOST * columns, 4), alone;
                for (long count = 0; count <= MOST; count++) {
                    std::vector<T> y = this->some(MOST * rows, 5), before = y;
                    const T* from[MOST];
                    T* to[MOST];
                    for (long v = 0; v < MOST; v++) {
                        from[v] = &x[at(v * columns)];
                        to[v] = &y[at(v * rows)];
                    }
                    inner.matrix_vectors(rows, columns, a.data(), count, from, to);
                    for (long i = 0; i < MOST * rows; i++) {
                        double right = static_cast<double>(before[at(i)]);
                        for (long j = 0; j < columns && i < count * rows; j++)
                            right += static_cast<double>(a[at(j * rows + i % rows)]) *
                                     static_cast<double>(x[at(i / rows * columns + j)]);
                        EXPECT_NEAR(static_cast<double>(y[at(i)]), right, this->ROUNDING);
                    }
                    if (count == 1)
                        alone.assign(y.begin(), y.begin() + rows);
                    for (long i = 0; i < rows && count > 1; i++)
                        EXPECT_EQ(y[at(i)], alone[at(i)]) << "beside others";
                }
            }
        }
    });
}

TYPED_TEST(Form, MultipliesOctetsOfAFrequency)
{
    using T = TypeParam;
    constexpr long FREQUENCIES = 3, SIZE = FREQUENCIES * fmm::OCTET;
    std::vector<T> matrices = this->some(FREQUENCIES * fmm::MATRIX, 6);
    this->each_form([&](const Inner<T>& inner) {
        for (long pairs : {0, 1, 2, 5}) {
            std::vector<T> from = this->some(pairs * SIZE, 8), to = this->some(pairs * SIZE, 9), before = to;
            std::vector<const T*> sources;
            std::vector<T*> targets;
            for (long p = 0; p < pairs; p++) {
                sources.push_back(from.data() + p * SIZE);
                targets.push_back(to.data() + p * SIZE);
            }
            inner.v_products(FREQUENCIES, matrices.data(), pairs, sources.data(), targets.data());
            for (long i = 0; i < pairs * SIZE; i++) {
                long octet = i / fmm::OCTET, row = i % fmm::SIBLINGS;
                bool imaginary = i % fmm::OCTET >= fmm::SIBLINGS;
                double right = static_cast<double>(before[at(i)]);
                for (long s = 0; s < fmm::SIBLINGS; s++) {
                    const T* m = &matrices[at(octet % FREQUENCIES * fmm::MATRIX + s * fmm::OCTET + row)];
                    double mr = static_cast<double>(m[0]), mi = static_cast<double>(m[fmm::SIBLINGS]);
                    double fr = static_cast<double>(from[at(octet * fmm::OCTET + s)]);
                    double fi = static_cast<double>(from[at(octet * fmm::OCTET + fmm::SIBLINGS + s)]);
                    right += imaginary ? mr * fi + mi * fr : mr * fr - mi * fi;
                }
                EXPECT_NEAR(static_cast<double>(to[at(i)]), right, this->ROUNDING);
            }
        }
    });
}

}  // namespace
