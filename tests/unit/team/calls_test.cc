#include "processes.h"

#include <cstdint>
#include <cstring>
#include <numeric>

namespace {

// The i-th byte that rank a has for rank b
unsigned char byte_of(int a, int b, size_t i)
{
    return static_cast<unsigned char>(a * 31 + b * 7 + static_cast<int>(i % 251) + 1);
}

// A buffer of a member, in memory of one of three kinds, by turns
class Buffer {
public:
    Buffer(banyan_team* team, size_t bytes, unsigned kind) : team_(team), is_shared_(kind % 2 != 0)
    {
        memory_ = is_shared_ ? banyan_alloc(team, bytes) : calloc(1, bytes + 1);
        EXPECT_NE(memory_, nullptr);
    }
    ~Buffer()
    {
        if (is_shared_)
            banyan_free(team_, memory_);
        else
            free(memory_);
    }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    unsigned char* bytes() { return static_cast<unsigned char*>(memory_); }
    template <class T>
    T* of()
    {
        return static_cast<T*>(memory_);
    }

private:
    banyan_team* team_;
    bool is_shared_;
    void* memory_;
};

void fill(unsigned char* to, int a, int b, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        to[i] = byte_of(a, b, i);
}

void expect(const unsigned char* at, int a, int b, size_t bytes, const char* call)
{
    for (size_t i = 0; i < bytes; i++)
        ASSERT_EQ(at[i], byte_of(a, b, i)) << call << " of " << bytes << " bytes, byte " << i;
}

void move_blocks(banyan_team* team, size_t bytes, unsigned kind)
{
    int rank = banyan_team_rank(team), size = banyan_team_size(team), root = static_cast<int>(kind) % size;
    size_t all = static_cast<size_t>(size) * bytes;
    Buffer one(team, bytes, kind + static_cast<unsigned>(rank)), many(team, all, kind), more(team, all, kind / 2);
    fill(one.bytes(), rank == root ? root : 99, 0, bytes);
    ASSERT_EQ(banyan_broadcast(team, one.bytes(), bytes, root), BANYAN_OK) << banyan_error();
    expect(one.bytes(), root, 0, bytes, "broadcast");

    for (int r = 0; r < size; r++)
        fill(many.bytes() + static_cast<size_t>(r) * bytes, rank, r, bytes);
    bool keeps = kind % 3 == 0 && rank == root;
    ASSERT_EQ(banyan_scatter(team, many.bytes(), keeps ? nullptr : one.bytes(), bytes, root), BANYAN_OK);
    if (!keeps)
        expect(one.bytes(), root, rank, bytes, "scatter");

    fill(one.bytes(), rank, 5, bytes);
    memcpy(more.bytes() + static_cast<size_t>(rank) * bytes, one.bytes(), bytes);
    ASSERT_EQ(banyan_gather(team, keeps ? nullptr : one.bytes(), more.bytes(), bytes, root), BANYAN_OK);
    for (int r = 0; r < size && rank == root; r++)
        expect(more.bytes() + static_cast<size_t>(r) * bytes, r, 5, bytes, "gather");

    memset(more.bytes(), 0, all);
    memcpy(more.bytes() + static_cast<size_t>(rank) * bytes, one.bytes(), bytes);
    ASSERT_EQ(banyan_allgather(team, kind % 3 == 1 ? nullptr : one.bytes(), more.bytes(), bytes), BANYAN_OK);
    for (int r = 0; r < size; r++)
        expect(more.bytes() + static_cast<size_t>(r) * bytes, r, 5, bytes, "allgather");

    bool is_in_place = kind % 3 == 2;
    if (is_in_place)
        memcpy(more.bytes(), many.bytes(), all);
    ASSERT_EQ(banyan_alltoall(team, is_in_place ? nullptr : many.bytes(), more.bytes(), bytes), BANYAN_OK);
    for (int r = 0; r < size; r++)
        expect(more.bytes() + static_cast<size_t>(r) * bytes, r, rank, bytes, "alltoall");
    ASSERT_EQ(banyan_barrier(team), BANYAN_OK);
}

// Blocks of unit, 2 unit, ... bytes, with gaps between them, in another order
void move_parts(banyan_team* team, size_t unit, unsigned kind)
{
    int rank = banyan_team_rank(team), size = banyan_team_size(team), root = static_cast<int>(kind) % size;
    std::vector<size_t> bytes, offsets(static_cast<size_t>(size)), own(static_cast<size_t>(size));
    size_t end = 3;
    for (int r = 0; r < size; r++)
        bytes.push_back(static_cast<size_t>(r) * unit);
    for (int r = size - 1; r >= 0; r--) {
        offsets[static_cast<size_t>(r)] = end;
        end += static_cast<size_t>(size) * unit + 5;
    }
    size_t mine = bytes[static_cast<size_t>(rank)];
    Buffer one(team, mine, kind), many(team, end, kind), more(team, end, kind + 1);
    for (size_t r = 0; r < bytes.size(); r++)
        fill(many.bytes() + offsets[r], rank, static_cast<int>(r), bytes[r]);
    ASSERT_EQ(banyan_scatterv(team, many.bytes(), bytes.data(), offsets.data(), one.bytes(), mine, root), BANYAN_OK);
    expect(one.bytes(), root, rank, mine, "scatterv");
    fill(one.bytes(), rank, 3, mine);
    ASSERT_EQ(banyan_gatherv(team, one.bytes(), mine, more.bytes(), bytes.data(), offsets.data(), root), BANYAN_OK);
    for (size_t r = 0; r < bytes.size() && rank == root; r++)
        expect(more.bytes() + offsets[r], static_cast<int>(r), 3, bytes[r], "gatherv");
    ASSERT_EQ(banyan_allgatherv(team, one.bytes(), more.bytes(), bytes.data(), offsets.data()), BANYAN_OK);
    for (size_t r = 0; r < bytes.size(); r++)
        expect(more.bytes() + offsets[r], static_cast<int>(r), 3, bytes[r], "allgatherv");
    // Rank r sends bytes[s] to rank s, so it receives its own size from all.
    std::fill(own.begin(), own.end(), mine);
    ASSERT_EQ(
        banyan_alltoallv(team, many.bytes(), bytes.data(), offsets.data(), more.bytes(), own.data(), offsets.data()),
        BANYAN_OK);
    for (size_t r = 0; r < bytes.size(); r++)
        expect(more.bytes() + offsets[r], static_cast<int>(r), rank, mine, "alltoallv");
}

void reduce_doubles(banyan_team* team, size_t count, unsigned kind)
{
    int rank = banyan_team_rank(team), size = banyan_team_size(team), root = static_cast<int>(kind) % size;
    Buffer from(team, count * 8, kind), to(team, count * 8, kind / 2);
    bool is_in_place = kind % 3 == 1;
    auto value = [](int r, size_t i) { return static_cast<double>(r + 1) + static_cast<double>(i % 100); };
    auto sum_to = [&](int last, size_t i) {
        double sum = 0;
        for (int r = 0; r <= last; r++)
            sum += value(r, i);
        return sum;
    };
    auto begin = [&] {
        for (size_t i = 0; i < count; i++) {
            from.of<double>()[i] = value(rank, i);
            to.of<double>()[i] = is_in_place ? value(rank, i) : -1;
        }
    };
    const void* send = is_in_place ? nullptr : from.bytes();
    begin();
    ASSERT_EQ(banyan_allreduce(team, send, to.bytes(), count, BANYAN_FLOAT64, BANYAN_SUM), BANYAN_OK);
    for (size_t i = 0; i < count; i++)
        ASSERT_EQ(to.of<double>()[i], sum_to(size - 1, i)) << "allreduce of " << count;
    begin();
    ASSERT_EQ(
        banyan_reduce(team, rank == root ? send : from.bytes(), to.bytes(), count, BANYAN_FLOAT64, BANYAN_SUM, root),
        BANYAN_OK);
    for (size_t i = 0; i < count && rank == root; i++)
        ASSERT_EQ(to.of<double>()[i], sum_to(size - 1, i)) << "reduce of " << count;
    begin();
    ASSERT_EQ(banyan_scan(team, send, to.bytes(), count, BANYAN_FLOAT64, BANYAN_SUM), BANYAN_OK);
    for (size_t i = 0; i < count; i++)
        ASSERT_EQ(to.of<double>()[i], sum_to(rank, i)) << "scan of " << count;
    begin();
    ASSERT_EQ(banyan_exscan(team, send, to.bytes(), count, BANYAN_FLOAT64, BANYAN_SUM), BANYAN_OK);
    for (size_t i = 0; i < count && rank > 0; i++)
        ASSERT_EQ(to.of<double>()[i], sum_to(rank - 1, i)) << "exscan of " << count;
    std::vector<size_t> counts(static_cast<size_t>(size), count / static_cast<size_t>(size));
    counts.back() += count % static_cast<size_t>(size);
    size_t first = static_cast<size_t>(rank) * counts[0];
    begin();
    ASSERT_EQ(banyan_reduce_scatter(team, send, to.bytes(), counts.data(), BANYAN_FLOAT64, BANYAN_SUM), BANYAN_OK);
    for (size_t i = 0; i < counts[static_cast<size_t>(rank)]; i++)
        ASSERT_EQ(to.of<double>()[i], sum_to(size - 1, first + i)) << "reduce_scatter of " << count;
}

TEST(Calls, MoveAndCombineWhatTheyShouldInAnyMemory)
{
    for (int size : {1, 2, 3, 5}) {
        in_team(size, [](banyan_team* team) {
            unsigned kind = 0;
            for (size_t bytes : {size_t{1}, size_t{8}, size_t{1000}, size_t{9000}, size_t{70001}, size_t{0}})
                for (int turn = 0; turn < 6 && !testing::Test::HasFailure(); turn++) {
                    move_blocks(team, bytes, kind);
                    move_parts(team, bytes, kind);
                    reduce_doubles(team, bytes, kind++);
                }
        });
    }
}

// 2 x 2 matrices, whose product depends on the order
void multiply(const void* left, void* right, size_t count, void* context)
{
    auto* a = static_cast<const uint64_t(*)[4]>(left);
    auto* b = static_cast<uint64_t(*)[4]>(right);
    ++*static_cast<int*>(context);
    for (size_t i = 0; i < count; i++) {
        const uint64_t product[4] = {a[i][0] * b[i][0] + a[i][1] * b[i][2], a[i][0] * b[i][1] + a[i][1] * b[i][3],
                                     a[i][2] * b[i][0] + a[i][3] * b[i][2], a[i][2] * b[i][1] + a[i][3] * b[i][3]};
        memcpy(b[i], product, sizeof product);
    }
}

TEST(Calls, AnOperatorOfTheCallerKeepsTheOrderOfRanks)
{
    in_team(4, [](banyan_team* team) {
        int calls = 0;
        const banyan_operator by = {32, false, multiply, &calls};
        uint64_t power[4] = {1, 0, 0, 1}, matrix[4];
        auto matrix_of = [&](int r) {
            const uint64_t number = static_cast<uint64_t>(r) + 2;
            const uint64_t made[4] = {number, 1, number * 3, number + 5};
            memcpy(matrix, made, sizeof made);
        };
        for (int r = banyan_team_size(team) - 1; r >= 0; r--) {
            matrix_of(r);
            int ignored = 0;
            multiply(matrix, power, 1, &ignored);
        }
        matrix_of(banyan_team_rank(team));
        ASSERT_EQ(banyan_allreduce_by(team, nullptr, matrix, 1, &by), BANYAN_OK) << banyan_error();
        EXPECT_EQ(memcmp(matrix, power, sizeof power), 0);
    });
}

// Small ones end, and say so; larger ones go ways that do not meet.
TEST(Calls, SizesThatDifferAreToldByWhoNotices)
{
    for (size_t scale : {1, 5000}) {
        in_team(2, [scale](banyan_team* team) {
            size_t count = scale * (banyan_team_rank(team) == 0 ? 4 : 2500);
            std::vector<float> values(count, 1);
            EXPECT_EQ(banyan_allreduce(team, nullptr, values.data(), count, BANYAN_FLOAT32, BANYAN_SUM),
                      BANYAN_MISMATCH);
            EXPECT_NE(std::string(banyan_error()).find("calls allreduce with "), std::string::npos) << banyan_error();
            EXPECT_NE(banyan_barrier(team), BANYAN_OK);
        });
    }
}

// Nothing is written beyond what the root has given room for, and it is told.
TEST(Calls, BlocksThatDoNotFitAreTold)
{
    for (size_t bytes : {8, 100000}) {
        in_team(2, [bytes](banyan_team* team) {
            const size_t room[] = {bytes, bytes / 2}, offsets[] = {0, bytes};
            std::vector<char> values(bytes, 1), all(2 * bytes, 0);
            banyan_status status = banyan_gatherv(team, values.data(), bytes, all.data(), room, offsets, 0);
            EXPECT_EQ(status, banyan_team_rank(team) == 0 ? BANYAN_MISMATCH : BANYAN_OK) << banyan_error();
            EXPECT_EQ(all[bytes + bytes / 2], 0);
        });
    }
}

TEST(Calls, RootsThatDifferAreTold)
{
    in_team(2, [](banyan_team* team) {
        std::vector<char> values(100000);
        banyan_status status = banyan_broadcast(team, values.data(), values.size(), banyan_team_rank(team));
        EXPECT_EQ(status, BANYAN_MISMATCH);
        EXPECT_NE(std::string(banyan_error()).find("with root"), std::string::npos) << banyan_error();
    });
}

// A call without data is no more than a barrier, and neither announces anything.
TEST(Calls, AMeetingThatOthersDoNotComeToIsTold)
{
    for (bool has_empty : {false, true}) {
        in_team(3, [has_empty](banyan_team* team) {
            double values[3] = {1, 1, 1};
            for (int round = 0; round < 3; round++) {
                ASSERT_EQ(banyan_allreduce(team, nullptr, values, 3, BANYAN_FLOAT64, BANYAN_MAX), BANYAN_OK);
                ASSERT_EQ(banyan_barrier(team), BANYAN_OK);
            }
            if (banyan_team_rank(team) == 0) {
                EXPECT_EQ(has_empty ? banyan_allreduce(team, nullptr, values, 0, BANYAN_FLOAT64, BANYAN_MAX)
                                    : banyan_barrier(team),
                          BANYAN_MISMATCH);
                EXPECT_NE(std::string(banyan_error()).find("calls allreduce"), std::string::npos) << banyan_error();
            } else {
                EXPECT_NE(banyan_allreduce(team, nullptr, values, 3, BANYAN_FLOAT64, BANYAN_MAX), BANYAN_OK);
            }
        });
    }
}

TEST(Calls, WrongArgumentsAreToldAndLeaveTheTeamAsItWas)
{
    in_team(2, [](banyan_team* team) {
        double x = 1;
        banyan_operator by = {0, true, multiply, nullptr};
        auto expect = [](banyan_status status, const char* text) {
            EXPECT_EQ(status, BANYAN_ARGUMENT);
            EXPECT_NE(std::string(banyan_error()).find(text), std::string::npos) << banyan_error();
        };
        expect(banyan_broadcast(team, &x, 8, 2), "root must be 0 to 1, not 2");
        expect(banyan_broadcast(team, nullptr, 8, 0), "buffer is null");
        expect(banyan_broadcast(nullptr, &x, 8, 0), "the team is null");
        expect(banyan_gather(team, &x, &x, 8, -1), "root must be 0 to 1, not -1");
        expect(banyan_allreduce(team, nullptr, nullptr, 1, BANYAN_FLOAT64, BANYAN_SUM), "null");
        expect(banyan_allreduce(team, nullptr, &x, 1, BANYAN_FLOAT64, BANYAN_BXOR),
               "bxor is not defined for type float64");
        expect(banyan_allreduce(team, nullptr, &x, 1, static_cast<banyan_type>(77), BANYAN_SUM),
               "sum is not defined for type 77");
        expect(banyan_allreduce_by(team, nullptr, &x, 1, &by), "elements of a byte");
        expect(banyan_reduce_scatter(team, nullptr, &x, nullptr, BANYAN_FLOAT64, BANYAN_SUM), "counts are null");
        const size_t sizes[] = {SIZE_MAX, 1}, ones[] = {1, 1}, none[] = {0, SIZE_MAX};
        expect(banyan_broadcast(team, &x, SIZE_MAX, 0), "banyan_broadcast: 1 times");
        expect(banyan_scatter(team, &x, &x, SIZE_MAX / 2, 0), "banyan_scatter: 2 times");
        expect(banyan_gather(team, &x, &x, SIZE_MAX / 2, 0), "banyan_gather: 2 times");
        expect(banyan_allgather(team, nullptr, &x, SIZE_MAX / 2 + 5), "banyan_allgather: 2 times");
        expect(banyan_alltoall(team, nullptr, &x, SIZE_MAX / 2 + 5), "banyan_alltoall: 2 times");
        expect(banyan_allgatherv(team, &x, &x, sizes, ones), "bytes at offset 1, for rank 0,");
        expect(banyan_alltoallv(team, &x, ones, none, &x, ones, none), "at offset 18446744073709551615, for rank");
        expect(banyan_scatterv(team, &x, sizes, ones, &x, SIZE_MAX, 0), "any buffer");
        expect(banyan_gatherv(team, &x, SIZE_MAX, &x, sizes, ones, 0), "any buffer");
        expect(banyan_allreduce(team, nullptr, &x, SIZE_MAX / 8 + 2, BANYAN_FLOAT64, BANYAN_SUM), "of 8 bytes");
        expect(banyan_reduce_scatter(team, &x, &x, sizes, BANYAN_INT8, BANYAN_SUM), "of 1 bytes");
        ASSERT_EQ(banyan_allreduce(team, nullptr, &x, 1, BANYAN_FLOAT64, BANYAN_SUM), BANYAN_OK);
        EXPECT_EQ(x, 2);
    });
}

}  // namespace
