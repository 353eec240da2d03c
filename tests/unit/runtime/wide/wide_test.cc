// Random operations on random nodes, compared with their definitions; with guard bytes.
#include "cases.h"
#include "wide/link.h"
#include "wide/nodes.h"
#include "wide/helpers.h"

#include <numeric>

namespace {

using Bytes = std::vector<unsigned char>;
constexpr size_t kGuard = 64;

// Memory of a member, with guard bytes around it
class Block {
public:
    explicit Block(size_t nbytes, unsigned char fill = 0xee) : bytes_(nbytes + 2 * kGuard, 0xa5), nbytes_(nbytes)
    {
        std::memset(data(), fill, nbytes);
    }
    unsigned char* data() { return bytes_.data() + kGuard; }
    uint64_t address() { return reinterpret_cast<uint64_t>(data()); }
    Bytes content() { return {data(), data() + nbytes_}; }
    bool is_guarded()
    {
        for (size_t i = 0; i < kGuard; i++)
            if (bytes_[i] != 0xa5 || bytes_[kGuard + nbytes_ + i] != 0xa5)
                return false;
        return true;
    }

private:
    Bytes bytes_;
    size_t nbytes_;
};

unsigned char byte_of(unsigned call, int from, int to, size_t i)
{
    return static_cast<unsigned char>(call * 89 + static_cast<unsigned>(from) * 31 + static_cast<unsigned>(to) * 7 + i);
}
Bytes block_of(unsigned call, int from, int to, size_t nbytes)
{
    Bytes block(nbytes);
    for (size_t i = 0; i < nbytes; i++)
        block[i] = byte_of(call, from, to, i);
    return block;
}

// Elements are functions x -> a x + b; what is left goes first.  Sums where order does not matter
struct Element {
    uint32_t a, b;
    bool operator==(const Element&) const = default;
};
void compose(const void* left, void* right, size_t count, const bn_vector* vector)
{
    const Element* from = static_cast<const Element*>(left);
    Element* to = static_cast<Element*>(right);
    for (size_t i = 0; i < count; i++)
        to[i] = vector->keeps_order ? Element{to[i].a * from[i].a, to[i].a * from[i].b + to[i].b}
                                    : Element{from[i].a + to[i].a, from[i].b ^ to[i].b};
}

class Random {
public:
    explicit Random(unsigned seed) : engine_(seed) {}
    size_t below(size_t n) { return n == 0 ? 0 : std::uniform_int_distribution<size_t>(0, n - 1)(engine_); }
    size_t bytes(size_t most) { return 1 + below(size_t{1} << below(static_cast<size_t>(bn_size_class(most)) + 1)); }

private:
    std::mt19937 engine_;
};

struct Call {
    unsigned number;
    bn_operation operation;
    int root;
    size_t nbytes;                           // of a block
    std::vector<std::vector<size_t>> bytes;  // [from][to], of blocks that differ
    size_t gap;
    bool in_place, keeps_order, is_exclusive;
    std::vector<size_t> counts;
    size_t count;
};

constexpr bn_operation kOperations[] = {
    BN_BROADCAST, BN_SCATTER,      BN_GATHER,     BN_GATHER_ALL, BN_EXCHANGE,    BN_BARRIER,         BN_SCATTER_V,
    BN_GATHER_V,  BN_GATHER_ALL_V, BN_EXCHANGE_V, BN_COMBINE,    BN_COMBINE_ALL, BN_COMBINE_SCATTER, BN_COMBINE_PREFIX};

Call make_call(Random& random, unsigned number, int size, bool is_in_order)
{
    Call call{};
    call.number = number;
    size_t n = static_cast<size_t>(size);
    do
        call.operation = kOperations[random.below(std::size(kOperations))];
    while (call.operation == BN_COMBINE_PREFIX && !is_in_order);
    call.root = static_cast<int>(random.below(n));
    call.nbytes = random.bytes(call.operation == BN_BROADCAST ? 400000 : 40000);
    call.gap = random.below(3) * 8;
    call.bytes.assign(n, std::vector<size_t>(n));
    for (auto& row : call.bytes)
        for (size_t& bytes : row)
            bytes = random.below(4) == 0 ? 0 : random.bytes(30000);
    call.in_place = random.below(3) == 0;
    call.keeps_order = is_in_order && random.below(2) == 0;
    call.is_exclusive = random.below(2) == 0;
    call.counts.resize(n);
    for (size_t& count : call.counts)
        count = random.below(4) == 0 ? 0 : random.bytes(4000);
    call.count = call.operation == BN_COMBINE_SCATTER
                     ? std::accumulate(call.counts.begin(), call.counts.end(), size_t{0})
                     : random.bytes(50000);
    return call;
}

// One member's share of a call
class Share {
public:
    Share(bn_wide* wide, const Call& call) : wide_(wide), call_(call), size_(static_cast<size_t>(wide->size)) {}

