// Which of the compiled versions of kernels.cc this machine can run
//
// BSD-3-Clause, the Banyan authors.
#include "kernels.h"

namespace fmm {
namespace {

// A version for each precision
struct Both {
    const Inner<double> &in_double;
    const Inner<float> &in_float;
};
const Inner<double> &of(const Both &form, double)
{
    return form.in_double;
}
const Inner<float> &of(const Both &form, float)
{
    return form.in_float;
}

} // namespace

#define FORM(isa)                                                                                                      \
    namespace isa {                                                                                                    \
    extern const Inner<double> in_double;                                                                              \
    extern const Inner<float> in_float;                                                                                \
    static const Both both = {in_double, in_float};                                                                    \
    }

FORM(base)
#ifdef __x86_64__
FORM(avx2)
FORM(avx512)
#endif

template <typename T> const Inner<T> *form(int index)
{
    const Inner<T> *forms[3] = {};
    int count = 0;
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
        forms[count++] = &of(avx512::both, T());
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        forms[count++] = &of(avx2::both, T());
#endif
    forms[count++] = &of(base::both, T());
    return index < count ? forms[index] : nullptr;
}

template <typename T> const Inner<T> &inner()
{
    return *form<T>(0);
}

template const Inner<double> *form<double>(int);
template const Inner<float> *form<float>(int);
template const Inner<double> &inner<double>();
template const Inner<float> &inner<float>();

} // namespace fmm
