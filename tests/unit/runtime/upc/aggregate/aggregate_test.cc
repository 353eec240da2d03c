// Items in blocks, at the edges: blocks of one item, items larger than a block, phases, and misuse.
#include <upc/banyan_aggregate.h>

#include "upc/job.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace {

struct Item {
    int from, number;
    char rest[56];
};

using Taken = std::vector<std::pair<int, int>>;  // from, number

void take(void* context, int from, const void* items, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const Item& item = static_cast<const Item*>(items)[i];
        EXPECT_EQ(item.from, from);
        static_cast<Taken*>(context)->emplace_back(from, item.number);
    }
}

TEST(Aggregate, BringsAllItemsOfAPhaseInTheirOrder)
{
    SKIP_IF_NO_WINDOW();
    constexpr int kItems = 50;
    for (size_t block_bytes : {size_t{1}, sizeof(Item), 3 * sizeof(Item) + 1, size_t{0}})
        for (int count : {1, 2, 3})
            run_job(count, [block_bytes] {
                Taken taken;
                banyan_aggregate_t* items = banyan_aggregate_all_make(sizeof(Item), block_bytes, take, &taken);
                for (int phase = 0; phase < 3; phase++) {
                    taken.clear();
                    for (int number = 0; number < kItems; number++)
                        for (int to = 0; to < threads(); to++) {
                            Item item{me(), phase * kItems + number, {}};
                            banyan_aggregate_push(items, to, &item);
                        }
                    banyan_aggregate_end(items);
                    std::stable_sort(taken.begin(), taken.end(),
                                     [](const auto& a, const auto& b) { return a.first < b.first; });
                    Taken expected;
                    for (int from = 0; from < threads(); from++)
                        for (int number = 0; number < kItems; number++)
                            expected.emplace_back(from, phase * kItems + number);
                    EXPECT_EQ(taken, expected) << "blocks of " << block_bytes << ", phase " << phase;
                }
                banyan_aggregate_all_free(items);
            });
}

TEST(Aggregate, SaysWhichThreadThereIsNot)
{
    SKIP_IF_NO_WINDOW();
    std::string text = message_of_job(2, [] {
        Taken taken;
        banyan_aggregate_t* items = banyan_aggregate_all_make(sizeof(Item), 0, take, &taken);
        Item item{me(), 0, {}};
        banyan_aggregate_push(items, 2, &item);
    });
    EXPECT_NE(text.find("there is no thread 2; threads are numbered from 0 to 1"), std::string::npos) << text;
}

TEST(Aggregate, RefusesItemsOfNoBytesAndNoFunction)
{
    SKIP_IF_NO_WINDOW();
    std::string text = message_of_job(1, [] { banyan_aggregate_all_make(0, 0, take, nullptr); });
    EXPECT_NE(text.find("an item has 1 byte or more"), std::string::npos) << text;
    text = message_of_job(1, [] { banyan_aggregate_all_make(8, 0, nullptr, nullptr); });
    EXPECT_NE(text.find("the function that takes items is null"), std::string::npos) << text;
}

}  // namespace