    void run()
    {
        switch (call_.operation) {
        case BN_BROADCAST: return broadcast();
        case BN_SCATTER:
        case BN_SCATTER_V: return scatter();
        case BN_GATHER:
        case BN_GATHER_V: return gather();
        case BN_GATHER_ALL:
        case BN_GATHER_ALL_V: return gather_all();
        case BN_EXCHANGE:
        case BN_EXCHANGE_V: return exchange();
        case BN_BARRIER: return carry({});
        default: return combine();
        }
    }

private:
    bool is_root() const { return wide_->rank == call_.root; }
    bool differ() const { return call_.operation >= BN_UPC_OPERATION_COUNT; }
    size_t bytes_of(int from, int to) const
    {
        return differ() ? call_.bytes[static_cast<size_t>(from)][static_cast<size_t>(to)] : call_.nbytes;
    }
    struct Given {
        uint64_t dst = 0, src = 0;
        size_t nbytes = 0;
        const bn_block_table *src_parts = nullptr, *dst_parts = nullptr;
        size_t own_bytes = 0;
        const bn_vector* vector = nullptr;
    };
    void carry(const Given& given)
    {
        bn_call call{};
        call.dst = given.dst;
        call.src = given.src;
        call.src_parts = given.src_parts;
        call.dst_parts = given.dst_parts;
        call.own_bytes = given.own_bytes;
        call.vector = given.vector;
        call.root = call_.root;
        call.in = call.out = BN_SYNC_MY;
        call.nbytes = given.nbytes > 0 || given.vector ? given.nbytes : differ() ? 1 : call_.nbytes;
        EXPECT_EQ(bn_wide_run(wide_, call_.operation, &call), BN_OK);
    }

    // An array of blocks, one for each member, with gaps if they differ
    struct Array {
        std::vector<size_t> bytes, offsets;
        bn_block_table parts;
        std::unique_ptr<Block> block;
        unsigned char* at(int rank) { return block->data() + offsets[static_cast<size_t>(rank)]; }
    };
    template <typename BytesOf>
    std::unique_ptr<Array> array(BytesOf bytes_of)
    {
        auto made = std::make_unique<Array>();
        size_t end = 0;
        for (int rank = 0; rank < wide_->size; rank++) {
            made->bytes.push_back(bytes_of(rank));
            made->offsets.push_back(end);
            // Members have gaps of their own
            end += made->bytes.back() + (differ() ? call_.gap * static_cast<size_t>(wide_->rank % 3) : 0);
        }
        made->parts = {made->bytes.data(), made->offsets.data()};
        made->block = std::make_unique<Block>(end);
        return made;
    }
    const bn_block_table* parts_of(const std::unique_ptr<Array>& made) const
    {
        return differ() ? &made->parts : nullptr;
    }
    Bytes block(int from, int to) const { return block_of(call_.number, from, to, bytes_of(from, to)); }
    void put(unsigned char* at, const Bytes& block) { std::copy(block.begin(), block.end(), at); }
    void expect(Array& array, int rank, const Bytes& block)
    {
        EXPECT_EQ(Bytes(array.at(rank), array.at(rank) + block.size()), block)
            << bn_operation_name(call_.operation) << " call " << call_.number << " rank " << wide_->rank << " block "
            << rank;
    }

    void broadcast()
    {
        Block data(call_.nbytes);
        if (is_root())
            put(data.data(), block(call_.root, 0));
        carry({.dst = data.address(), .src = data.address()});
        EXPECT_EQ(data.content(), block(call_.root, 0));
        EXPECT_TRUE(data.is_guarded());
    }

