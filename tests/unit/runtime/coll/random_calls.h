// random_calls.h: series of random calls, checked against what each operation means.
//
// Each call has memory of its own: src and dst on every rank, guard bytes around dst, and perm.  The calls of a series
// follow each other without a barrier, so that members get as far apart as synchronisation allows.  Everything that a
// synchronisation mode permits is done at once: data are written just before the call, the result is read just after
// it, and then src is overwritten.  In teams that announce their buffers each rank's data are at offsets of their own.
#pragma once

#include "coll/vectors.h"
#include "coll/world.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

constexpr size_t kGuardBytes = 64;
constexpr size_t kSkew = 24;

struct Value {  // a map x -> a x + b, modulo 2^64; composition does not commute
    uint64_t a, b;
};

// Blocks of an array, by the rank that receives or sends them.
struct Parts {
    std::vector<size_t> bytes, offsets;
    size_t end = 0;
};

struct RandomCall {
    bn_operation operation;
    const bn_entry* entry;
    bn_call call;
    size_t src_offset, dst_offset,
        perm_offset;              // in the memory of a rank; plus kSkew * rank in teams that announce their buffers
    size_t src_bytes, dst_bytes;  // on a rank that has the whole array
    bool keeps_order;
    int number;
    std::vector<int> perm;
    uint64_t absent;             // bit per rank: it has no value to reduce
    std::vector<Parts> out, in;  // by rank, for operations with blocks of different sizes
    Vectors vectors;             // for operations that combine vectors

    std::string text(int members) const
    {
        return std::string(bn_operation_name(operation)) + " " + entry->name + ", members " + std::to_string(members) +
               ", root " + std::to_string(call.root) + ", bytes " + std::to_string(call.nbytes) + ", in " +
               std::to_string(call.in) + ", out " + std::to_string(call.out) + ", call " + std::to_string(number);
    }
    bool has_parts() const { return operation >= BN_SCATTER_V && operation <= BN_EXCHANGE_V; }
    bool is_barrier() const { return operation == BN_BARRIER; }
    bool is_reduction() const { return operation == BN_REDUCE || operation == BN_REDUCE_ALL || operation == BN_PREFIX; }
};

inline unsigned char data_byte(int number, int rank, size_t i)
{
    uint64_t mixed =
        (static_cast<uint64_t>(number) * 131 + static_cast<uint64_t>(rank) + 1) * 0x9E3779B97F4A7C15U + i * 0x2545F491U;
    return static_cast<unsigned char>(mixed >> 24);
}

inline Value value_of(const RandomCall& one, int rank)
{
    uint64_t seed = static_cast<uint64_t>(one.number) * 64 + static_cast<uint64_t>(rank);
    return one.keeps_order ? Value{seed * 2 + 3, seed + 1} : Value{seed, seed * 7};
}

inline void combine_values(void* left, const void* right, const bn_fold* fold)
{
    Value* l = static_cast<Value*>(left);
    const Value* r = static_cast<const Value*>(right);
    *l = fold->keeps_order ? Value{l->a * r->a, l->b * r->a + r->b} : Value{l->a + r->a, l->b ^ r->b};
}

class Series {
public:
    Series(World& world, unsigned seed, const std::string& only = "") : world_(world), random_(seed), seed_(seed)
    {
        size_t room = kStride - 4096;
        announces_ = world_.is_processes() || pick(4) == 0;
        for (bn_team& team : world_.teams)
            team.announces = announces_;
        bool is_large = random_() % 16 == 0;
        int count = is_large ? 2 : 1 + static_cast<int>(random_() % 40);
        for (int i = 0; i < count; i++) {
            RandomCall one = make(i, is_large);
            size_t needed = one.src_bytes + one.dst_bytes + 4 * kGuardBytes + 256 + 2 * skew_bytes();
            if (used_ + needed > room)
                break;
            place(&one);
            if (only.empty() || one.text(world.size()).find(only) != std::string::npos)
                calls.push_back(one);
        }
    }

    // Called by all members at the same time; failures are reported by gtest.
    void run(bn_team* team)
    {
        delay_random.seed(seed_ * 31 + static_cast<unsigned>(team->rank));
        for (const RandomCall& one : calls) {
            fill_guards(one, team->rank);
            if (one.call.in == BN_SYNC_NO)
                fill(one, team->rank);
        }
        bn_team_barrier(team);
        for (const RandomCall& one : calls)
            carry_out(one, team);
        bn_team_barrier(team);
        for (const RandomCall& one : calls) {
            if (!one.is_reduction() && one.call.out == BN_SYNC_NO)
                check(one, team->rank);
            check_guards(one, team->rank);
        }
        bn_team_barrier(team);
    }

