// The inner loops, in the compiler's vectors. The Makefile compiles this file for each set of instructions, with
// FMM_VECTOR_BYTES and the name FMM_ISA. It must include no header with inline functions, since the linker would keep
// any one version of these, perhaps one that the machine lacks the instructions for.
//
// BSD-3-Clause, the Banyan authors.
#include "kernels.h"

namespace fmm {
namespace {

template <typename T> struct Machine;
template <> struct Machine<double> {
    typedef double Vector __attribute__((vector_size(FMM_VECTOR_BYTES)));
    typedef long long Bits __attribute__((vector_size(FMM_VECTOR_BYTES)));
    // No more than 8 lanes: the siblings
    typedef double Siblings __attribute__((vector_size(FMM_VECTOR_BYTES)));
};
template <> struct Machine<float> {
    typedef float Vector __attribute__((vector_size(FMM_VECTOR_BYTES)));
    typedef int Bits __attribute__((vector_size(FMM_VECTOR_BYTES)));
    typedef float Siblings __attribute__((vector_size(FMM_VECTOR_BYTES < 32 ? FMM_VECTOR_BYTES : 32)));
};
template <typename T> using Vector = typename Machine<T>::Vector;
template <typename T> using Bits = typename Machine<T>::Bits;
template <typename T> constexpr int LANES = FMM_VECTOR_BYTES / static_cast<int>(sizeof(T));

template <typename V, typename T> inline V load(const T *from)
{
    V v;
    __builtin_memcpy(&v, from, sizeof v);
    return v;
}

template <typename V, typename T> inline void store(T *to, V v)
{
    __builtin_memcpy(to, &v, sizeof v);
}

// 1 / sqrt(x) to the last bit but one: a guess of the exponent, 3.5 % off at most, then two steps of higher order.
// Wrong for 0 and denormal numbers. The processor's own square root and division take longer than these 11 operations.
// The shift is of numbers without a sign, since AVX2 has no other of 64 bits.
inline Vector<double> inverse_root(Vector<double> x)
{
    typedef unsigned long long Unsigned __attribute__((vector_size(FMM_VECTOR_BYTES)));
    Vector<double> y = (Vector<double>)(0x5FE6EB50C7B537A9 - ((Unsigned)x >> 1));
    Vector<double> e = 1 - x * y * y;
    y += y * e * (0.5 + e * (0.375 + e * 0.3125));
    e = 1 - x * y * y;
    return y + y * e * (0.5 + e * 0.375);
}

inline Vector<float> inverse_root(Vector<float> x)
{
    Vector<float> y = (Vector<float>)(0x5F375A86 - ((Bits<float>)x >> 1));
    Vector<float> e = 1 - x * y * y;
    y += y * e * (0.5F + e * 0.375F);
    e = 1 - x * y * y;
    return y + y * e * 0.5F;
}

constexpr double SMALLEST_NORMAL(double)
{
    return 2.2250738585072014e-308;
}
constexpr float SMALLEST_NORMAL(float)
{
    return 1.17549435e-38F;
}

// exp(x) for x <= 0: 2^k times a polynomial on half of ln 2 to both sides of 0. What underflows is the smallest power.
inline Vector<double> exponential(Vector<double> x)
{
    constexpr double ROUND =
        6755399441055744.0; // 1.5 x 2^52: adding it leaves the nearest whole number in the low bits
    constexpr double LOWEST = -708;
    x = x < LOWEST ? Vector<double>{} + LOWEST : x;
    Vector<double> shifted = x * 1.4426950408889634 + ROUND;
    Vector<double> k = shifted - ROUND;
    Vector<double> r = x - k * 0.693147180369123816490 - k * 1.90821492927058770002e-10;
    Vector<double> p = Vector<double>{} + 1.0 / 479001600;
    const double factors[] = {1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720,
                              1.0 / 120,      1.0 / 24,      1.0 / 6,      0.5,         1,          1};
    for (double factor : factors)
        p = p * r + factor;
    Bits<double> power = ((Bits<double>)shifted + 1023) << 52;
    return p * (Vector<double>)power;
}

inline Vector<float> exponential(Vector<float> x)
{
    constexpr float ROUND = 12582912.0F;
    constexpr float LOWEST = -87;
    x = x < LOWEST ? Vector<float>{} + LOWEST : x;
    Vector<float> shifted = x * 1.44269504F + ROUND;
    Vector<float> k = shifted - ROUND;
    Vector<float> r = x - k * 0.693359375F + k * 2.12194440e-4F;
    Vector<float> p = Vector<float>{} + 1.0F / 5040;
    const float factors[] = {1.0F / 720, 1.0F / 120, 1.0F / 24, 1.0F / 6, 0.5F, 1, 1};
    for (float factor : factors)
        p = p * r + factor;
    Bits<float> power = ((Bits<float>)shifted + 127) << 23;
    return p * (Vector<float>)power;
}

enum Kernel { LAPLACE, YUKAWA };

// One source and as many targets as a vector has lanes
template <typename T, Kernel KERNEL, bool GRADIENT> struct Lanes {
    Vector<T> x, y, z, potential, gx, gy, gz;

    inline void act(T sx, T sy, T sz, T charge, T decay)
    {
        Vector<T> dx = x - sx, dy = y - sy, dz = z - sz;
        Vector<T> square = dx * dx + dy * dy + dz * dz;
        Bits<T> apart = square >= SMALLEST_NORMAL(T());
        Vector<T> inverse = (Vector<T>)((Bits<T>)inverse_root(square) & apart);
        Vector<T> value = inverse * charge, slope = inverse * inverse;
        if (KERNEL == YUKAWA) {
            Vector<T> exponent = square * inverse * decay;
            value *= exponential(-exponent);
            slope += slope * exponent;
        }
        potential += value;
        if (GRADIENT) {
            slope *= value;
            gx -= slope * dx;
            gy -= slope * dy;
            gz -= slope * dz;
        }
    }
};

// One vector of targets at a time: the sums of two do not fit the 16 registers of AVX2, and the next source's
// operations hide the latency of this one's.
template <typename T, Kernel KERNEL, bool GRADIENT>
void act_full(const T *x, const T *y, const T *z, const Points<T> &sources, T decay, const Sums<T> &sums)
{
    typedef Vector<T> V;
    Lanes<T, KERNEL, GRADIENT> lanes = {load<V>(x), load<V>(y), load<V>(z), {}, {}, {}, {}};
    for (long s = 0; s < sources.count; s++)
        lanes.act(sources.x[s], sources.y[s], sources.z[s], sources.charge[s], decay);
    auto add = [](T *to, V v) { store(to, load<V>(to) + v); };
    add(sums.potential, lanes.potential);
    if (GRADIENT) {
        add(sums.x, lanes.gx);
        add(sums.y, lanes.gy);
        add(sums.z, lanes.gz);
    }
}

template <typename T, Kernel KERNEL, bool GRADIENT>
void act(const Points<T> &targets, const Points<T> &sources, T decay, const Sums<T> &sums)
{
    constexpr int STEP = LANES<T>;
    long t = 0;
    for (; t + STEP <= targets.count; t += STEP) {
        Sums<T> here = {sums.potential + t, GRADIENT ? sums.x + t : nullptr, GRADIENT ? sums.y + t : nullptr,
                        GRADIENT ? sums.z + t : nullptr};
        act_full<T, KERNEL, GRADIENT>(targets.x + t, targets.y + t, targets.z + t, sources, decay, here);
    }
    if (t == targets.count)
        return;
    T x[STEP] = {}, y[STEP] = {}, z[STEP] = {}, potential[STEP] = {}, gx[STEP] = {}, gy[STEP] = {}, gz[STEP] = {};
    long rest = targets.count - t;
    for (long i = 0; i < rest; i++)
        x[i] = targets.x[t + i], y[i] = targets.y[t + i], z[i] = targets.z[t + i];
    act_full<T, KERNEL, GRADIENT>(x, y, z, sources, decay, {potential, gx, gy, gz});
    for (long i = 0; i < rest; i++) {
        sums.potential[t + i] += potential[i];
        if (GRADIENT)
            sums.x[t + i] += gx[i], sums.y[t + i] += gy[i], sums.z[t + i] += gz[i];
    }
}

template <typename T> void matrix_vector(long rows, long columns, const T *a, const T *x, T *y)
{
    typedef Vector<T> V;
    constexpr int W = LANES<T>, BLOCK = 16 / W > 0 ? 16 / W : 1;
    for (long row = 0; row < rows; row += BLOCK * W) {
        V even[BLOCK] = {}, odd[BLOCK] = {};
        const T *from = a + row;
        long column = 0;
        for (; column + 2 <= columns; column += 2, from += 2 * rows) {
            for (int b = 0; b < BLOCK; b++) {
                even[b] += load<V>(from + b * W) * x[column];
                odd[b] += load<V>(from + rows + b * W) * x[column + 1];
            }
        }
        for (int b = 0; b < BLOCK; b++) {
            if (column < columns)
                even[b] += load<V>(from + b * W) * x[column];
            store(y + row + b * W, load<V>(y + row + b * W) + even[b] + odd[b]);
        }
    }
}

// One frequency of PAIRS pairs, so that a column of the matrix is loaded once for all
template <typename T, int PAIRS> inline void v_product(const T *matrix, const T *const *from, T *const *to, long at)
{
    typedef typename Machine<T>::Siblings V;
    constexpr int W = sizeof(V) / sizeof(T), PARTS = SIBLINGS / W;
    V real[PAIRS][PARTS], imaginary[PAIRS][PARTS];
    for (int p = 0; p < PAIRS; p++) {
        for (int i = 0; i < PARTS; i++) {
            real[p][i] = load<V>(to[p] + at + i * W);
            imaginary[p][i] = load<V>(to[p] + at + SIBLINGS + i * W);
        }
    }
    for (int s = 0; s < SIBLINGS; s++) {
        for (int i = 0; i < PARTS; i++) {
            V re = load<V>(matrix + s * OCTET + i * W), im = load<V>(matrix + s * OCTET + SIBLINGS + i * W);
            for (int p = 0; p < PAIRS; p++) {
                T sr = from[p][at + s], si = from[p][at + SIBLINGS + s];
                real[p][i] += re * sr;
                real[p][i] -= im * si;
                imaginary[p][i] += re * si;
                imaginary[p][i] += im * sr;
            }
        }
    }
    for (int p = 0; p < PAIRS; p++) {
        for (int i = 0; i < PARTS; i++) {
            store(to[p] + at + i * W, real[p][i]);
            store(to[p] + at + SIBLINGS + i * W, imaginary[p][i]);
        }
    }
}

template <typename T>
void v_products(long frequencies, const T *matrices, long pairs, const T *const *from, T *const *to)
{
    long p = 0;
    for (; p + 2 <= pairs; p += 2) {
        for (long f = 0; f < frequencies; f++)
            v_product<T, 2>(matrices + f * MATRIX, from + p, to + p, f * OCTET);
    }
    for (; p < pairs; p++) {
        for (long f = 0; f < frequencies; f++)
            v_product<T, 1>(matrices + f * MATRIX, from + p, to + p, f * OCTET);
    }
}

#define STRING_OF(x) #x
#define NAME_OF(x) STRING_OF(x)
template <typename T>
constexpr Inner<T> INNER = {{act<T, LAPLACE, false>, act<T, LAPLACE, true>},
                            {act<T, YUKAWA, false>, act<T, YUKAWA, true>},
                            matrix_vector<T>,
                            v_products<T>,
                            NAME_OF(FMM_ISA)};
} // namespace

namespace FMM_ISA {
extern const Inner<double> in_double;
extern const Inner<float> in_float;
const Inner<double> in_double = INNER<double>;
const Inner<float> in_float = INNER<float>;
} // namespace FMM_ISA

} // namespace fmm
