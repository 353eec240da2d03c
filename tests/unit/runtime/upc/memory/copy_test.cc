// Block copies and queries.
#include "mib.h"
#include "upc/job.h"

#include <cstring>

namespace {

TEST(Copy, AllSizesAndAlignmentsLeaveTheRestAlone)
{
    SKIP_IF_NO_WINDOW();
    run_job(2, [] {
        constexpr size_t kRoom = 400;
        bn_pts_t memory = upc_all_alloc(2, kRoom);
        bn_pts_t other = bn_at(part<char>(memory, 1 - me()));
        bn_pts_t own = bn_at(part<char>(memory, me()));
        std::vector<char> local(kRoom);
        if (me() == 1) {
            bn_barrier();
            return;
        }
        for (size_t n : {0, 1, 2, 7, 8, 63, 64, 65, 127, 128, 129, 200}) {
            for (size_t shift : {0, 1, 3, 8, 63}) {
                bn_pts_t to = other;
                to.addr += 64 + shift;
                memset(bn_local(other), '.', kRoom);
                memset(local.data(), '.', kRoom);
                upc_memset(to, 0x141, n);
                upc_memget(local.data() + 64, to, n);
                EXPECT_EQ(local, [&] {
                    std::vector<char> expected(kRoom, '.');
                    std::fill_n(expected.begin() + 64, n, 'A');
                    return expected;
                }());
                std::string text(n, 'x');
                for (size_t i = 0; i < n; i++)
                    text[i] = static_cast<char>('a' + i % 26);
                upc_memput(to, text.data(), n);
                memset(bn_local(own), '.', kRoom);
                bn_pts_t home = own;
                home.addr += 64;
                upc_memcpy(home, to, n);
                std::string expected = std::string(64, '.') + text + std::string(kRoom - 64 - n, '.');
                EXPECT_EQ(std::string(part<char>(memory, me()), kRoom), expected);
                expected = std::string(64 + shift, '.') + text + std::string(kRoom - 64 - shift - n, '.');
                EXPECT_EQ(std::string(part<char>(memory, 1 - me()), kRoom), expected);
            }
        }
        bn_barrier();
    });
}

TEST(Copy, LargeBlocks)
{
    SKIP_IF_NO_WINDOW();
    run_job(2, [] {
        bn_pts_t memory = upc_all_alloc(2, 64 * MiB);
        bn_pts_t own = bn_at(part<char>(memory, me()));
        bn_pts_t other = bn_at(part<char>(memory, 1 - me()));
        upc_memset(own, me() + 1, 64 * MiB);
        bn_barrier();
        if (me() == 0)
            upc_memcpy(own, other, 64 * MiB);
        bn_barrier();
        EXPECT_EQ(part<char>(memory, 0)[0], 2);
        EXPECT_EQ(part<char>(memory, 0)[64 * MiB - 1], 2);
    });
}

TEST(Query, PartsOfAPointer)
{
    SKIP_IF_NO_WINDOW();
    run_job(3, [] {
        EXPECT_EQ(upc_threadof(bn_null()), 0u);
        EXPECT_EQ(upc_phaseof(bn_null()), 0u);
        EXPECT_EQ(upc_addrfield(bn_null()), 0u);
        bn_pts_t start = upc_all_alloc(6, 5 * sizeof(int));  // shared [5] int a[30]
        bn_pts_t p = bn_add_block(start, 23, 5, sizeof(int));
        EXPECT_EQ(upc_threadof(p), 1u);
        EXPECT_EQ(upc_phaseof(p), 3u);
        bn_pts_t reset = upc_resetphase(p);
        EXPECT_EQ(reset.addr, p.addr);
        EXPECT_EQ(reset.thread, p.thread);
        EXPECT_EQ(reset.phase, 0u);
        bn_pts_t q = bn_add_block(start, 6, 5, sizeof(int));
        EXPECT_EQ(upc_addrfield(p) - upc_addrfield(q), 7 * sizeof(int)) << "both on thread 1: 5 - 1 + 3 elements apart";
        EXPECT_EQ(upc_addrfield(start), upc_addrfield(bn_add_block(start, 5, 5, sizeof(int))));
    });
}

TEST(Query, AffinitySizeCountsEachByteOnce)
{
    SKIP_IF_NO_WINDOW();
    for (int count : {1, 2, 3, 5}) {
        run_job(count, [] {
            for (size_t total = 0; total < 100; total++) {
                EXPECT_EQ(upc_affinitysize(total, 0, 0), total);
                for (size_t block = 1; block < 12; block++) {
                    for (size_t thread = 0; thread < static_cast<size_t>(threads()); thread++) {
                        size_t expected = 0;
                        for (size_t byte = 0; byte < total; byte++)
                            expected += byte / block % static_cast<size_t>(threads()) == thread;
                        ASSERT_EQ(upc_affinitysize(total, block, thread), expected) << total << " " << block;
                    }
                }
            }
            EXPECT_EQ(upc_affinitysize(100, 0, 1), 0u);
        });
    }
}

}  // namespace
