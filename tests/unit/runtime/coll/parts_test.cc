// Blocks of different sizes for which the two ends give different sizes: such programs are wrong, but nobody writes
// beyond its arguments, nobody waits for ever, and the receiver gets an error.
#include "cases.h"
#include "coll/world.h"

namespace {

constexpr int kMembers = 3;
constexpr size_t kBlock = 128 << 10;  // room for a block in the arrays of a member
constexpr unsigned char kUntouched = 0xEE;

// What each member sends to each other, and what each expects to receive, in bytes.
struct Sizes {
    size_t given[kMembers][kMembers], taken[kMembers][kMembers];
};

Sizes sizes_of(unsigned seed)
{
    static const size_t bytes[] = {0, 1, 8, 100, 4000, 4072, 4080, 4096, 9000, 11000, 16384, 40000, 100000};
    std::minstd_rand random(seed + 1);
    auto pick = [&random](size_t count) { return static_cast<size_t>(random() >> 8) % count; };
    Sizes sizes;
    for (int from = 0; from < kMembers; from++)
        for (int to = 0; to < kMembers; to++)
            sizes.given[from][to] = sizes.taken[from][to] = bytes[pick(13)];
    for (int wrong = 0; wrong < 3; wrong++)
        sizes.taken[pick(kMembers)][pick(kMembers)] = bytes[pick(13)];
    return sizes;
}

unsigned char byte_of(int from, int to, size_t i)
{
    return static_cast<unsigned char>((static_cast<size_t>(from * kMembers + to) * 37 + i * 11) % 200);
}

// The blocks of a member are adjacent, so that a block that is too large would overwrite the next one.
void run(bn_team* team, World& world, const Sizes& sizes)
{
    size_t self = static_cast<size_t>(team->rank);
    size_t given[kMembers], taken[kMembers], out[kMembers], in[kMembers];
    unsigned char *src = world.memory(team->rank), *dst = src + kMembers * kBlock + 64;
    for (size_t other = 0, out_end = 0, in_end = 0; other < kMembers; other++) {
        given[other] = sizes.given[self][other];
        taken[other] = sizes.taken[other][self];
        out[other] = out_end;
        in[other] = in_end;
        for (size_t i = 0; i < given[other]; i++)
            src[out_end + i] = byte_of(team->rank, static_cast<int>(other), i);
        out_end += given[other];
        in_end += taken[other];
    }
    memset(dst, kUntouched, kMembers * kBlock);
    const bn_block_table sends = {given, out}, receives = {taken, in};
    bn_call call = {};
    call.src = reinterpret_cast<uint64_t>(src);
    call.dst = reinterpret_cast<uint64_t>(dst);
    call.nbytes = 1;
    call.in = call.out = BN_SYNC_MY;
    call.src_parts = &sends;
    call.dst_parts = &receives;
    team->fit = BN_FIT_EXACT;
    ASSERT_EQ(bn_operation_run(team, BN_EXCHANGE_V, &call), BN_OK);
    bn_fit fit = BN_FIT_EXACT;
    for (size_t other = 0; other < kMembers; other++) {
        size_t both = std::min(taken[other], sizes.given[other][self]);
        bool differs = taken[other] != sizes.given[other][self] && (taken[other] > 0 || other == self);
        if (differs)
            fit = std::max(fit, taken[other] < sizes.given[other][self] ? BN_FIT_MORE : BN_FIT_LESS);
        for (size_t i = 0; i < taken[other]; i++) {
            unsigned char got = dst[in[other] + i];
            bool is_right = i < both && got == byte_of(static_cast<int>(other), team->rank, i);
            if (is_right)
                continue;
            ASSERT_TRUE(got == kUntouched && (differs || both == 0))
                << "byte " << i << " from " << other << " to " << self << ", " << sizes.given[other][self]
                << " bytes given, " << taken[other] << " taken: " << static_cast<int>(got);
        }
    }
    EXPECT_EQ(team->fit, fit);
    for (size_t i = in [kMembers - 1] + taken[kMembers - 1]; i < kMembers * kBlock; i++)
        ASSERT_EQ(dst[i], kUntouched) << "behind the last block of " << self;
}

TEST(Parts, OtherSizesAtBothEnds)
{
    for (const char* way : {"pull/flat/whole", "push/flat/whole"}) {
        for (bool has_stages : {false, true}) {
            World world(kMembers, Layout::kOneRegion, true, 0);
            for (bn_team& team : world.teams) {
                team.announces = true;
                team.stages = has_stages ? team.stages : nullptr;
            }
            world.run([&](bn_team* team) {
                ASSERT_TRUE(bn_plans_force(team, BN_EXCHANGE_V, way));
                for (unsigned seed = 0; seed <= cases_wanted() / 80; seed++) {
                    SCOPED_TRACE(std::string(way) + ", seed " + std::to_string(seed));
                    run(team, world, sizes_of(seed));
                }
            });
        }
    }
}

}  // namespace
