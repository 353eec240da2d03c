#include "host/switches.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <string>

namespace {

const char* const kFile = R"(# two leaves and what is above them
SwitchName=leaf0 Nodes=n[0-3,8],login LinkSpeed=100
switchname=leaf1)"
                          "\t"
                          R"(nodes=n[04-07],r[1-2]c[0-9]   # keys in any case
SwitchName=top Switches=leaf[0-1]
Nodes=n9
)";

class Switches : public testing::Test {
protected:
    Switches() : path_(testing::TempDir() + "banyan-switches") { std::ofstream(path_) << kFile; }
    ~Switches() override { std::remove(path_.c_str()); }
    std::string by_file(const char* machine) const
    {
        char name[BN_SWITCH_NAME_BYTES];
        return bn_switch_by_file(path_.c_str(), machine, name) ? name : "none";
    }
    std::string path_;
};

TEST_F(Switches, AreReadFromAFile)
{
    EXPECT_EQ(by_file("n0"), "leaf0");
    EXPECT_EQ(by_file("n8"), "leaf0");
    EXPECT_EQ(by_file("login"), "leaf0");
    EXPECT_EQ(by_file("login.example.org"), "leaf0");
    EXPECT_EQ(by_file("n05"), "leaf1");
    EXPECT_EQ(by_file("r2c7"), "leaf1");
    for (const char* unknown : {"n4", "n9", "n00", "n", "logi", "login2", "r3c7", "r2c10", "leaf0", ""})
        EXPECT_EQ(by_file(unknown), "none") << unknown;
}

TEST_F(Switches, FileThatIsNotThereIsReported)
{
    char name[BN_SWITCH_NAME_BYTES];
    testing::internal::CaptureStderr();
    EXPECT_FALSE(bn_switch_by_file((path_ + "-no").c_str(), "n0", name));
    EXPECT_NE(testing::internal::GetCapturedStderr().find("BANYAN_MPI_SWITCHES"), std::string::npos);
}

TEST(SwitchLists, EndWhereTheyEnd)
{
    EXPECT_TRUE(bn_switches_list_has("a,b[1-2],c", "b2"));
    EXPECT_TRUE(bn_switches_list_has("n[1-20]", "n10"));
    EXPECT_TRUE(bn_switches_list_has("n[098-101]", "n100"));
    EXPECT_FALSE(bn_switches_list_has("n[098-101]", "n98"));
    EXPECT_FALSE(bn_switches_list_has("n[1-2", "n1"));
    EXPECT_FALSE(bn_switches_list_has("n[]", "n1"));
    EXPECT_FALSE(bn_switches_list_has("", "n1"));
}

std::string by_slurm(const char* address, const char* pattern)
{
    char name[BN_SWITCH_NAME_BYTES];
    return bn_switch_by_slurm(address, pattern, name) ? name : "none";
}

TEST(SwitchesOfSlurm, AreAllAboveTheMachine)
{
    EXPECT_EQ(by_slurm("s2.s0.n7", "switch.switch.node"), "s2.s0");
    EXPECT_EQ(by_slurm("s0.n7.example.org", "switch.node"), "s0");
    EXPECT_EQ(by_slurm("n7", "node"), "none");
    EXPECT_EQ(by_slurm("n7", "switch.node"), "none");
    EXPECT_EQ(by_slurm("s0.n7", "switch.board"), "none");
    EXPECT_EQ(by_slurm(nullptr, nullptr), "none");
}

}  // namespace
