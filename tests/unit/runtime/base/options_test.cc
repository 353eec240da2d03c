#include "base/options.h"

#include "base/log.h"

#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>

namespace {

/* Options read from an environment, and the messages meanwhile */
class Options : public testing::Test {
protected:
    bn_status_t read(std::vector<std::string> environment)
    {
        kept_ = std::move(environment);
        std::vector<char*> entries;
        for (std::string& entry : kept_)
            entries.push_back(entry.data());
        entries.push_back(nullptr);
        testing::internal::CaptureStderr();
        bn_status_t status = bn_options_read(&options_, entries.data());
        said_ = testing::internal::GetCapturedStderr();
        return status;
    }
    int64_t number(bn_option_id id) const { return options_.values[id].number; }

    bn_options options_;
    std::string said_;

private:
    std::vector<std::string> kept_;
};

TEST_F(Options, DefaultsWithoutEnvironment)
{
    EXPECT_EQ(read({"HOME=/root"}), BN_OK);
    EXPECT_EQ(said_, "");
    EXPECT_EQ(options_.values[BN_OPTION_THREADS].source, BN_OPTION_FROM_DEFAULT);
    EXPECT_EQ(number(BN_OPTION_BIND), BN_BIND_AUTO);
    EXPECT_EQ(number(BN_OPTION_LABEL), 0);
}

TEST_F(Options, ValuesAndTheirSource)
{
    EXPECT_EQ(read({"BANYAN_THREADS=12", "BANYAN_SHARED_HEAP=2G", "BANYAN_BIND=numa", "BANYAN_TIMEOUT=1.5"}), BN_OK);
    EXPECT_EQ(said_, "");
    EXPECT_EQ(number(BN_OPTION_THREADS), 12);
    EXPECT_EQ(number(BN_OPTION_SHARED_HEAP), int64_t{2} << 30);
    EXPECT_EQ(number(BN_OPTION_BIND), BN_BIND_NUMA);
    EXPECT_EQ(number(BN_OPTION_TIMEOUT), 1500000000);
    EXPECT_EQ(options_.values[BN_OPTION_BIND].source, BN_OPTION_FROM_ENVIRONMENT);
    EXPECT_STREQ(options_.values[BN_OPTION_BIND].source_name, "BANYAN_BIND");
}

TEST_F(Options, AliasOfOtherSystems)
{
    EXPECT_EQ(read({"UPC_SHARED_HEAP_SIZE=64MB", "UPC_QUIET="}), BN_OK);
    EXPECT_EQ(number(BN_OPTION_SHARED_HEAP), 64 << 20);
    EXPECT_EQ(number(BN_OPTION_QUIET), 1);
    EXPECT_STREQ(options_.values[BN_OPTION_SHARED_HEAP].source_name, "UPC_SHARED_HEAP_SIZE");
}

TEST_F(Options, OwnNameBeatsAliasInAnyOrder)
{
    EXPECT_EQ(read({"UPC_SHARED_HEAP_SIZE=64", "BANYAN_SHARED_HEAP=32"}), BN_OK);
    EXPECT_EQ(number(BN_OPTION_SHARED_HEAP), 32 << 20);
    EXPECT_EQ(read({"BANYAN_SHARED_HEAP=32", "UPC_SHARED_HEAP_SIZE=64"}), BN_OK);
    EXPECT_EQ(number(BN_OPTION_SHARED_HEAP), 32 << 20);
}

TEST_F(Options, UnknownVariablesAreWarnedAbout)
{
    EXPECT_EQ(read({"BANYAN_THRADS=2", "BANYAN_PARSLEY=1", "UPC_WHATEVER=1"}), BN_OK);
    EXPECT_NE(said_.find("BANYAN_THRADS is set, but there is no such option; did you mean BANYAN_THREADS?"),
              std::string::npos)
        << said_;
    EXPECT_NE(said_.find("BANYAN_PARSLEY is set, but there is no such option; see banyan-info"), std::string::npos)
        << said_;
    EXPECT_EQ(said_.find("UPC_WHATEVER"), std::string::npos);
}

TEST_F(Options, WrongValuesAreReportedWithWhatIsRight)
{
    EXPECT_EQ(read({"BANYAN_THREADS=0"}), BN_ERR_INVALID);
    EXPECT_EQ(said_, "banyan: BANYAN_THREADS: \"0\" is not a number from 1 to 1024\n");
    EXPECT_EQ(read({"BANYAN_THREADS=1025"}), BN_ERR_INVALID);
    EXPECT_EQ(read({"BANYAN_THREADS=many"}), BN_ERR_INVALID);
    EXPECT_EQ(read({"BANYAN_BIND=socket"}), BN_ERR_INVALID);
    EXPECT_EQ(said_, "banyan: BANYAN_BIND: \"socket\" is not one of auto|none|core|numa\n");
    EXPECT_EQ(read({"BANYAN_TIMEOUT=0"}), BN_ERR_INVALID);
    EXPECT_EQ(read({"BANYAN_SHARED_HEAP=100T"}), BN_ERR_INVALID);
    EXPECT_EQ(read({"BANYAN_LABEL=perhaps"}), BN_ERR_INVALID);
}

TEST_F(Options, WrongValueLeavesTheOldOne)
{
    EXPECT_EQ(read({"BANYAN_THREADS=3"}), BN_OK);
    testing::internal::CaptureStderr();
    EXPECT_EQ(bn_options_set(&options_, BN_OPTION_THREADS, "-5", BN_OPTION_FROM_SWITCH, "-n"), BN_ERR_INVALID);
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "banyan: -n: \"-5\" is not a number from 1 to 1024\n");
    EXPECT_EQ(number(BN_OPTION_THREADS), 3);
}

