// The intrinsics of x86 compile beside UPC
#if defined __x86_64__
#include <immintrin.h>
#endif
shared int x;
#if defined __x86_64__
int f(void)
{
    __m128i v = _mm_set1_epi32(x);
    v = _mm_add_epi32(v, _mm_set1_epi32((int)x));
    return _mm_cvtsi128_si32(v);
}
#endif
