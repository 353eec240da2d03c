// empty_reduction.h: a reduction that computes nothing, where only the transport of values matters.
#pragma once

#include "coll/operation.h"

namespace bn {

// What one member gives: a double
struct EmptyReduction {
    EmptyReduction() = default;
    EmptyReduction(const EmptyReduction&) = delete;  // fold points to value
    EmptyReduction& operator=(const EmptyReduction&) = delete;

    alignas(16) double value[2] = {1, 0};
    bn_fold fold = {value, true, false, sizeof(double), keep_left, 0, nullptr, BN_VALUE_DOUBLE, false};

private:
    static void keep_left(void*, const void*, const bn_fold*) {}
};

}  // namespace bn