    void scatter()
    {
        size_t own = bytes_of(call_.root, wide_->rank);
        Block dst(own);
        if (!is_root()) {
            carry({.dst = dst.address(), .own_bytes = own});
        } else {
            auto src = array([this](int to) { return bytes_of(call_.root, to); });
            for (int to = 0; to < wide_->size; to++)
                put(src->at(to), block(call_.root, to));
            carry({.dst = dst.address(), .src = src->block->address(), .src_parts = parts_of(src), .own_bytes = own});
        }
        EXPECT_EQ(dst.content(), block(call_.root, wide_->rank)) << bn_operation_name(call_.operation);
        EXPECT_TRUE(dst.is_guarded());
    }

    void gather()
    {
        size_t own = bytes_of(wide_->rank, 0);
        Block src(own);
        put(src.data(), block(wide_->rank, 0));
        if (!is_root())
            return carry({.src = src.address(), .own_bytes = own});
        auto dst = array([this](int from) { return bytes_of(from, 0); });
        carry({.dst = dst->block->address(), .src = src.address(), .dst_parts = parts_of(dst), .own_bytes = own});
        for (int from = 0; from < wide_->size; from++)
            expect(*dst, from, block(from, 0));
        EXPECT_TRUE(dst->block->is_guarded());
    }

    void gather_all()
    {
        size_t own = bytes_of(wide_->rank, 0), total = 0;
        auto dst = array([this](int from) { return bytes_of(from, 0); });
        for (size_t bytes : dst->bytes)
            total += bytes;
        Block src(own);
        unsigned char* from_here = call_.in_place ? dst->at(wide_->rank) : src.data();
        put(from_here, block(wide_->rank, 0));
        carry({.dst = dst->block->address(),
               .src = reinterpret_cast<uint64_t>(from_here),
               .nbytes = differ() ? total / size_ + 1 : 0,
               .dst_parts = parts_of(dst),
               .own_bytes = own});
        for (int from = 0; from < wide_->size; from++)
            expect(*dst, from, block(from, 0));
        EXPECT_TRUE(dst->block->is_guarded());
    }

    void exchange()
    {
        auto src = array([this](int to) { return bytes_of(wide_->rank, to); });
        auto dst = array([this](int from) { return bytes_of(from, wide_->rank); });
        for (int to = 0; to < wide_->size; to++)
            put(src->at(to), block(wide_->rank, to));
        carry({.dst = dst->block->address(),
               .src = src->block->address(),
               .src_parts = parts_of(src),
               .dst_parts = parts_of(dst)});
        for (int from = 0; from < wide_->size; from++)
            expect(*dst, from, block(from, wide_->rank));
        EXPECT_TRUE(dst->block->is_guarded());
    }

    Element element(int rank, size_t i) const
    {
        return {static_cast<uint32_t>(rank) * 6 + static_cast<uint32_t>(i) * 2 + 1 + call_.number * 4,
                static_cast<uint32_t>(rank) * 77 + static_cast<uint32_t>(i)};
    }
    // Of ranks begin .. end - 1
    Element sum(int begin, int end, size_t i, const bn_vector& vector) const
    {
        Element result = element(end - 1, i);
        for (int rank = end - 2; rank >= begin; rank--) {
            Element left = element(rank, i);
            compose(&left, &result, 1, &vector);
        }
        return result;
    }

