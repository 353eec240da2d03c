#include "team/operators.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace {

template <class T>
T apply(banyan_op op, banyan_type type, T left, T right)
{
    // More than one, so that loops in vectors take part
    std::vector<T> a(19, left), b(19, right);
    bn_vector vector = {};
    bn_combine combine = bn_operator(op, type);
    EXPECT_NE(combine, nullptr);
    EXPECT_EQ(banyan_type_bytes(type), sizeof(T));
    combine(a.data(), b.data(), a.size(), &vector);
    for (const T& value : b)
        EXPECT_EQ(memcmp(&value, &b[0], sizeof value), 0);
    return b[0];
}

template <class T>
void check_integers(banyan_type type)
{
    const T least = std::numeric_limits<T>::min(), most = std::numeric_limits<T>::max();
    EXPECT_EQ(apply<T>(BANYAN_SUM, type, 3, 5), 8);
    EXPECT_EQ(apply<T>(BANYAN_SUM, type, most, 1), least);
    EXPECT_EQ(apply<T>(BANYAN_PROD, type, 7, 9), 63);
    EXPECT_EQ(apply<T>(BANYAN_MIN, type, least, most), least);
    EXPECT_EQ(apply<T>(BANYAN_MAX, type, most, least), most);
    EXPECT_EQ(apply<T>(BANYAN_BAND, type, 12, 10), 8);
    EXPECT_EQ(apply<T>(BANYAN_BOR, type, 12, 10), 14);
    EXPECT_EQ(apply<T>(BANYAN_BXOR, type, 12, 10), 6);
}

TEST(Operators, OfIntegers)
{
    check_integers<int8_t>(BANYAN_INT8);
    check_integers<int16_t>(BANYAN_INT16);
    check_integers<int32_t>(BANYAN_INT32);
    check_integers<int64_t>(BANYAN_INT64);
    check_integers<uint8_t>(BANYAN_UINT8);
    check_integers<uint16_t>(BANYAN_UINT16);
    check_integers<uint32_t>(BANYAN_UINT32);
    check_integers<uint64_t>(BANYAN_UINT64);
}

template <class T>
void check_floats(banyan_type type)
{
    const T nan = std::numeric_limits<T>::quiet_NaN();
    EXPECT_EQ(apply<T>(BANYAN_SUM, type, 1.5, 2), 3.5);
    EXPECT_EQ(apply<T>(BANYAN_PROD, type, 1.5, -2), -3);
    EXPECT_EQ(apply<T>(BANYAN_MIN, type, 1.5, -2), -2);
    EXPECT_EQ(apply<T>(BANYAN_MAX, type, 1.5, -2), 1.5);
    for (banyan_op op : {BANYAN_MIN, BANYAN_MAX}) {
        EXPECT_TRUE(std::isnan(apply<T>(op, type, nan, 1)));
        EXPECT_TRUE(std::isnan(apply<T>(op, type, 1, nan)));
    }
    EXPECT_EQ(bn_operator(BANYAN_BAND, type), nullptr);
}

TEST(Operators, OfFloats)
{
    check_floats<float>(BANYAN_FLOAT32);
    check_floats<double>(BANYAN_FLOAT64);
}

TEST(Operators, OfComplexNumbersAndTruthValues)
{
    using Complex = std::complex<float>;
    using Double = std::complex<double>;
    EXPECT_EQ(apply<Complex>(BANYAN_SUM, BANYAN_COMPLEX64, Complex(1, 2), Complex(3, 4)), Complex(4, 6));
    EXPECT_EQ(apply<Complex>(BANYAN_PROD, BANYAN_COMPLEX64, Complex(1, 2), Complex(3, 4)), Complex(-5, 10));
    EXPECT_EQ(apply<Double>(BANYAN_PROD, BANYAN_COMPLEX128, Double(1, 2), Double(3, 4)), Double(-5, 10));
    EXPECT_EQ(bn_operator(BANYAN_MIN, BANYAN_COMPLEX64), nullptr);
    EXPECT_EQ(apply<uint8_t>(BANYAN_SUM, BANYAN_BOOL, 1, 1), 1);
    EXPECT_EQ(apply<uint8_t>(BANYAN_PROD, BANYAN_BOOL, 1, 0), 0);
    EXPECT_EQ(apply<uint8_t>(BANYAN_BXOR, BANYAN_BOOL, 1, 1), 0);
}

