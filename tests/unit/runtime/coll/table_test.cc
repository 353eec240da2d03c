#include "coll/table.h"

#include "coll/plan.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include <sys/resource.h>

namespace {

std::string table_with(const std::string& rules)
{
    return R"({"schema": "banyan-collectives-1", "machine": "here", "date": "2026-01-31", "rules": {)" + rules + "}}";
}

bn_conditions conditions_of(size_t nbytes, int members, bn_sync mode)
{
    return {nbytes, mode, mode, members, 2, 1, 1, members, BN_REACH_MAPPED};
}

// The message when a table is refused
std::string refusal(const std::string& text)
{
    bn_table* table = nullptr;
    testing::internal::CaptureStderr();
    EXPECT_EQ(bn_table_parse(text.c_str(), "file", nullptr, &table), BN_ERR_INVALID) << text;
    EXPECT_EQ(table, nullptr);
    return testing::internal::GetCapturedStderr();
}

TEST(Table, GoesBeforeTheBuiltInRules)
{
    bn_table* table = nullptr;
    std::string text = table_with(R"("broadcast": [{"max_bytes": 4096, "min_members": 3, "max_members": 8,
        "sync": ["my,my", "no,my"], "entry": "push/binomial.binomial.flat/whole", "evidence": "measured"}])");
    ASSERT_EQ(bn_table_parse(text.c_str(), "file", "here", &table), BN_OK);
    const char* origin;
    struct {
        bn_conditions conditions;
        bool is_from_table;
    } const cases[] = {
        {conditions_of(4096, 3, BN_SYNC_MY), true},  {conditions_of(8192, 3, BN_SYNC_MY), false},
        {conditions_of(4096, 2, BN_SYNC_MY), false}, {conditions_of(4096, 8, BN_SYNC_MY), true},
        {conditions_of(4096, 9, BN_SYNC_MY), false}, {conditions_of(4096, 3, BN_SYNC_ALL), false},
    };
    for (const auto& one : cases) {
        const bn_rule* rule = bn_plan_rule(table, BN_BROADCAST, &one.conditions, nullptr, &origin);
        ASSERT_NE(rule, nullptr);
        EXPECT_EQ(std::string(origin), one.is_from_table ? "file" : "built in");
        EXPECT_EQ(std::string(rule->entry) == "push/binomial.binomial.flat/whole", one.is_from_table);
    }
    bn_conditions any = conditions_of(8, 4, BN_SYNC_ALL);
    EXPECT_STREQ(bn_plan_rule(table, BN_SCATTER, &any, nullptr, &origin)->entry, "pull/flat/whole");
    bn_table_destroy(table);
}

TEST(Table, TheLastEvidenceCounts)
{
    bn_table* table = nullptr;
    const std::string text =
        table_with(R"("gather": [{"evidence": "first", "entry": "push/flat/whole", "evidence": "second"}])");
    ASSERT_EQ(bn_table_parse(text.c_str(), "file", "here", &table), BN_OK);
    EXPECT_STREQ(table->rules[BN_GATHER].rules[0].evidence, "second");
    bn_table_destroy(table);
}

// A way whose room is shared by the blocks of all members: the rule holds if they fit.
TEST(Table, RulesForWhatFitsIntoARoomDependOnTheMembers)
{
    bn_table* table = nullptr;
    std::string text = table_with(R"("exchange": [{"entry": "pull/flat/room", "evidence": "measured"}])");
    ASSERT_EQ(bn_table_parse(text.c_str(), "file", "here", &table), BN_OK);
    const char* origin;
    for (int members : {2, 4, 8}) {
        for (size_t nbytes : {size_t{BN_TEAM_ROOM_BYTES} / 4, size_t{BN_TEAM_ROOM_BYTES} / 2}) {
            bn_conditions conditions = conditions_of(nbytes, members, BN_SYNC_ALL);
            EXPECT_STREQ(bn_plan_rule(table, BN_EXCHANGE, &conditions, nullptr, &origin)->entry,
                         nbytes * static_cast<size_t>(members) <= BN_TEAM_ROOM_BYTES ? "pull/flat/room"
                                                                                     : "pull/flat/whole");
        }
    }
    bn_table_destroy(table);
}