    void combine()
    {
        bn_vector vector{};
        vector.element_bytes = sizeof(Element);
        vector.count = call_.count;
        vector.keeps_order = call_.keeps_order;
        vector.is_exclusive = call_.operation == BN_COMBINE_PREFIX && call_.is_exclusive;
        vector.counts = call_.operation == BN_COMBINE_SCATTER ? call_.counts.data() : nullptr;
        vector.combine = compose;
        size_t nbytes = call_.count * sizeof(Element);
        bool has_dst = call_.operation != BN_COMBINE || is_root();
        bool in_place = call_.in_place && has_dst;
        Block src(nbytes), dst(nbytes);
        Block& from = in_place ? dst : src;
        for (size_t i = 0; i < call_.count; i++) {
            Element one = element(wide_->rank, i);
            std::memcpy(from.data() + i * sizeof one, &one, sizeof one);
        }
        carry({.dst = has_dst ? dst.address() : 0, .src = from.address(), .nbytes = nbytes, .vector = &vector});
        size_t begin = 0, count = has_dst ? call_.count : 0;
        int ranks = wide_->size;
        if (call_.operation == BN_COMBINE_SCATTER) {
            for (int rank = 0; rank < wide_->rank; rank++)
                begin += call_.counts[static_cast<size_t>(rank)];
            count = call_.counts[static_cast<size_t>(wide_->rank)];
        } else if (call_.operation == BN_COMBINE_PREFIX) {
            ranks = wide_->rank + !vector.is_exclusive;
        }
        for (size_t i = 0; i < count && ranks > 0; i++) {
            Element found;
            std::memcpy(&found, dst.data() + i * sizeof found, sizeof found);
            ASSERT_EQ(found, sum(0, ranks, begin + i, vector))
                << bn_operation_name(call_.operation) << " call " << call_.number << " rank " << wide_->rank
                << " element " << i << " of " << count;
        }
        EXPECT_TRUE(src.is_guarded());
        EXPECT_TRUE(dst.is_guarded());
        if (!in_place) {
            Element first = element(wide_->rank, 0);
            EXPECT_EQ(std::memcmp(src.data(), &first, call_.count > 0 ? sizeof first : 0), 0);
        }
    }