    std::vector<RandomCall> calls;

private:
    int pick(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }

    size_t pick_bytes(bool is_large)
    {
        static const size_t small[] = {0,  1,   2,   7,    8,    55,   56,   57,   63,   64,
                                       65, 127, 128, 1000, 4095, 4096, 4097, 8192, 12289};
        static const size_t large[] = {32767, 32768, 32769, 65536, 100003, (1 << 20) + 3};
        return is_large ? large[pick(6)] : small[pick(19)];
    }

    RandomCall make(int number, bool is_large)
    {
        RandomCall one = {};
        size_t n = static_cast<size_t>(world_.size());
        int entries;
        one.number = number + static_cast<int>(seed_ % 1000) * 64;
        one.operation = static_cast<bn_operation>(pick(BN_OPERATION_COUNT));
        const bn_entry* registry = bn_registry(one.operation, &entries);
        do {
            one.entry = &registry[pick(entries)];
        } while (!bn_entry_is_there(one.entry, &world_.teams[0]));
        size_t nbytes = pick_bytes(is_large);
        bool is_by_blocks = one.operation != BN_BROADCAST && one.operation != BN_PERMUTE;
        if (is_by_blocks && nbytes * n > (size_t{3} << 19))
            nbytes = (size_t{3} << 19) / n;
        size_t limit_bytes = bn_entry_limit(one.entry, &world_.teams[0]);
        if (limit_bytes != 0 && nbytes > limit_bytes)
            nbytes = 1 + nbytes % limit_bytes;
        if (one.is_barrier())
            nbytes = sizeof one.number;
        one.call.nbytes = nbytes;
        one.call.root = pick(world_.size());
        one.call.in = static_cast<bn_sync>(pick(BN_SYNC_COUNT));
        one.call.out = static_cast<bn_sync>(pick(BN_SYNC_COUNT));
        if (announces_)
            one.call.in = BN_SYNC_MY;
        one.keeps_order = pick(2) == 0;
        one.absent = pick(2) ? static_cast<uint64_t>(random_()) * random_() : 0;
        bool src_is_array = one.operation == BN_SCATTER || one.operation == BN_EXCHANGE;
        bool dst_is_array =
            one.operation == BN_GATHER || one.operation == BN_GATHER_ALL || one.operation == BN_EXCHANGE;
        if (one.is_barrier())
            one.call.in = one.call.out = BN_SYNC_ALL;
        else if (world_.is_processes())  // members do not access each other's memory
            one.call.out = BN_SYNC_MY;
        one.src_bytes = one.is_reduction() ? 0 : src_is_array ? n * nbytes : nbytes;
        one.dst_bytes = one.is_reduction() || one.is_barrier() ? 0 : dst_is_array ? n * nbytes : nbytes;
        if (one.has_parts())
            make_parts(&one);
        if (is_of_vectors(one.operation) && nbytes > 0)
            make_vectors_of(&one);
        one.perm.resize(n);
        for (size_t i = 0; i < n; i++)
            one.perm[i] = static_cast<int>(i);
        for (size_t i = n; i > 1; i--)
            std::swap(one.perm[i - 1], one.perm[random_() % i]);
        return one;
    }

    // Whether a rank has a block for another one
    static bool sends(const RandomCall& one, int from, int to)
    {
        return (one.operation != BN_SCATTER_V || from == one.call.root) &&
               (one.operation != BN_GATHER_V || to == one.call.root);
    }

    void make_parts(RandomCall* one)
    {
        static const size_t sizes[] = {0,    1,    7,    64,   500,   760,   1016,  1017,  1024,
                                       4088, 4089, 8184, 8185, 12289, 32752, 32760, 100003};
        int n = world_.size();
        int count = n <= 4 ? 17 : n <= 8 ? 14 : 9;
        bool is_same = one->operation == BN_GATHER_V || one->operation == BN_GATHER_ALL_V;
        one->call.nbytes = 1;
        one->src_bytes = one->dst_bytes = 0;
        one->out.resize(static_cast<size_t>(n));
        one->in.resize(static_cast<size_t>(n));
        for (int from = 0; from < n; from++) {
            size_t bytes = 0;
            for (int to = 0; to < n; to++) {
                if (to == 0 || !is_same)
                    bytes = sizes[pick(count)];
                add_part(&one->out[static_cast<size_t>(from)], sends(*one, from, to) ? bytes : 0, is_same);
                add_part(&one->in[static_cast<size_t>(to)], sends(*one, from, to) ? bytes : 0,
                         one->operation == BN_SCATTER_V);
            }
        }
        for (const Parts& parts : one->out)
            one->src_bytes = std::max(one->src_bytes, parts.end);
        for (const Parts& parts : one->in)
            one->dst_bytes = std::max(one->dst_bytes, parts.end);
    }

