// The inner loops, in the compiler's vector types. The Makefile compiles this file for each instruction set, with
// FMM_VECTOR_BYTES, FMM_TARGETS, the header FMM_ROOT and the name FMM_ISA. It must include no header with inline
// functions: the linker would keep any one version of these, possibly one with instructions that the machine lacks.
//
// BSD-3-Clause, the Banyan authors.
#include "kernels.h"

namespace fmm {
namespace {

template <typename T> struct Machine;
template <> struct Machine<double> {
    typedef double Vector __attribute__((vector_size(FMM_VECTOR_BYTES)));
    typedef long long Bits __attribute__((vector_size(FMM_VECTOR_BYTES)));
    // At most 8 lanes: the siblings
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

#include FMM_ROOT

constexpr double SMALLEST_NORMAL(double)
{
    return 2.2250738585072014e-308;
}
constexpr float SMALLEST_NORMAL(float)
{
    return 1.17549435e-38F;
}

// exp(x) for x <= 0: 2^k times a polynomial on an interval of length ln 2 around 0. Underflow gives the smallest power.
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

// Partial sums, one per vector lane
template <typename T, Kernel KERNEL, bool GRADIENT> struct Lanes {
    Vector<T> potential, gx, gy, gz;

    // Adds sources with these charges, at which the targets are displaced by (dx, dy, dz)
    template <typename Charge> inline void add(Vector<T> dx, Vector<T> dy, Vector<T> dz, Charge charge, T decay)
    {
        Vector<T> square = dx * dx + dy * dy + dz * dz;
        Vector<T> inverse = square >= SMALLEST_NORMAL(T()) ? inverse_root(square) : Vector<T>{};
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

// One vector of targets at a time: the sums of two do not fit into the 16 registers of AVX2, and the next source's
// operations hide the latency of this one's.
template <typename T, Kernel KERNEL, bool GRADIENT>
void act_full(const T *x, const T *y, const T *z, const Points<T> &sources, T decay, const Sums<T> &sums)
{
    typedef Vector<T> V;
    const V tx = load<V>(x), ty = load<V>(y), tz = load<V>(z);
    Lanes<T, KERNEL, GRADIENT> lanes = {};
    for (long s = 0; s < sources.count; s++)
        lanes.add(tx - sources.x[s], ty - sources.y[s], tz - sources.z[s], sources.charge[s], decay);
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

// Adds halves until one number is left.
template <int COUNT, typename T> inline T sum_of(const T *lanes)
{
    if constexpr (COUNT == 1) {
        return *lanes;
    } else {
        typedef T Half __attribute__((vector_size(COUNT / 2 * sizeof(T))));
        T halves[COUNT / 2];
        store(halves, load<Half>(lanes) + load<Half>(lanes + COUNT / 2));
        return sum_of<COUNT / 2>(halves);
    }
}

template <typename T> inline T sum_of(Vector<T> v)
{
    T lanes[LANES<T>];
    store(lanes, v);
    return sum_of<LANES<T>>(lanes);
}

// Uses vectors of sources, each of which is loaded once for TARGETS targets
template <typename T, Kernel KERNEL, bool GRADIENT, int TARGETS>
void act_on(const T *x, const T *y, const T *z, const Points<T> &sources, T decay, const Sums<T> &sums)
{
    typedef Vector<T> V;
    V tx[TARGETS], ty[TARGETS], tz[TARGETS];
    Lanes<T, KERNEL, GRADIENT> lanes[TARGETS] = {};
    for (int t = 0; t < TARGETS; t++)
        tx[t] = V{} + x[t], ty[t] = V{} + y[t], tz[t] = V{} + z[t];
    for (long s = 0; s < sources.count; s += LANES<T>) {
        V sx = load<V>(sources.x + s), sy = load<V>(sources.y + s), sz = load<V>(sources.z + s);
        V charge = load<V>(sources.charge + s);
        for (int t = 0; t < TARGETS; t++)
            lanes[t].add(tx[t] - sx, ty[t] - sy, tz[t] - sz, charge, decay);
    }
    for (int t = 0; t < TARGETS; t++) {
        sums.potential[t] += sum_of<T>(lanes[t].potential);
        if (GRADIENT) {
            sums.x[t] += sum_of<T>(lanes[t].gx);
            sums.y[t] += sum_of<T>(lanes[t].gy);
            sums.z[t] += sum_of<T>(lanes[t].gz);
        }
    }
}

template <typename T, Kernel KERNEL, bool GRADIENT>
void act_many(const Points<T> &targets, const Points<T> &sources, T decay, const Sums<T> &sums)
{
    long t = 0;
    auto here = [&] {
        return Sums<T>{sums.potential + t, GRADIENT ? sums.x + t : nullptr, GRADIENT ? sums.y + t : nullptr,
                       GRADIENT ? sums.z + t : nullptr};
    };
    for (; t + FMM_TARGETS <= targets.count; t += FMM_TARGETS)
        act_on<T, KERNEL, GRADIENT, FMM_TARGETS>(targets.x + t, targets.y + t, targets.z + t, sources, decay, here());
    for (; t < targets.count; t++)
        act_on<T, KERNEL, GRADIENT, 1>(targets.x + t, targets.y + t, targets.z + t, sources, decay, here());
}

// Each part of the matrix that is loaded is used for VECTORS vectors; PARTS vectors of rows, each in two sums
template <typename T, int VECTORS, int PARTS>
inline void matrix_part(long rows, long columns, const T *a, const T *const *x, T *const *y)
{
    typedef Vector<T> V;
    constexpr int W = LANES<T>;
    for (long row = 0; row < rows; row += PARTS * W) {
        V even[VECTORS][PARTS] = {}, odd[VECTORS][PARTS] = {};
        const T *from = a + row;
        long column = 0;
        for (; column + 2 <= columns; column += 2, from += 2 * rows) {
            for (int p = 0; p < PARTS; p++) {
                V first = load<V>(from + p * W), second = load<V>(from + rows + p * W);
                for (int v = 0; v < VECTORS; v++) {
                    even[v][p] += first * x[v][column];
                    odd[v][p] += second * x[v][column + 1];
                }
            }
        }
        for (int v = 0; v < VECTORS; v++) {
            for (int p = 0; p < PARTS; p++) {
                if (column < columns)
                    even[v][p] += load<V>(from + p * W) * x[v][column];
                T *to = y[v] + row + p * W;
                store(to, load<V>(to) + even[v][p] + odd[v][p]);
            }
        }
    }
}

template <typename T>
void matrix_vectors(long rows, long columns, const T *a, long count, const T *const *x, T *const *y)
{
    constexpr int STEP = 16 / LANES<T> > 0 ? 16 / LANES<T> : 1, HALF = STEP > 1 ? 2 : 1, VECTORS = 2 * FMM_TARGETS;
    long v = 0;
    for (; v + VECTORS <= count; v += VECTORS)
        matrix_part<T, VECTORS, HALF>(rows, columns, a, x + v, y + v);
    for (; v < count; v++)
        matrix_part<T, 1, STEP>(rows, columns, a, x + v, y + v);
}

// One frequency of PAIRS pairs, so that a column of the matrix is loaded once for all of them
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

// Ten independent chains: more than latency times number of units of any processor so far. Not an array, which the
// compiler would keep in memory.
template <typename T> T multiply_adds(long rounds)
{
    typedef Vector<T> V;
    const V f = V{} + T(0.999);
    V a = f, b = f + f, c = b + f, d = c + f, e = d + f, g = e + f, h = g + f, i = h + f, j = i + f, k = j + f;
    for (; rounds > 0; rounds--) {
        a = a * f + f, b = b * f + f, c = c * f + f, d = d * f + f, e = e * f + f;
        g = g * f + f, h = h * f + f, i = i * f + f, j = j * f + f, k = k * f + f;
    }
    return sum_of<T>(a + b + c + d + e + g + h + i + j + k);
}

#define STRING_OF(x) #x
#define NAME_OF(x) STRING_OF(x)
template <typename T>
constexpr Inner<T> INNER = {{act<T, LAPLACE, false>, act<T, LAPLACE, true>},
                            {act<T, YUKAWA, false>, act<T, YUKAWA, true>},
                            {act_many<T, LAPLACE, false>, act_many<T, LAPLACE, true>},
                            {act_many<T, YUKAWA, false>, act_many<T, YUKAWA, true>},
                            matrix_vectors<T>,
                            v_products<T>,
                            multiply_adds<T>,
                            LANES<T>,
                            18 + ROOT_OPERATIONS(T()),
                            NAME_OF(FMM_ISA)};
} // namespace

namespace FMM_ISA {
extern const Inner<double> in_double;
extern const Inner<float> in_float;
const Inner<double> in_double = INNER<double>;
const Inner<float> in_float = INNER<float>;
} // namespace FMM_ISA

} // namespace fmm
