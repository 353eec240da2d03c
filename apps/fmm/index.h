// BSD-3-Clause, the Banyan authors.
#ifndef APPS_FMM_INDEX_H
#define APPS_FMM_INDEX_H

#include <cstddef>

namespace fmm {

// Indices are signed, since differences of them are; std::vector wants unsigned ones.
constexpr std::size_t at(long i)
{
    return static_cast<std::size_t>(i);
}

} // namespace fmm
#endif