    void add_part(Parts* parts, size_t bytes, bool is_alone)
    {
        size_t gap = static_cast<size_t>(pick(3)) * 5;
        parts->offsets.push_back(is_alone ? 0 : parts->end + gap);
        parts->bytes.push_back(bytes);
        parts->end = std::max(parts->end, parts->offsets.back() + bytes);
    }

    void make_vectors_of(RandomCall* one)
    {
        one->vectors = make_vectors(one->operation, one->call.nbytes, world_.size(), random_);
        one->call.nbytes = one->vectors.count * one->vectors.element_bytes;
        one->src_bytes = one->dst_bytes = one->call.nbytes;
        uint64_t some = random_();
        one->vectors.in_place = pick(2) ? 0 : announces_ ? some : ~uint64_t{0};
    }

    size_t take(size_t bytes, size_t misaligned)
    {
        size_t offset = (used_ + 63) / 64 * 64 + misaligned;
        used_ = offset + bytes;
        return offset;
    }

    size_t skew_bytes() const { return announces_ ? kSkew * static_cast<size_t>(world_.size()) : 0; }

    // The address of a rank's data
    unsigned char* src(const RandomCall& one, int rank) const
    {
        if (one.vectors.is_in_place(rank))
            return dst(one, rank);
        return world_.memory(rank) + one.src_offset + (announces_ ? kSkew * static_cast<size_t>(rank) : 0);
    }
    unsigned char* dst(const RandomCall& one, int rank) const
    {
        return world_.memory(rank) + one.dst_offset + (announces_ ? kSkew * static_cast<size_t>(rank) : 0);
    }

    // The call as made by a rank
    bn_call call_of(const RandomCall& one, int rank) const
    {
        bn_call call = one.call;
        if (announces_) {
            call.src = has_src(one, rank) ? reinterpret_cast<uint64_t>(src(one, rank)) : 0;
            call.dst = has_dst(one, rank) ? reinterpret_cast<uint64_t>(dst(one, rank)) : 0;
        }
        return call;
    }

    void place(RandomCall* one)
    {
        one->perm_offset = take(sizeof(int), 0);
        one->src_offset = take(one->src_bytes + skew_bytes(), random_() % 16);
        one->dst_offset = take(one->dst_bytes + skew_bytes() + kGuardBytes, kGuardBytes + random_() % 16);
        uint64_t base = reinterpret_cast<uint64_t>(world_.memory(0));
        uint64_t root = reinterpret_cast<uint64_t>(world_.memory(one->call.root));
        bool src_at_root =
            one->operation == BN_BROADCAST || one->operation == BN_SCATTER || one->operation == BN_SCATTER_V;
        bool dst_at_root = one->operation == BN_GATHER || one->operation == BN_GATHER_V || one->operation == BN_COMBINE;
        one->call.src = (src_at_root ? root : base) + one->src_offset;
        one->call.dst = (dst_at_root ? root : base) + one->dst_offset;
        if (one->vectors.is_in_place(one->call.root))
            one->call.src = base + one->dst_offset;
        one->call.perm = base + one->perm_offset;
    }

    // Which ranks have data: all, except src on other ranks than the root for broadcast and scatter, and dst for gather
    static bool has_src(const RandomCall& one, int rank)
    {
        return rank == one.call.root ||
               (one.operation != BN_BROADCAST && one.operation != BN_SCATTER && one.operation != BN_SCATTER_V);
    }
    static bool has_dst(const RandomCall& one, int rank)
    {
        return rank == one.call.root ||
               (one.operation != BN_GATHER && one.operation != BN_GATHER_V && one.operation != BN_COMBINE);
    }

    void fill(const RandomCall& one, int rank) const
    {
        if (has_dst(one, rank))
            memset(dst(one, rank), 0xA5, one.dst_bytes);
        if (has_src(one, rank)) {
            for (size_t i = 0; i < one.src_bytes; i++)
                src(one, rank)[i] = data_byte(one.number, rank, i);
        }
        memcpy(world_.memory(rank) + one.perm_offset, &one.perm[static_cast<size_t>(rank)], sizeof(int));
    }

    void fill_guards(const RandomCall& one, int rank) const
    {
        unsigned char* begin = dst(one, rank);
        memset(begin - kGuardBytes, 0xC3, kGuardBytes);
        memset(begin + one.dst_bytes, 0xC3, kGuardBytes);
    }