// A rule without a number of nodes is for one node; one with two numbers, for all between them.
TEST(Table, RulesAreForNodes)
{
    bn_table* table = nullptr;
    std::string text = table_with(R"("broadcast": [
        {"min_nodes": 3, "max_nodes": 4, "max_bytes": 64, "entry": "push-pull/binomial.flat/mail"},
        {"min_nodes": 2, "entry": "push-pull/binomial.flat/whole"},
        {"entry": "pull/chain/chunks"}],
        "gather": [{"max_nodes": 2, "entry": "push/flat/whole", "evidence": "measured"}])");
    ASSERT_EQ(bn_table_parse(text.c_str(), "file", "here", &table), BN_OK);
    auto entry = [&](bn_operation operation, size_t nbytes, int nodes) {
        const char* origin;
        bn_conditions conditions = conditions_of(nbytes, 8, BN_SYNC_ALL);
        conditions.node_count = nodes;
        conditions.largest_node = (8 + nodes - 1) / nodes;
        const bn_rule* rule = bn_plan_rule(table, operation, &conditions, nullptr, &origin);
        return std::string(origin) + " " + rule->entry;
    };
    EXPECT_EQ(entry(BN_BROADCAST, 64, 1), "file pull/chain/chunks");
    EXPECT_EQ(entry(BN_BROADCAST, 64, 2), "file push-pull/binomial.flat/whole");
    EXPECT_EQ(entry(BN_BROADCAST, 64, 3), "file push-pull/binomial.flat/mail");
    EXPECT_EQ(entry(BN_BROADCAST, 64, 4), "file push-pull/binomial.flat/mail");
    EXPECT_EQ(entry(BN_BROADCAST, 64, 5), "file push-pull/binomial.flat/whole");
    EXPECT_EQ(entry(BN_BROADCAST, 128, 4), "file push-pull/binomial.flat/whole");
    EXPECT_EQ(entry(BN_GATHER, 8, 1), "file push/flat/whole");
    EXPECT_EQ(entry(BN_GATHER, 8, 2), "file push/flat/whole");
    EXPECT_EQ(entry(BN_GATHER, 8, 3).substr(0, 8), "built in");
    bn_table_destroy(table);
}

TEST(Table, SizesStandInForDefaults)
{
    bn_table* table = nullptr;
    const char* origin;
    size_t usual = static_cast<size_t>(bn_option_describe(BN_OPTION_COLL_HALVES)->fallback);
    std::string text =
        R"({"schema": "banyan-collectives-1", "sizes": {"chunk_bytes": 12345, "later": 1}, "rules": {}})";
    bn_options options;
    char nothing[] = "HOME=/";
    char* environment[] = {nothing, nullptr};
    ASSERT_EQ(bn_options_read(&options, environment), BN_OK);
    bn_options_load(&options);
    ASSERT_EQ(bn_table_parse(text.c_str(), "file", nullptr, &table), BN_OK);
    EXPECT_EQ(bn_plan_size_bytes(table, BN_OPTION_COLL_CHUNK, &origin), 12345U);
    EXPECT_STREQ(origin, "file");
    EXPECT_EQ(bn_plan_size_bytes(table, BN_OPTION_COLL_HALVES, &origin), usual);
    EXPECT_STREQ(origin, "built in");
    EXPECT_EQ(bn_plan_size_bytes(nullptr, BN_OPTION_COLL_CHUNK, &origin), size_t{32} << 10);

    bn_options set = options;
    ASSERT_EQ(bn_options_set(&set, BN_OPTION_COLL_CHUNK, "4K", BN_OPTION_FROM_ENVIRONMENT, "BANYAN_COLL_CHUNK"), BN_OK);
    bn_options_load(&set);
    EXPECT_EQ(bn_plan_size_bytes(table, BN_OPTION_COLL_CHUNK, &origin), 4096U);
    EXPECT_STREQ(origin, "BANYAN_COLL_CHUNK");
    bn_options_load(&options);
    bn_table_destroy(table);
    EXPECT_NE(refusal(R"({"schema": "banyan-collectives-1", "sizes": {"chunk_bytes": 0}})").find("chunk_bytes"),
              std::string::npos);
}

struct Block {
    Block* next;
};

