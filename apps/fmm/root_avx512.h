// 1 / sqrt from AVX-512's 14-bit estimate and one step; included by kernels.cc. Wrong for 0.
//
// BSD-3-Clause, the Banyan authors.
#ifndef APPS_FMM_ROOT_AVX512_H
#define APPS_FMM_ROOT_AVX512_H

inline Vector<double> inverse_root(Vector<double> x)
{
    Vector<double> y = __builtin_ia32_rsqrt14pd512_mask(x, x, 0xFF);
    Vector<double> e = 1 - x * y * y;
    return y + y * e * (0.5 + e * (0.375 + e * 0.3125));
}

inline Vector<float> inverse_root(Vector<float> x)
{
    Vector<float> y = __builtin_ia32_rsqrt14ps512_mask(x, x, 0xFFFF);
    Vector<float> e = 1 - x * y * y;
    return y + y * e * 0.5F;
}

// Multiplications and additions
constexpr int ROOT_OPERATIONS(double)
{
    return 10;
}
constexpr int ROOT_OPERATIONS(float)
{
    return 6;
}

#endif