// What IEEE 754 says of 16 bits, in doubles
double value_of_half(uint16_t half)
{
    int exponent = half >> 10 & 31, fraction = half & 1023;
    double size = exponent == 31  ? (fraction != 0 ? NAN : INFINITY)
                  : exponent == 0 ? std::ldexp(fraction, -24)
                                  : std::ldexp(1024 + fraction, exponent - 25);
    return half & 0x8000 ? -size : size;
}

// The half that lies nearest to a number; of two the even one
uint16_t nearest_half(double value)
{
    uint16_t sign = std::signbit(value) ? 0x8000 : 0, best = 0;
    double size = std::fabs(value), best_distance = INFINITY;
    if (size >= 65520)
        return sign | 0x7c00;
    for (uint32_t half = 0; half < 0x7c00; half++) {
        double distance = std::fabs(value_of_half(static_cast<uint16_t>(half)) - size);
        if (distance < best_distance || (distance == best_distance && half % 2 == 0)) {
            best = static_cast<uint16_t>(half);
            best_distance = distance;
        }
    }
    return sign | best;
}

TEST(Operators, HalvesPlusNothingAreWhatTheyWere)
{
    for (uint32_t bits = 0; bits < 65536; bits++) {
        uint16_t half = static_cast<uint16_t>(bits), zero = half & 0x8000;  // -0 + -0 is -0
        uint16_t sum = apply<uint16_t>(BANYAN_SUM, BANYAN_FLOAT16, half, zero);
        uint16_t wide = apply<uint16_t>(BANYAN_SUM, BANYAN_BFLOAT16, half, zero);
        if (std::isnan(value_of_half(half)))
            ASSERT_TRUE(std::isnan(value_of_half(sum))) << bits;
        else
            ASSERT_EQ(sum, half) << bits;
        if ((half & 0x7fff) > 0x7f80)
            ASSERT_GT(wide & 0x7fff, 0x7f80) << bits;
        else
            ASSERT_EQ(wide, half) << bits;
    }
}

TEST(Operators, SumsOfHalvesAreRoundedToTheNearest)
{
    uint32_t state = 12345;
    for (int i = 0; i < 400; i++) {
        state = state * 1664525 + 1013904223;
        uint16_t a = static_cast<uint16_t>(state >> 16) & 0xfbff;
        state = state * 1664525 + 1013904223;
        uint16_t b = i % 3 == 0 ? a ^ 0x8001 : static_cast<uint16_t>(state >> 16) & 0xfbff;
        // Their sum and product are exact in double.
        double sum = value_of_half(a) + value_of_half(b), product = value_of_half(a) * value_of_half(b);
        if (sum != 0) {
            ASSERT_EQ(apply<uint16_t>(BANYAN_SUM, BANYAN_FLOAT16, a, b), nearest_half(sum)) << a << " " << b;
        }
        ASSERT_EQ(apply<uint16_t>(BANYAN_PROD, BANYAN_FLOAT16, a, b), nearest_half(product)) << a << " " << b;
    }
    // 1 + 2^-8 is between two of 8 bits, the lower of which is even; 1 + 3 * 2^-8 is, and the upper one is.
    EXPECT_EQ(apply<uint16_t>(BANYAN_SUM, BANYAN_BFLOAT16, 0x3f80, 0x3b80), 0x3f80);
    EXPECT_EQ(apply<uint16_t>(BANYAN_SUM, BANYAN_BFLOAT16, 0x3f81, 0x3b80), 0x3f82);
}

}  // namespace