TEST(Table, WithoutMemoryNamesTheLimits)
{
#if defined(BN_HAS_ASAN) || defined(BN_HAS_TSAN)
    GTEST_SKIP() << "a sanitizer's malloc takes its memory elsewhere";
#endif
    bn_options options;
    char nothing[] = "HOME=/";
    char* environment[] = {nothing, nullptr};
    ASSERT_EQ(bn_options_read(&options, environment), BN_OK);
    bn_options asking = options;
    ASSERT_EQ(bn_options_set(&asking, BN_OPTION_COLL_TABLE, "table.json", BN_OPTION_FROM_SWITCH, "test"), BN_OK);
    bn_options_load(&asking);
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_DATA, &before), 0);
    rlimit little{4096, before.rlim_max};  // Linux takes 0 for none
    bn_table* table = nullptr;
    testing::internal::CaptureStderr();
    ASSERT_EQ(setrlimit(RLIMIT_DATA, &little), 0);
    Block* rest = nullptr;  // of what earlier tests have freed
    for (size_t bytes = size_t{1} << 16; bytes >= sizeof(Block);) {
        if (auto* block = static_cast<Block*>(malloc(bytes))) {
            block->next = rest;
            rest = block;
        } else {
            bytes /= 2;
        }
    }
    bn_status_t status = bn_table_load(&table, nullptr);
    while (rest != nullptr)
        free(std::exchange(rest, rest->next));
    ASSERT_EQ(setrlimit(RLIMIT_DATA, &before), 0);
    bn_options_load(&options);
    EXPECT_EQ(status, BN_ERR_MEMORY);
    EXPECT_NE(testing::internal::GetCapturedStderr().find("table.json; raise the limits of memory (ulimit -d"),
              std::string::npos);
}

TEST(Table, OfAnotherMachineIsNotUsed)
{
    bn_table* table = nullptr;
    EXPECT_EQ(bn_table_parse(table_with("").c_str(), "file", "elsewhere", &table), BN_UNSUPPORTED);
    EXPECT_EQ(table, nullptr);
}

TEST(Table, IsRefusedIfItAsksForWhatThereIsNot)
{
    EXPECT_NE(refusal(table_with(R"("broadcast": [{"entry": "pull/nothing"}])")).find("no such way: pull/nothing"),
              std::string::npos);
    EXPECT_NE(refusal(table_with(R"("broadcast": [{"entry": "pull/flat/room"}])")).find("more than can be carried by"),
              std::string::npos);
    EXPECT_NE(refusal(table_with(R"("broadcast": [{"max_bytes": 100, "entry": "pull/flat/whole"}])")).find("max_bytes"),
              std::string::npos);
    EXPECT_NE(refusal(table_with(R"("broadcast": [{"entry": "push-pull/flat/stage"}])")).find("no such way"),
              std::string::npos);
    EXPECT_NE(refusal(table_with(R"("broadcast": [{"max_bytes": 64, "entry": "push-pull/flat.flat/mail"}])"))
                  .find("min_nodes of 2 or more for push-pull/flat.flat/mail"),
              std::string::npos);
    EXPECT_NE(refusal(table_with(R"("gather": [{"min_nodes": 2, "crowded": 1, "entry": "push/flat/whole"}])"))
                  .find("cores may differ, has crowded"),
              std::string::npos);
    EXPECT_NE(refusal(table_with(R"("barrier": [{"min_nodes": 2, "entry": "tree"}])")).find("one kind of barrier"),
              std::string::npos);
    EXPECT_NE(refusal(table_with(R"("broadcast": [{"sync": ["my"], "entry": "pull/flat/whole"}])")).find("sync"),
              std::string::npos);
    EXPECT_NE(refusal(R"({"schema": "banyan-collectives-2", "rules": {}})").find("-1, but banyan-collectives-2; run"),
              std::string::npos);
    EXPECT_NE(refusal(R"({"rules": {}})").find("it names no schema; run"), std::string::npos);
    EXPECT_NE(refusal(table_with("").substr(0, 50)).find("not the JSON"), std::string::npos);
}

