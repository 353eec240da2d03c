// What members record of operations over several nodes.
#include "wide/nodes.h"

namespace {

bn_record_entry waiting()
{
    bn_record_entry entry{};
    entry.kind = BN_RECORD_AWAIT;
    return entry;
}

TEST(RecordTest, SaysWhatHappenedInEachCall)
{
    constexpr size_t kBytes = 10000, kFragment = 4000;
    Nodes nodes({0, 0, 1, 1}, 100, kFragment, BN_REACH_MAPPED, 1);
    std::vector<bn_record> records(4);
    for (size_t i = 0; i < records.size(); i++)
        nodes.wides[i].record = &records[i];
    std::vector<std::vector<unsigned char>> data(4, std::vector<unsigned char>(kBytes));
    nodes.run([&](bn_wide* wide) {
        unsigned char* own = data[static_cast<size_t>(wide->rank)].data();
        bn_call call{};
        call.src = call.dst = reinterpret_cast<uint64_t>(own);
        call.nbytes = kBytes;
        call.in = call.out = BN_SYNC_MY;
        for (int i = 0; i < 2; i++)
            EXPECT_EQ(bn_wide_run(wide, BN_BROADCAST, &call), BN_OK);
    });
    for (size_t rank = 0; rank < records.size(); rank++) {
        std::map<std::pair<uint32_t, bn_record_kind>, size_t> counts;
        size_t sent_bytes = 0, received_bytes = 0;
        for (uint32_t i = 0; i < records[rank].count; i++) {
            const bn_record_entry& entry = records[rank].entries[i];
            EXPECT_GT(entry.begin_ns, 0U);
            EXPECT_GE(entry.end_ns, entry.begin_ns) << bn_record_kind_name(entry.kind);
            counts[{entry.call, entry.kind}]++;
            sent_bytes += entry.kind == BN_RECORD_SEND ? entry.nbytes : 0;
            received_bytes += entry.kind == BN_RECORD_RECEIVE ? entry.nbytes : 0;
        }
        EXPECT_EQ(sent_bytes, rank == 0 ? 2 * kBytes : 0);
        EXPECT_EQ(received_bytes, rank == 2 ? 2 * kBytes : 0);
        for (uint32_t call = 1; call <= 2; call++) {
            EXPECT_EQ((counts[{call, BN_RECORD_CALL}]), 1U);
            EXPECT_EQ((counts[{call, BN_RECORD_SEND}]), rank == 0 ? 3U : 0U);
            EXPECT_EQ((counts[{call, BN_RECORD_RECEIVE}]), rank == 2 ? 3U : 0U);
            EXPECT_EQ((counts[{call, BN_RECORD_NEAR}]), rank < 2 ? 1U : 3U);
        }
        free(records[rank].entries);
    }
}

TEST(RecordTest, EndsWhereThereIsNoMoreRoom)
{
    bn_record record{};
    for (uint32_t i = 0; i < BN_RECORD_MOST; i++)
        EXPECT_EQ(bn_record_begin(&record, waiting()), i);
    uint32_t beyond = bn_record_begin(&record, waiting());
    bn_record_end(&record, beyond);
    EXPECT_EQ(record.count, uint32_t{BN_RECORD_MOST});
    free(record.entries);
}

TEST(RecordTest, IsFreeOfEntriesWhereNobodyWantsThem)
{
    EXPECT_EQ(bn_record_begin(nullptr, waiting()), 0U);
    bn_record_end(nullptr, 0);
}

}  // namespace
