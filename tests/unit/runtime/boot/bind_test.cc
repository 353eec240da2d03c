#include "boot/bind.h"

#include <gtest/gtest.h>
#include <memory>
#include <string>

namespace {

/* 2 regions x 2 cores x 2 hardware threads, numbered as Linux does: pu and pu+4 share a core */
std::unique_ptr<bn_bind_machine> eight_units()
{
    auto machine = std::make_unique<bn_bind_machine>();
    *machine = {};
    machine->place_count = 8;
    for (int i = 0; i < 8; ++i) {
        machine->places[i] = {.pu = i, .core = i % 4, .core_rank = i / 4, .numa = i % 4 / 2};
        bn_pu_set_add(&machine->usable, i);
    }
    return machine;
}

std::string plan(const bn_bind_machine& machine, bn_bind_choice choice, int count, int thread)
{
    bn_pu_set set;
    char text[100];
    bn_bind_plan(&machine, choice, count, thread, &set);
    bn_pu_set_format(&set, text, sizeof text);
    return text;
}

TEST(Bind, AutoBindsWhereAllCoresHaveAsManyThreads)
{
    EXPECT_EQ(bn_bind_resolve(BN_BIND_AUTO, 8, 1), BN_BIND_NONE);
    EXPECT_EQ(bn_bind_resolve(BN_BIND_AUTO, 8, 2), BN_BIND_CORE);
    EXPECT_EQ(bn_bind_resolve(BN_BIND_AUTO, 8, 8), BN_BIND_CORE);
    EXPECT_EQ(bn_bind_resolve(BN_BIND_AUTO, 8, 9), BN_BIND_NONE);
    EXPECT_EQ(bn_bind_resolve(BN_BIND_AUTO, 8, 16), BN_BIND_CORE);
    EXPECT_EQ(bn_bind_resolve(BN_BIND_AUTO, 8, 20), BN_BIND_NONE);
    EXPECT_EQ(bn_bind_resolve(BN_BIND_AUTO, 1, 3), BN_BIND_CORE);
    EXPECT_EQ(bn_bind_resolve(BN_BIND_NUMA, 8, 9), BN_BIND_NUMA);
    EXPECT_EQ(bn_bind_resolve(BN_BIND_CORE, 1, 9), BN_BIND_CORE);
    EXPECT_EQ(bn_bind_resolve(BN_BIND_NONE, 8, 2), BN_BIND_NONE);
}

TEST(Bind, CoresComeBeforeTheirSecondHardwareThreads)
{
    auto machine = eight_units();
    for (int thread = 0; thread < 8; ++thread)
        EXPECT_EQ(plan(*machine, BN_BIND_CORE, 8, thread), std::to_string(thread));
}

TEST(Bind, ThreadsBeyondTheCoresGoRoundAPlaceFurther)
{
    auto machine = eight_units();
    EXPECT_EQ(plan(*machine, BN_BIND_CORE, 10, 8), "1");
    EXPECT_EQ(plan(*machine, BN_BIND_CORE, 10, 9), "2");
    EXPECT_EQ(plan(*machine, BN_BIND_CORE, 16, 15), "0");
    EXPECT_EQ(plan(*machine, BN_BIND_CORE, 128, 64), "1");
    machine->place_count = 1;
    EXPECT_EQ(plan(*machine, BN_BIND_CORE, 4, 3), "0");
}

TEST(Bind, AllUnitsGetAsManyOfTheThreadsThatAStrideNames)
{
    auto machine = eight_units();
    machine->place_count = 2;
    for (int stride : {1, 2, 4, 8}) {
        int on_first = 0;
        for (int thread = 0; thread < 16; thread += stride)
            on_first += plan(*machine, BN_BIND_CORE, 16, thread) == "0";
        EXPECT_EQ(on_first, 16 / stride / 2) << stride;
    }
}

TEST(Bind, RegionsGetEqualGroups)
{
    auto machine = eight_units();
    EXPECT_EQ(plan(*machine, BN_BIND_NUMA, 4, 0), "0-1,4-5");
    EXPECT_EQ(plan(*machine, BN_BIND_NUMA, 4, 1), "0-1,4-5");
    EXPECT_EQ(plan(*machine, BN_BIND_NUMA, 4, 2), "2-3,6-7");
    EXPECT_EQ(plan(*machine, BN_BIND_NUMA, 3, 2), "2-3,6-7");
    EXPECT_EQ(plan(*machine, BN_BIND_NUMA, 1, 0), "0-1,4-5");
}

TEST(Bind, NoneLeavesTheMask)
{
    EXPECT_EQ(plan(*eight_units(), BN_BIND_NONE, 4, 3), "0-7");
}

}  // namespace