    void check_guards(const RandomCall& one, int rank) const
    {
        const unsigned char* begin = dst(one, rank);
        for (size_t i = 0; i < kGuardBytes; i++) {
            ASSERT_EQ((begin - kGuardBytes)[i], 0xC3) << one.text(world_.size()) << ": before dst of rank " << rank;
            ASSERT_EQ(begin[one.dst_bytes + i], 0xC3) << one.text(world_.size()) << ": behind dst of rank " << rank;
        }
    }

    // The expected byte i of dst on `rank`
    unsigned char expected(const RandomCall& one, int rank, size_t i) const
    {
        size_t nbytes = one.call.nbytes;
        int block = static_cast<int>(i / nbytes);
        size_t within = i % nbytes;
        switch (one.operation) {
        case BN_BROADCAST: return data_byte(one.number, one.call.root, i);
        case BN_SCATTER: return data_byte(one.number, one.call.root, static_cast<size_t>(rank) * nbytes + i);
        case BN_GATHER:
        case BN_GATHER_ALL: return data_byte(one.number, block, within);
        case BN_EXCHANGE: return data_byte(one.number, block, static_cast<size_t>(rank) * nbytes + within);
        default:
            for (int from = 0;; from++) {
                if (one.perm[static_cast<size_t>(from)] == rank)
                    return data_byte(one.number, from, i);
            }
        }
    }

    // Checks that blocks are right, and gaps between them unchanged.
    void check_parts(const RandomCall& one, int rank) const
    {
        std::vector<unsigned char> wanted(one.dst_bytes, 0xA5);
        const Parts& in = one.in[static_cast<size_t>(rank)];
        for (int from = 0; from < world_.size(); from++) {
            size_t place = one.out[static_cast<size_t>(from)].offsets[static_cast<size_t>(rank)];
            size_t begin = in.offsets[static_cast<size_t>(from)];
            for (size_t i = 0; i < in.bytes[static_cast<size_t>(from)]; i++)
                wanted[begin + i] = data_byte(one.number, from, place + i);
        }
        ASSERT_TRUE(std::equal(wanted.begin(), wanted.end(), dst(one, rank)))
            << one.text(world_.size()) << ": rank " << rank;
    }

    // The expected byte i of dst on `rank`.  In combine_scatter, bytes after a part are undefined if they were src.
    unsigned char expected_of_vectors(const RandomCall& one, int rank, size_t i) const
    {
        const Vectors& vectors = one.vectors;
        bool is_scatter = one.operation == BN_COMBINE_SCATTER;
        int last = one.operation == BN_COMBINE_PREFIX ? rank - vectors.is_exclusive : world_.size() - 1;
        if (is_scatter && i >= vectors.part_bytes(rank))
            return vectors.is_in_place(rank) ? dst(one, rank)[i] : 0xA5;
        if (last < 0)
            return vectors.is_in_place(rank) ? data_byte(one.number, rank, i) : 0xA5;
        size_t place = is_scatter ? vectors.first_byte(rank) + i : i;
        unsigned char result = data_byte(one.number, 0, place);
        for (int from = 1; from <= last; from++)
            result = combine_bytes(result, data_byte(one.number, from, place), vectors.keeps_order);
        return result;
    }

    void check_vectors(const RandomCall& one, int rank) const
    {
        bool is_large = one.dst_bytes >= 16384;
        bool is_equal = true;
        for (size_t i = 0; i < one.dst_bytes; i += is_large && i % 4096 >= 8 && i + 16 < one.dst_bytes ? 61 : 1) {
            if (has_dst(one, rank))
                is_equal &= dst(one, rank)[i] == expected_of_vectors(one, rank, i);
            if (!one.vectors.is_in_place(rank))
                is_equal &= src(one, rank)[i] == data_byte(one.number, rank, i);
        }
        ASSERT_TRUE(is_equal) << one.text(world_.size()) << ": rank " << rank << ", elements of "
                              << one.vectors.element_bytes;
    }

    void check(const RandomCall& one, int rank) const
    {
        const unsigned char* result = dst(one, rank);
        if (is_of_vectors(one.operation)) {
            check_vectors(one, rank);
            return;
        }
        if (!has_dst(one, rank))
            return;
        if (one.has_parts()) {
            check_parts(one, rank);
            return;
        }
        if (one.dst_bytes < 65536) {
            for (size_t i = 0; i < one.dst_bytes; i++)
                ASSERT_EQ(result[i], expected(one, rank, i))
                    << one.text(world_.size()) << ": rank " << rank << ", byte " << i;
            return;
        }
        // A division for each byte would take most of the time.
        bool is_equal = true;
        for (size_t i = 0; i < one.dst_bytes; i += i % 4096 < 8 || i + 16 > one.dst_bytes ? 1 : 61)
            is_equal &= result[i] == expected(one, rank, i);
        ASSERT_TRUE(is_equal) << one.text(world_.size()) << ": rank " << rank;
    }