TEST_F(Options, EveryNameOfAnotherSystem)
{
    for (int id = 0; id < BN_OPTION_COUNT; ++id) {
        const struct bn_option* option = bn_option_describe(static_cast<bn_option_id>(id));
        for (const char* alias : {option->alias, option->second_alias}) {
            if (!alias)
                continue;
            std::string value = option->type == BN_OPTION_IS_BOOL ? "=1" : "=3";
            std::string own = std::string(option->name) + (option->type == BN_OPTION_IS_BOOL ? "=0" : "=2");
            EXPECT_EQ(read({(alias + value).c_str()}), BN_OK);
            EXPECT_STREQ(options_.values[id].source_name, alias);
            EXPECT_NE(options_.values[id].number, 0) << alias;
            int64_t by_alias = options_.values[id].number;
            for (auto& both : {std::pair{own, alias + value}, std::pair{alias + value, own}}) {
                EXPECT_EQ(read({both.first.c_str(), both.second.c_str()}), BN_OK);
                EXPECT_STREQ(options_.values[id].source_name, option->name) << both.first;
                EXPECT_NE(options_.values[id].number, by_alias) << alias;
            }
        }
    }
}

TEST_F(Options, FormattedValuesAreReadBack)
{
    EXPECT_EQ(read({"BANYAN_SHARED_HEAP=1.5G", "BANYAN_LABEL=on", "BANYAN_BIND=none", "BANYAN_THREADS=7"}), BN_OK);
    for (int id = 0; id < BN_OPTION_COUNT; ++id) {
        char size_text[BN_OPTION_SIZE_BYTES];
        const char* text = bn_option_text(&options_, static_cast<bn_option_id>(id), size_text);
        if (options_.values[id].source == BN_OPTION_FROM_DEFAULT)
            continue;
        bn_options again = options_;
        EXPECT_EQ(bn_options_set(&again, static_cast<bn_option_id>(id), text, BN_OPTION_FROM_SWITCH, "again"), BN_OK);
        EXPECT_EQ(again.values[id].number, options_.values[id].number) << text;
    }
}

TEST(OptionTable, RowsAreCompleteAndDistinct)
{
    std::set<std::string> names;
    for (int id = 0; id < BN_OPTION_COUNT; ++id) {
        const struct bn_option* option = bn_option_describe(static_cast<bn_option_id>(id));
        ASSERT_NE(option->name, nullptr) << id;
        EXPECT_EQ(std::string(option->name).rfind("BANYAN_", 0), 0u) << option->name;
        EXPECT_TRUE(names.insert(option->name).second) << option->name;
        EXPECT_TRUE(!option->alias || names.insert(option->alias).second) << option->alias;
        EXPECT_TRUE(!option->second_alias || (option->alias && names.insert(option->second_alias).second))
            << option->name;
        ASSERT_NE(option->help, nullptr) << option->name;
        ASSERT_NE(option->fallback_text, nullptr) << option->name;
        EXPECT_EQ(option->type == BN_OPTION_IS_CHOICE, option->choices != nullptr) << option->name;
    }
}

}  // namespace
