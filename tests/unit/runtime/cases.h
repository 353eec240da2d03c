// cases.h: the number of random calls in a test
#pragma once

#include <cstdlib>

// The value of BANYAN_TEST_CASES.  By default fewer under sanitizers, where each call takes several times as long; make
// check-long asks for all of them there, too.
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
