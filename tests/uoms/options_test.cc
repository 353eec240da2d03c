// The command line, and what is derived from it before anything runs.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

extern "C" {
#include "one_thread.h"
#include "options.h"
#include "plan.h"
}

namespace {

// Options and message of the last parse; names point into `words`.
struct Parsed {
    std::vector<std::string> words;
    uoms_options options;
    std::string message;
    int status;
};

Parsed* parse(std::vector<std::string> words, int threads = 4)
{
    static auto& kept = *new std::vector<Parsed*>;  // kept until the process ends, since options point into them
    auto* parsed = new Parsed{std::move(words), {}, "", 0};
    kept.push_back(parsed);
    std::vector<char*> argv = {const_cast<char*>("uoms")};
    for (std::string& word : parsed->words)
        argv.push_back(word.data());
    char message[400] = "";
    parsed->status = uoms_options_parse(static_cast<int>(argv.size()), argv.data(), threads, &parsed->options, message,
                                        sizeof message);
    parsed->message = message;
    return parsed;
}

std::string file_with(const std::string& name, const std::string& text)
{
    std::string path = testing::TempDir() + "uoms-" + std::to_string(getpid()) + name;
    std::ofstream(path) << text;
    return path;
}

std::string plan_names(const Parsed& parsed)
{
    uoms_plan plan;
    char message[400] = "";
    if (uoms_plan_make(&parsed.options, &plan, message, sizeof message))
        return message;
    std::string names;
    for (size_t i = 0; i < plan.bench_count; i++)
        names += std::string(plan.benches[i]->operation) + " ";
    free(plan.benches);
    return names;
}

TEST(Sizes, WithAndWithoutUnits)
{
    const struct {
        const char* text;
        size_t bytes;
    } table[] = {{"4", 4},  {"64K", 65536},    {"64k", 65536}, {"1MB", 1048576}, {"2GiB", 2147483648u},
                 {"7B", 7}, {"1T", 1ull << 40}};
    for (const auto& row : table) {
        size_t bytes = 0;
        EXPECT_EQ(uoms_parse_size(row.text, &bytes), 0) << row.text;
        EXPECT_EQ(bytes, row.bytes) << row.text;
    }
    for (const char* wrong : {"", "K", "0", "-4", "4X", "4KX", "4 K", "99999999999T", "1e3", "4iB"}) {
        size_t bytes;
        EXPECT_NE(uoms_parse_size(wrong, &bytes), 0) << wrong;
    }
}

TEST(Globs, Match)
{
    EXPECT_TRUE(uoms_matches("upc_all_*", "upc_all_broadcast"));
    EXPECT_TRUE(uoms_matches("*", ""));
    EXPECT_TRUE(uoms_matches("a*b*c", "axxbyyc"));
    EXPECT_TRUE(uoms_matches("reduce[A-D]", "reduceC"));
    EXPECT_TRUE(uoms_matches("reduce[!A-C]", "reduceD"));
    EXPECT_TRUE(uoms_matches("?x", "ax"));
    EXPECT_FALSE(uoms_matches("reduce[A-C]", "reduceD"));
    EXPECT_FALSE(uoms_matches("upc_all", "upc_all_broadcast"));
    EXPECT_FALSE(uoms_matches("a*b", "axxc"));
    EXPECT_FALSE(uoms_matches("?", ""));
}

TEST(Options, Defaults)
{
    Parsed* parsed = parse({});
    ASSERT_EQ(parsed->status, 0) << parsed->message;
    const uoms_options& options = parsed->options;
    EXPECT_EQ(options.size_count, 23u);
    EXPECT_EQ(options.sizes[0], 4u);
    EXPECT_EQ(options.sizes[22], 16u << 20);
    EXPECT_EQ(options.cache, UOMS_HOT);
    EXPECT_EQ(options.sync, UOMS_SYNC_BARRIER);
    EXPECT_EQ(options.reduce_op, UOMS_ADD);
    EXPECT_TRUE(options.verify);
    EXPECT_FALSE(options.warmup);
    EXPECT_EQ(options.warmups, 0u);
    EXPECT_FALSE(options.discards_outliers);
    EXPECT_EQ(options.root, 0);
}

TEST(Options, OneOrTwoDashesEqualsOrBlank)
{
    for (const std::vector<std::string>& words : {std::vector<std::string>{"-minsize", "1K", "-maxsize", "4K"},
                                                  {"--minsize=1K", "--maxsize=4K"},
                                                  {"-minsize=1024", "--maxsize", "4096"}}) {
        Parsed* parsed = parse(words);
        ASSERT_EQ(parsed->status, 0) << parsed->message;
        EXPECT_EQ(parsed->options.size_count, 3u);
        EXPECT_EQ(parsed->options.sizes[0], 1024u);
    }
    EXPECT_EQ(parse({"-off-cache"})->options.cache, UOMS_COLD);
    EXPECT_EQ(parse({"-off_cache"})->options.cache, UOMS_COLD);
}

TEST(Options, AllNineSyncModes)
{
    const char* sides[] = {"ALLSYNC", "MYSYNC", "NOSYNC"};
    for (int in = 0; in < 3; in++) {
        for (int out = 0; out < 3; out++) {
            std::string full = std::string("UPC_IN_") + sides[in] + "|UPC_OUT_" + sides[out];
            for (const std::string& text : {full, std::string(sides[in]) + "_" + sides[out],
                                            "IN_" + std::string(sides[in]) + ",OUT_" + sides[out]}) {
                Parsed* parsed = parse({"-sync_mode", text});
                ASSERT_EQ(parsed->status, 0) << parsed->message;
                char name[64];
                uoms_sync_mode_name(&parsed->options, name, sizeof name);
                EXPECT_EQ(name, full) << text;
            }
        }
    }
}

TEST(Options, AllNineOperators)
{
    for (int op = 0; op < UOMS_OPERATORS; op++) {
        std::string name = uoms_operator_name(static_cast<uoms_operator>(op));
        EXPECT_EQ(parse({"-reduce_op", name})->options.reduce_op, op);
        EXPECT_EQ(parse({"-reduce_op", name.substr(4)})->options.reduce_op, op);
    }
}

TEST(Options, FilesOfSizesAndNames)
{
    std::string sizes = file_with("sizes", "# sizes\n100 2K\n\n3\n");
    std::string names = file_with("names", "upc_barrier  # and\nupc_all_reduce*\n");
    Parsed* parsed = parse({"-msglen", sizes, "-input", names, "broadcast"});
    ASSERT_EQ(parsed->status, 0) << parsed->message;
    ASSERT_EQ(parsed->options.size_count, 3u);
    EXPECT_EQ(parsed->options.sizes[1], 2048u);
    EXPECT_EQ(plan_names(*parsed), "barrier broadcast reduce_D reduce_I ");
    remove(sizes.c_str());
    remove(names.c_str());
}

TEST(Options, LinesOfFilesMayBeLong)
{
    std::string names = file_with("long", "upc_barrier # " + std::string(2000, 'x') + " nothing\n" +
                                              std::string(1020, ' ') + "broadcast\n");
    Parsed* parsed = parse({"-input", names});
    ASSERT_EQ(parsed->status, 0) << parsed->message;
    EXPECT_EQ(plan_names(*parsed), "barrier broadcast ");
    remove(names.c_str());
}

TEST(Options, PrecisionChangesBounds)
{
    Parsed* parsed = parse({"-precision", "2%"});
    EXPECT_DOUBLE_EQ(parsed->options.precision, 0.02);
    EXPECT_GT(parsed->options.repetitions, 1000u);
    EXPECT_DOUBLE_EQ(parse({"-precision=0.05"})->options.precision, 0.05);
    EXPECT_EQ(parse({"-precision=5%", "-repetitions=300"})->options.repetitions, 300u);
}

TEST(Options, WhatIsWrongIsNamed)
{
    const struct {
        std::vector<std::string> words;
        const char* message;
    } table[] = {
        {{"-bogus"}, "there is no option '-bogus'"},
        {{"-maxsize"}, "-maxsize needs a value"},
        {{"-maxsize", "3Q"}, "3Q: not a size"},
        {{"-minsize", "8K", "-maxsize", "4K"}, "larger than the largest"},
        {{"-help=yes"}, "-help takes no value"},
        {{"-reduce_op", "PLUS"}, "PLUS"},
        {{"-sync_mode", "ALLSYNC"}, "UPC_IN_X|UPC_OUT_Y"},
        {{"-sync_mode", "ALLSYNC|MYSYNC|NOSYNC"}, "UPC_IN_X|UPC_OUT_Y"},
        {{"-root", "4"}, "there are 4 threads, 0 to 3"},
        {{"-root", "first"}, "a thread's number, or rotate"},
        {{"-time", "0"}, "not a number of seconds"},
        {{"-time", "1x"}, "not a number of seconds"},
        {{"-precision", "1"}, "between 0 and 1"},
        {{"-repetitions", "1.5"}, "not a number from 1"},
        {{"-batch", "0"}, "-batch 0: not a number from 1"},
        {{"-cache", "warm"}, "hot, cold or modified"},
        {{"-sync", "none"}, "barrier, meeting or clock"},
        {{"-verify=maybe"}, "on, off or only"},
        {{"-outliers", "drop"}, "report or discard"},
        {{"-skew", "-sync", "clock"}, "together and apart"},
        {{"-all_pairs"}, "-all_pairs: pairs of processors are measured with 2 threads, not with 4"},
        {{"-msglen", "/nonexistent/sizes"}, "No such file"},
        {{"-input", "/nonexistent/names"}, "No such file"},
    };
    for (const auto& row : table) {
        Parsed* parsed = parse(row.words);
        EXPECT_NE(parsed->status, 0) << row.message;
        EXPECT_NE(parsed->message.find(row.message), std::string::npos) << parsed->message;
    }
    EXPECT_EQ(parse({"-all_pairs"}, 2)->status, 0);
    std::string words = file_with("words", "12 apples\n");
    EXPECT_NE(parse({"-msglen", words})->message.find("'apples' is not a size"), std::string::npos);
    std::string empty = file_with("empty", "# nothing\n");
    EXPECT_NE(parse({"-msglen", empty})->message.find("no sizes"), std::string::npos);
    remove(words.c_str());
    remove(empty.c_str());
}

TEST(Plan, NamesGlobsAndOperations)
{
    EXPECT_EQ(plan_names(*parse({})), "barrier broadcast exchange reduce_D reduce_I ");
    EXPECT_EQ(plan_names(*parse({"reduce_I", "upc_barrier"})), "barrier reduce_I ");
    EXPECT_EQ(plan_names(*parse({"upc_all_[be]*"})), "broadcast exchange ");
}

struct BatchCase {
    unsigned flags;
    size_t bytes;
    int threads, is_near;
    std::vector<std::string> words;
    long batch;
};

// Only the request decides, so that all systems get the same.
TEST(Plan, Batches)
{
    const BatchCase cases[] = {
        {UOMS_BATCHED, 0, 2, 1, {}, 4096},
        {UOMS_BATCHED, 8, 2, 1, {}, 4096},
        {UOMS_BATCHED, 64 << 10, 2, 1, {}, 16},
        {UOMS_BATCHED, 1 << 20, 2, 1, {}, 1},
        {UOMS_BATCHED, 16 << 20, 2, 1, {}, 1},
        {UOMS_BATCHED | UOMS_FEW_CALLS, 0, 8, 1, {}, 64},
        {UOMS_BATCHED, 8, 2, 0, {}, 64},
        {UOMS_BATCHED, 8, 2, 1, {"-batch", "100"}, 100},
        {UOMS_BATCHED, 64 << 10, 2, 1, {"-batch", "100"}, 16},
        {UOMS_BATCHED, 8, 2, 1, {"-batch", "1"}, 1},
        {UOMS_BATCHED, 8, 2, 1, {"-cache", "modified"}, 1},
        {UOMS_BATCHED, 8, 2, 1, {"-skew"}, 1},
        {0, 8, 2, 1, {}, 1},
        {0, 8, 1, 1, {}, 4096},
    };
    for (const BatchCase& each : cases) {
        uoms_bench bench = {};
        bench.flags = each.flags;
        EXPECT_EQ(uoms_plan_batch(&parse(each.words)->options, &bench, each.bytes, each.threads, each.is_near),
                  each.batch)
            << each.flags << " " << each.bytes;
    }
}

TEST(Plan, UnknownAndMissingNames)
{
    EXPECT_EQ(plan_names(*parse({"upc_all_brodcast"})),
              "there is no benchmark 'upc_all_brodcast'; is it upc_all_broadcast?; -list shows all");
    EXPECT_NE(plan_names(*parse({"zzz"})).find("there is no benchmark 'zzz'; -list"), std::string::npos);
    EXPECT_EQ(plan_names(*parse({"upc_memget_nb"})), "upc_memget_nb cannot be run: this compiler has no upc_nb.h");
}

TEST(Plan, BitwiseOperatorsAreForIntegers)
{
    EXPECT_EQ(plan_names(*parse({"-reduce_op", "XOR"})), "barrier broadcast exchange reduce_I ");
    EXPECT_EQ(plan_names(*parse({"-reduce_op", "XOR", "upc_all_reduceD"})),
              "upc_all_reduceD: UPC_XOR is not defined for its type");
    EXPECT_EQ(plan_names(*parse({"-reduce_op", "XOR", "broadcast", "upc_all_reduce*"})), "broadcast reduce_I ");
    EXPECT_EQ(plan_names(*parse({"-reduce_op", "XOR", "upc_all_*", "reduce_D"})),
              "upc_all_reduceD: UPC_XOR is not defined for its type");
}

TEST(Plan, SizesAreMultiplesOfTheUnit)
{
    Parsed* parsed = parse({"-maxsize", "64", "upc_all_reduceD"});
    uoms_plan plan;
    char message[400];
    size_t sizes[UOMS_MOST_SIZES];
    ASSERT_EQ(uoms_plan_make(&parsed->options, &plan, message, sizeof message), 0);
    EXPECT_EQ(uoms_plan_sizes(&parsed->options, plan.benches[0], sizes), 4u);
    EXPECT_EQ(sizes[0], 8u);
    free(plan.benches);
}

std::string fits(const Parsed& parsed, double available)
{
    uoms_plan plan;
    char message[600] = "";
    EXPECT_EQ(uoms_plan_make(&parsed.options, &plan, message, sizeof message), 0);
    uoms_plan_fits(&parsed.options, &plan, 4, 4, available, message, sizeof message);
    free(plan.benches);
    return message;
}

TEST(Plan, WhatDoesNotFitSaysWhatWould)
{
    // exchange of n needs 2 n for each of 4 threads, on 4 threads: 32 n; a tenth must stay free.
    Parsed* parsed = parse({"-maxsize", "1M"});
    EXPECT_EQ(fits(*parsed, 40.0 * 1048576), "");
    EXPECT_EQ(fits(*parsed, 20.0 * 1048576),
              "upc_all_exchange with 1048576 bytes takes 8 MiB on each of 4 threads, and 20 MiB are available to "
              "all; -maxsize 524288 would fit");
    EXPECT_NE(fits(*parsed, 50).find("run fewer threads"), std::string::npos);
    // 2^66 bytes, although nothing tells how much memory there is
    EXPECT_EQ(fits(*parse({"-minsize", "2097152T", "-maxsize", "2097152T", "upc_all_exchange"}), INFINITY),
              "upc_all_exchange with 2305843009213693952 bytes takes more than can be addressed on each of 4 threads; "
              "choose smaller sizes");
    // Memory that the machine has but the system does not grant
    one_thread_limit = 1 << 20;
    EXPECT_NE(fits(*parsed, 1e12).find("-maxsize 131072 would fit"), std::string::npos);
    EXPECT_EQ(fits(*parsed, INFINITY),
              "upc_all_exchange with 1048576 bytes takes 8 MiB on each of 4 threads, which the system does not grant; "
              "-maxsize 131072 would fit");
    one_thread_limit = static_cast<size_t>(-1);
}

}  // namespace
