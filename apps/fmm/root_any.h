// 1 / sqrt with operations that all machines have; included by kernels.cc.
//
// BSD-3-Clause, the Banyan authors.
#ifndef APPS_FMM_ROOT_ANY_H
#define APPS_FMM_ROOT_ANY_H

// 1 / sqrt(x) with an error in the last bit only: a guess from the exponent, 3.5 % off at most, then two steps of
// higher order. Wrong for 0 and denormal numbers. The processor's own square root and division take longer than these
// 11 operations. The numbers that are shifted are unsigned, since AVX2 has no other 64-bit shift.
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

// Multiplications and additions
constexpr int ROOT_OPERATIONS(double)
{
    return 18;
}
constexpr int ROOT_OPERATIONS(float)
{
    return 14;
}

#endif
