// cases.h: how many random calls there are in a test
#pragma once

#include <cstdlib>

// As many as BANYAN_TEST_CASES says.  Under sanitizers, where each takes several times as long, fewer; make
// check-long asks for all there, too.
inline long cases_wanted()
{
#if defined(BN_HAS_ASAN) || defined(BN_HAS_TSAN)
    constexpr long kUsual = 2000;
#else
    constexpr long kUsual = 5000;
#endif
    const char* text = getenv("BANYAN_TEST_CASES");
    return text ? atol(text) : kUsual;
}