    void scribble(const RandomCall& one, int rank) const
    {
        if (has_src(one, rank))
            memset(src(one, rank), 0xEE, one.src_bytes);
    }

    void carry_out(const RandomCall& one, bn_team* team) const
    {
        int next = bn_team_rotate(team, team->rank, team->size > 1 ? 1 : 0);
        delay_at_random();
        ASSERT_TRUE(bn_plans_force(team, one.operation, one.entry->name));
        if (one.is_reduction()) {
            reduce(one, team);
            return;
        }
        if (one.is_barrier()) {
            meet(one, team);
            return;
        }
        if (one.call.in == BN_SYNC_MY)
            fill(one, team->rank);
        if (one.call.in == BN_SYNC_ALL)
            fill(one, next);
        bn_call call = call_of(one, team->rank);
        bn_block_table out, in;
        if (one.has_parts()) {
            const Parts& given = one.out[static_cast<size_t>(team->rank)];
            const Parts& taken = one.in[static_cast<size_t>(team->rank)];
            size_t root = static_cast<size_t>(call.root);
            out = {given.bytes.data(), given.offsets.data()};
            in = {taken.bytes.data(), taken.offsets.data()};
            bool has_out = one.operation == BN_EXCHANGE_V || (one.operation == BN_SCATTER_V && team->rank == call.root);
            bool has_in = one.operation == BN_GATHER_ALL_V || one.operation == BN_EXCHANGE_V ||
                          (one.operation == BN_GATHER_V && team->rank == call.root);
            call.src_parts = has_out ? &out : nullptr;
            call.dst_parts = has_in ? &in : nullptr;
            call.own_bytes = one.operation == BN_SCATTER_V ? taken.bytes[root] : given.bytes[root];
        }
        const bn_vector vector = vector_of(one.vectors);
        call.vector = &vector;
        ASSERT_EQ(bn_operation_run(team, one.operation, &call), BN_OK);
        if (one.call.out == BN_SYNC_NO)
            return;
        check(one, one.call.out == BN_SYNC_MY ? team->rank : next);
        scribble(one, one.call.out == BN_SYNC_MY ? team->rank : next);
    }

    // Checks that all see what each wrote before.  All later barriers, also of other operations, use this algorithm.
    void meet(const RandomCall& one, bn_team* team) const
    {
        memcpy(world_.memory(team->rank) + one.src_offset, &one.number, sizeof one.number);
        ASSERT_EQ(bn_operation_run(team, BN_BARRIER, &one.call), BN_OK);
        for (int rank = 0; rank < team->size; rank++) {
            if (world_.is_processes() && rank != team->rank)
                continue;
            ASSERT_EQ(memcmp(world_.memory(rank) + one.src_offset, &one.number, sizeof one.number), 0)
                << one.text(team->size);
        }
    }

    static bool is_absent(const RandomCall& one, int rank) { return one.absent >> rank & 1; }

    void reduce(const RandomCall& one, bn_team* team) const
    {
        alignas(16) Value value = value_of(one, team->rank);
        bn_fold fold = {&value,
                        !is_absent(one, team->rank),
                        one.keeps_order,
                        sizeof value,
                        combine_values,
                        0,
                        nullptr,
                        BN_VALUE_ULONG,
                        false};
        bn_call call = one.call;
        call.fold = &fold;
        call.nbytes = sizeof value;
        ASSERT_EQ(bn_operation_run(team, one.operation, &call), BN_OK);
        if (one.operation == BN_REDUCE && team->rank != call.root)
            return;
        int count = one.operation == BN_PREFIX ? team->rank : team->size;
        Value result = {};
        bool is_given = false;
        for (int rank = 0; rank < count; rank++) {
            Value other = value_of(one, rank);
            if (is_absent(one, rank))
                continue;
            if (is_given)
                combine_values(&result, &other, &fold);
            else
                result = other;
            is_given = true;
        }
        ASSERT_EQ(fold.is_given, is_given) << one.text(team->size) << ": rank " << team->rank;
        if (is_given) {
            ASSERT_EQ(value.a, result.a) << one.text(team->size) << ": rank " << team->rank;
            ASSERT_EQ(value.b, result.b) << one.text(team->size) << ": rank " << team->rank;
        }
    }

    World& world_;
    std::minstd_rand random_;
    unsigned seed_;
    size_t used_ = 64;
    bool announces_ = false;
};
