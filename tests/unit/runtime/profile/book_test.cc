#include "profile/book.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <set>
#include <string>

namespace {

std::unique_ptr<bn_book> empty_book()
{
    auto book = std::make_unique<bn_book>();
    memset(static_cast<void*>(book.get()), 0, sizeof(bn_book));
    return book;
}

}  // namespace

TEST(Book, SitesAreOnePerCallerAndOperation)
{
    auto book = empty_book();
    struct bn_book_site* first = bn_book_site(book.get(), 0x1000, BN_PROFILE_GET);
    EXPECT_EQ(bn_book_site(book.get(), 0x1000, BN_PROFILE_GET), first);
    EXPECT_NE(bn_book_site(book.get(), 0x1000, BN_PROFILE_PUT), first);
    EXPECT_NE(bn_book_site(book.get(), 0x1004, BN_PROFILE_GET), first);
    EXPECT_EQ(first->pc, 0x1000U);
    EXPECT_EQ(first->operation, static_cast<uint32_t>(BN_PROFILE_GET));
}

// A full table reports that there is no room, and keeps its entries.
TEST(Book, SitesRunOut)
{
    auto book = empty_book();
    std::set<struct bn_book_site*> found;
    int without_room = 0;
    for (uint64_t pc = 1; pc <= 4 * BN_BOOK_SITES; pc++) {
        struct bn_book_site* site = bn_book_site(book.get(), pc * 16, BN_PROFILE_BARRIER);
        without_room += site == nullptr;
        if (site != nullptr) {
            EXPECT_TRUE(found.insert(site).second);
            EXPECT_EQ(site->pc, pc * 16);
        }
    }
    EXPECT_GT(found.size(), BN_BOOK_SITES * 9 / 10U);
    EXPECT_EQ(found.size() + static_cast<size_t>(without_room), 4U * BN_BOOK_SITES);
    for (struct bn_book_site* site : found)
        EXPECT_EQ(bn_book_site(book.get(), site->pc, BN_PROFILE_BARRIER), site);
}

TEST(Book, WaysRunOut)
{
    auto book = empty_book();
    for (uint32_t way = 0; way < BN_BOOK_WAYS; way++)
        ASSERT_NE(bn_book_way(book.get(), BN_PROFILE_REDUCE, way), nullptr);
    EXPECT_EQ(bn_book_way(book.get(), BN_PROFILE_SCATTER, 0), nullptr);
    EXPECT_EQ(bn_book_way(book.get(), BN_PROFILE_REDUCE, 5)->way, 6U);
}

TEST(Book, UntimedCallsTakeAsLongAsTimedOnes)
{
    bn_tally tally = {};
    EXPECT_EQ(bn_tally_time(&tally), 0);
    const bn_tally timed = {3, 30, 3, 600}, untimed = {7, 70, 0, 0};
    bn_tally_add(&tally, &timed);
    bn_tally_add(&tally, &untimed);
    EXPECT_EQ(tally.calls, 10U);
    EXPECT_EQ(tally.bytes, 100U);
    EXPECT_DOUBLE_EQ(bn_tally_time(&tally), 2000);
}

TEST(Book, PartsDoNotOverlap)
{
    for (int threads : {1, 3, 1024}) {
        uint64_t events = bn_book_events_offset(static_cast<uint32_t>(threads));
        EXPECT_GE(bn_book_flows_offset(), sizeof(bn_book));
        EXPECT_EQ(events, bn_book_flows_offset() + static_cast<uint64_t>(threads) * sizeof(bn_book_flow));
        for (uint32_t room : {0U, 1U, 1000U}) {
            EXPECT_GE(bn_book_bytes(threads, room), events + room * sizeof(bn_book_event));
            EXPECT_EQ(bn_book_bytes(threads, room) % 4096, 0U);
        }
    }
}

TEST(Book, NamesDiffer)
{
    std::set<std::string> names;
    for (int i = 0; i < BN_PROFILE_OPERATIONS; i++) {
        const char* name = bn_profile_name(static_cast<bn_profile_operation>(i));
        EXPECT_TRUE(names.insert(name).second) << name;
        EXPECT_LE(strlen(name), 18U) << name << " does not fit the table";
    }
}