TEST(Table, BuiltInRulesNameEntriesThatManage)
{
    for (int operation = 0; operation < BN_OPERATION_COUNT; operation++) {
        const bn_rules* rules = bn_rules_default(static_cast<bn_operation>(operation));
        ASSERT_GT(rules->count, 0);
        for (int i = 0; i < rules->count; i++) {
            const bn_rule& rule = rules->rules[i];
            const bn_entry* entry = bn_registry_find(static_cast<bn_operation>(operation), rule.entry);
            ASSERT_NE(entry, nullptr) << rule.entry;
            if (entry->max_bytes != 0) {
                EXPECT_LE(rule.max_bytes - 1, entry->max_bytes - 1) << rule.entry;
            }
            if (entry->max_total_bytes != 0) {
                EXPECT_LE(rule.max_total_bytes - 1, entry->max_total_bytes - 1) << rule.entry;
            }
            EXPECT_EQ(rule.max_pairs_bytes, entry->max_pairs_bytes) << rule.entry;
            if (entry->needs_mail) {
                EXPECT_GE(rule.min_nodes, 2) << rule.entry;
            }
        }
        for (size_t nbytes : {size_t{1}, size_t{64}, size_t{1} << 30}) {
            for (int mode = 0; mode < BN_SYNC_COUNT; mode++) {
                bn_conditions conditions = conditions_of(nbytes, 5, static_cast<bn_sync>(mode));
                EXPECT_NE(bn_rules_find(rules, &conditions), nullptr);
            }
        }
    }
}

std::string chosen_over(bn_operation operation, int node_count)
{
    bn_conditions conditions = {8, BN_SYNC_MY, BN_SYNC_MY, 2 * node_count, 2, 1, node_count, 2, BN_REACH_MAPPED};
    return bn_rules_find(bn_rules_default(operation), &conditions)->entry;
}

// One message to each of few nodes, trees over many
TEST(Table, FewNodesAreServedByTheRoot)
{
    for (int node_count : {2, 8}) {
        EXPECT_EQ(chosen_over(BN_BROADCAST, node_count), "push-pull/flat.flat/mail");
        EXPECT_EQ(chosen_over(BN_REDUCE, node_count), "push-pull/flat.flat/whole");
        EXPECT_EQ(chosen_over(BN_REDUCE_ALL, node_count), "push-pull/flat.flat/whole");
    }
    EXPECT_EQ(chosen_over(BN_BROADCAST, 9), "push-pull/binomial.flat/mail");
    EXPECT_EQ(chosen_over(BN_REDUCE, 9), "push-pull/binomial.flat/whole");
    EXPECT_EQ(chosen_over(BN_REDUCE_ALL, 9), "push-pull/binomial.flat/whole");
}

// The choice for four nodes of four, and the size it can carry there
TEST(Table, SmallBlocksGoBetweenNodesByMail)
{
    bn_team team = {};
    team.size = 16;
    team.node_count = 4;
    team.largest_node = 4;
    const size_t blocks_of_all = BN_TEAM_MAIL_BYTES / 16;
    const struct {
        bn_operation operation;
        size_t most;
        const char* above;
    } expected[] = {{BN_BROADCAST, BN_TEAM_MAIL_BYTES, "push-pull/binomial.flat/chunks"},
                    {BN_SCATTER, BN_TEAM_MAIL_BYTES, "push/flat/whole"},
                    {BN_GATHER, 8 * blocks_of_all, "push/flat/whole"},
                    {BN_GATHER_ALL, 8 * blocks_of_all, "push-pull/nodes/whole"},
                    {BN_EXCHANGE, 4 * blocks_of_all, "push/nodes/whole"}};
    for (const auto& [operation, most, above] : expected) {
        for (size_t nbytes = 1; nbytes <= size_t{1} << 20; nbytes *= 2) {
            bn_conditions conditions = {nbytes, BN_SYNC_MY, BN_SYNC_MY, 16, 2, 1, 4, 4, BN_REACH_MAPPED};
            const bn_entry* entry =
                bn_registry_find(operation, bn_rules_find(bn_rules_default(operation), &conditions)->entry);
            size_t limit = bn_entry_limit(entry, &team);
            EXPECT_TRUE(limit == 0 || nbytes <= limit) << entry->name << ", " << nbytes;
            EXPECT_EQ(nbytes <= most, entry->fragments == BN_INLINE && entry->needs_mail)
                << entry->name << ", " << nbytes;
            if (nbytes == 2 * most) {
                EXPECT_STREQ(entry->name, above);
            }
        }
    }
    // All blocks of a node in one message, as long as its leader has room for it; then a message for each of its
    // members
    for (size_t nbytes : {size_t{1024}, size_t{2048}}) {
        bn_conditions conditions = {nbytes, BN_SYNC_MY, BN_SYNC_MY, 16, 2, 1, 4, 4, BN_REACH_MAPPED};
        EXPECT_STREQ(bn_rules_find(bn_rules_default(BN_EXCHANGE), &conditions)->entry,
                     nbytes == 1024 ? "push-pull/nodes/mail" : "push/nodes/mail");
    }
}

