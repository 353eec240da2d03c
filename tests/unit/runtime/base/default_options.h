// default_options.h: a program's options with their defaults, loaded into the process of a test.
#pragma once

#include "base/options.h"

#include <gtest/gtest.h>

inline void load_default_options()
{
    char* none[] = {nullptr};
    bn_options options;
    ASSERT_EQ(bn_options_read(&options, none), BN_OK);
    bn_options_load(&options);
}