    bn_wide* wide_;
    const Call& call_;
    size_t size_;
};

void run_calls(const std::vector<int>& node_of, size_t latency_bytes, size_t fragment_bytes, bn_reach reach,
               unsigned seed, unsigned count)
{
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    Nodes nodes(node_of, latency_bytes, fragment_bytes, reach, seed, fragment_bytes >> (2 * random.below(3)),
                1 + static_cast<int>(random.below(3)));
    bool is_circle = random.below(2) == 0;
    if (is_circle)
        nodes.use_circle();
    if (random.below(2) == 0)
        nodes.choose_leaders(seed);
    bool is_in_order = nodes.wides[0].hierarchy->is_in_member_order;
    std::vector<Call> calls;
    for (unsigned i = 0; i < count; i++)
        calls.push_back(make_call(random, i, nodes.size(), is_in_order));
    nodes.run([&calls](bn_wide* wide) {
        for (const Call& call : calls)
            if (!testing::Test::HasFailure())
                Share(wide, call).run();
    });
    EXPECT_EQ(nodes.circle().count() > 0, is_circle);
}

// Which form of a reduction the model takes on 4 nodes, 1 Gbit/s and 200 us
TEST(WideModel, PartsBetweenShortAndLong)
{
    Nodes nodes({0, 1, 2, 3}, 25000, 49152, BN_REACH_MAPPED, 1);
    const bn_wide* wide = nodes.wides.data();
    auto by_parts = [wide](size_t nbytes) {
        return bn_wide_parts_time(wide, nbytes) < bn_wide_tree_choose(wide, 0, nbytes).time;
    };
    EXPECT_FALSE(by_parts(8));
    EXPECT_TRUE(by_parts(size_t{64} << 10));
    EXPECT_FALSE(by_parts(size_t{1} << 20));
}

TEST(WideModel, FragmentsBetweenBounds)
{
    Nodes nodes({0, 1, 2, 3}, 32768, 49152, BN_REACH_MAPPED, 1, 12288);  // messages of 4096 bytes
    const bn_wide* wide = nodes.wides.data();
    EXPECT_EQ(bn_wide_fragment(wide, 100, 3, false), 100U);
    EXPECT_EQ(bn_wide_fragment(wide, 120000, 3, false), 12000U);
    EXPECT_EQ(bn_wide_fragment(wide, 1000000, 3, false), 1000000U / 21 + 1);
    EXPECT_EQ(bn_wide_fragment(wide, 250000, 1, false), 250000U / 11 + 1);
    Nodes slow({0, 1}, 65536 * 4, 49152, BN_REACH_MAPPED, 1, 12288);  // steps of more than a fragment
    EXPECT_EQ(bn_wide_fragment(slow.wides.data(), 98304, 1000, true), 49152U);
    EXPECT_EQ(bn_wide_fragment(slow.wides.data(), 98304, 1000000, false), 98304U / 8);
}

// Whole where nobody hands it on, but for the longest pieces that there are
TEST(WideModel, BroadcastsComeInPiecesWhereNodesHandThemOn)
{
    Nodes nodes({0, 1, 2, 3}, 32768, 49152, BN_REACH_MAPPED, 1, 8192);  // messages of 4096 bytes
    const bn_wide* root = nodes.wides.data();
    auto tree_of = [root](size_t nbytes) { return bn_wide_tree_choose(root, 0, nbytes); };
    EXPECT_EQ(tree_of(16384).child_count, 3);
    EXPECT_EQ(tree_of(16384).fragment, 16384U);
    EXPECT_EQ(tree_of(65536).child_count, 2);
    EXPECT_EQ(tree_of(65536).fragment, 16384U);
    EXPECT_EQ(tree_of(1 << 20).child_count, 1);
    EXPECT_EQ(tree_of(1 << 20).fragment, (size_t{1} << 20) / 32);
    Nodes far({0, 1, 2, 3}, 1 << 20, 49152, BN_REACH_MAPPED, 1, 8192);
    EXPECT_EQ(bn_wide_tree_choose(far.wides.data(), 0, 65536).fragment, 32768U);
}

// Edges of the tree from a root that lead from switch to switch
int edges_between_switches(const Nodes& nodes, int root_node, size_t nbytes)
{
    int count = 0;
    const bn_hierarchy* hierarchy = nodes.wides[0].hierarchy;
    auto switch_of = [hierarchy](int node) {
        return bn_hierarchy_outer_group(hierarchy, BN_LEVEL_NODE, node, BN_LEVEL_SWITCH);
    };
    for (const bn_wide& wide : nodes.wides) {
        bn_wide_tree tree = bn_wide_tree_choose(&wide, root_node, nbytes);
        count += tree.parent >= 0 && switch_of(tree.parent) != switch_of(wide.mine.index);
        EXPECT_EQ(tree.parent < 0, wide.mine.index == root_node);
        for (int i = 0; i < tree.child_count; i++) {
            const bn_wide& child =
                nodes.wides[static_cast<size_t>(bn_hierarchy_leader(hierarchy, BN_LEVEL_NODE, tree.children[i]))];
            EXPECT_EQ(bn_wide_tree_choose(&child, root_node, nbytes).parent, wide.mine.index);
        }
    }
    return count;
}

TEST(WideModel, TreesEnterEachSwitchOnce)
{
    std::vector<int> node_of(32);
    std::iota(node_of.begin(), node_of.end(), 0);
    Nodes nodes(node_of, 25000, 49152, BN_REACH_MAPPED, 1, 0, 4);  // 8 nodes on each of 4 switches, ranks in turn
    for (int root = 0; root < 32; root++) {
        EXPECT_EQ(edges_between_switches(nodes, root, size_t{8} << 20), 3);  // a chain
        EXPECT_EQ(edges_between_switches(nodes, root, 8), 3);                // a binomial tree
    }
}

// What of an allgather passes from one switch to the other, 2 members on each of 4 nodes of each of 2 switches
size_t bytes_between_switches(size_t nbytes)
{
    std::vector<int> node_of(16);
    for (int rank = 0; rank < 16; rank++)
        node_of[static_cast<size_t>(rank)] = rank / 2;
    Nodes nodes(node_of, 25000, 49152, BN_REACH_MAPPED, 1, 0, 2);
    Call call{};
    call.operation = BN_GATHER_ALL;
    call.nbytes = nbytes;
    nodes.run([&call](bn_wide* wide) { Share(wide, call).run(); });
    size_t between = 0, all = 0;
    for (const auto& [pair, bytes] : nodes.messages().bytes_sent()) {
        all += bytes;
        between +=
            node_of[static_cast<size_t>(pair.first)] % 2 != node_of[static_cast<size_t>(pair.second)] % 2 ? bytes : 0;
    }
    EXPECT_EQ(all, 8 * 7 * 2 * nbytes);  // each slab comes to each other node once
    return between;
}

TEST(WideModel, LongAllgatherPassesSwitchesInARing)
{
    EXPECT_EQ(bytes_between_switches(40000), 2 * 7 * 2 * 40000U);       // in and out of each, all but one's slabs
    EXPECT_EQ(bytes_between_switches(16), 2 * 4 * 4 * 2 * size_t{16});  // at once: latencies count
}

// 200 us, 1 Gbit/s, 28 us for a message
bn_link_rounds quiet_rounds()
{
    bn_link_rounds rounds;
    std::fill(std::begin(rounds.short_ns), std::end(rounds.short_ns), 400e3);
    std::fill(std::begin(rounds.few_ns), std::end(rounds.few_ns), 400e3 + 4 * 28e3 + 8.0 * int{BN_LINK_ROOM_BYTES});
    std::fill(std::begin(rounds.many_ns), std::end(rounds.many_ns), 400e3 + 32 * 28e3 + 8.0 * int{BN_LINK_ROOM_BYTES});
    return rounds;
}

TEST(WideLink, FollowsFromRounds)
{
    bn_link_rounds rounds = quiet_rounds();
    rounds.short_ns[0] = 9e6;  // the connection is made
    rounds.few_ns[1] = 5e6;    // somebody else had the processor
    rounds.many_ns[3] = 7e6;
    bn_link link = bn_link_of(&rounds);
    EXPECT_DOUBLE_EQ(link.latency_ns, 200e3);
    EXPECT_NEAR(link.message_ns, 28e3, 1);
    EXPECT_NEAR(link.byte_ns, 8, 0.001);
}

TEST(WideLink, IsUsableWhateverRoundsSay)
{
    bn_link_rounds rounds = quiet_rounds();
    std::fill(std::begin(rounds.many_ns), std::end(rounds.many_ns), 1e6);  // less than few
    EXPECT_DOUBLE_EQ(bn_link_of(&rounds).message_ns, 200e3 / 16);
    std::fill(std::begin(rounds.few_ns), std::end(rounds.few_ns), 1e5);  // less than one byte
    EXPECT_GT(bn_link_of(&rounds).byte_ns, 0);
}

// Values of a network that takes as long as it likes: all is sent and received, and nothing is left on its way
TEST(WideLink, IsMeasured)
{
    Nodes nodes({0, 0, 1, 1, 2}, 1, 4096, BN_REACH_MAPPED, 1);
    nodes.run([](bn_wide* wide) {
        ASSERT_NE(bn_wide_room(wide, 0, BN_LINK_ROOM_BYTES), nullptr);
        bn_link link = bn_wide_measure(wide);
        EXPECT_EQ(link.latency_ns > 0, wide->rank == 0);
        EXPECT_EQ(link.byte_ns > 0, wide->rank == 0);
        EXPECT_GE(link.message_ns, 0);
        EXPECT_GT(link.step_ns, 0);
        bn_network network = *wide->network;
        bn_link known = {250000, 32000, 8, 16000};
        bn_link_apply(&known, &network);
        EXPECT_EQ(network.latency_bytes, 31250U);
        EXPECT_EQ(network.message_bytes, 4000U);
        EXPECT_EQ(network.step_bytes, 2000U);
    });
}

class WideTest : public testing::TestWithParam<unsigned> {};

TEST_P(WideTest, RandomCalls)
{
    Random random(GetParam());
    for (unsigned round = 0; round < cases_wanted() / 500 && !HasFailure(); round++) {
        size_t size = 2 + random.below(7), node_count = 1 + random.below(5);
        std::vector<int> node_of;
        size_t placement = random.below(3);  // in blocks, in turn, at random
        for (size_t rank = 0; rank < size; rank++)
            node_of.push_back(static_cast<int>(placement == 0   ? rank * node_count / size
                                               : placement == 1 ? rank % node_count
                                                                : random.below(node_count)));
        size_t latency_bytes = size_t{1} << (4 * random.below(6));
        size_t fragment_bytes = size_t{3} << (8 + 2 * random.below(5));
        run_calls(node_of, latency_bytes, fragment_bytes, static_cast<bn_reach>(random.below(BN_REACH_COUNT)),
                  GetParam() * 100 + round, 40);
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, WideTest, testing::Range(1U, 9U));

}  // namespace