// Larger ones go from thread to thread, on any number of nodes.
TEST(Table, BlocksOfAnExchangeOfUpTo512KiBGoByNodes)
{
    for (int nodes : {2, 4}) {
        for (size_t nbytes : {size_t{256} << 10, size_t{512} << 10, (size_t{512} << 10) + 1, size_t{1} << 20}) {
            bn_conditions conditions = {nbytes, BN_SYNC_MY, BN_SYNC_MY, 4 * nodes, 2, 1, nodes, 4, BN_REACH_MAPPED};
            EXPECT_STREQ(bn_rules_find(bn_rules_default(BN_EXCHANGE), &conditions)->entry,
                         nbytes > 512 << 10 ? "push/flat/whole" : "push/nodes/whole");
        }
    }
}

// The way of a team on nodes of 64 without mail, and whether the table chose it
std::string chosen_without_mail(const bn_table* table, bn_operation operation, size_t nbytes, int node_count)
{
    bn_team team = {};
    team.size = 64 * node_count;
    team.node_count = node_count;
    team.largest_node = 64;
    const char* origin;
    bn_conditions conditions = {nbytes, BN_SYNC_MY, BN_SYNC_MY, team.size, 2, 1, node_count, 64, BN_REACH_MAPPED};
    const bn_rule* rule = bn_plan_rule(table, operation, &conditions, &team, &origin);
    EXPECT_TRUE(bn_entry_is_there(bn_registry_find(operation, rule->entry), &team)) << rule->entry;
    return (table ? std::string(origin) + ", " : "") + rule->entry;
}

// Rules for mail are skipped, but not the trees that follow them.
TEST(Table, TeamsWithoutMailTakeTrees)
{
    const std::string tree = "push/binomial.binomial.binomial/whole";
    for (int node_count : {17, 1024, 16384}) {
        for (size_t nbytes : {size_t{8}, size_t{65536}, size_t{1} << 20})
            EXPECT_EQ(chosen_without_mail(nullptr, BN_BROADCAST, nbytes, node_count), "push-pull/binomial.flat/chunks");
        EXPECT_EQ(chosen_without_mail(nullptr, BN_REDUCE, 8, node_count), tree);
        EXPECT_EQ(chosen_without_mail(nullptr, BN_REDUCE_ALL, 8, node_count), tree);
        EXPECT_EQ(chosen_without_mail(nullptr, BN_SCATTER, 512, node_count), tree);
        EXPECT_EQ(chosen_without_mail(nullptr, BN_SCATTER, 1024, node_count), "pull/flat/whole");
        EXPECT_EQ(chosen_without_mail(nullptr, BN_GATHER, 512, node_count), tree);
        EXPECT_EQ(chosen_without_mail(nullptr, BN_GATHER, 1024, node_count), "push/flat/whole");
        EXPECT_EQ(chosen_without_mail(nullptr, BN_GATHER_ALL, 8, node_count), "push-pull/nodes/whole");
        EXPECT_EQ(chosen_without_mail(nullptr, BN_EXCHANGE, 8, node_count), "push/flat/whole");
    }
}

TEST(Table, RulesForWaysThatATeamCannotGoArePassedOver)
{
    bn_table* table = nullptr;
    std::string text = table_with(R"("broadcast": [
        {"min_nodes": 2, "max_bytes": 64, "entry": "push-pull/flat.flat/mail"},
        {"min_nodes": 2, "max_nodes": 20, "entry": "pull/chain/chunks"}],
        "reduce": [{"min_nodes": 2, "entry": "push-pull/flat.flat/whole"}])");
    ASSERT_EQ(bn_table_parse(text.c_str(), "file", nullptr, &table), BN_OK);
    EXPECT_EQ(chosen_without_mail(table, BN_BROADCAST, 64, 20), "file, pull/chain/chunks");
    EXPECT_EQ(chosen_without_mail(table, BN_BROADCAST, 64, 21), "built in, push-pull/binomial.flat/chunks");
    EXPECT_EQ(chosen_without_mail(table, BN_REDUCE, 8, 20), "built in, push/binomial.binomial.binomial/whole");
    bn_table_destroy(table);
}

}  // namespace
