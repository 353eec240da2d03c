#include "processes.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <thread>

#include "../runtime/transport/forbid.h"

namespace {

// From a byte to more than what is copied in any way, and what no letter has: nothing
const size_t sizes[] = {0, 1, 8, 1000, 8192, 8193, 70001, 300000};

std::vector<unsigned char> message_of(int from, int to, int tag, size_t bytes)
{
    std::vector<unsigned char> data(bytes);
    for (size_t i = 0; i < bytes; i++)
        data[i] = static_cast<unsigned char>(static_cast<size_t>(from * 31 + to * 7 + tag * 3) + i % 251);
    return data;
}

void send(banyan_team* team, int to, int tag, size_t bytes)
{
    std::vector<unsigned char> data = message_of(banyan_team_rank(team), to, tag, bytes);
    ASSERT_EQ(banyan_send(team, data.data(), bytes, to, tag), BANYAN_OK) << banyan_error();
}

void receive(banyan_team* team, int from, int tag, size_t bytes, bool any_rank = false, bool any_tag = false)
{
    std::vector<unsigned char> data(bytes + 10, 99);
    banyan_received received = {};
    ASSERT_EQ(banyan_recv(team, data.data(), bytes + 10, any_rank ? BANYAN_ANY_RANK : from,
                          any_tag ? BANYAN_ANY_TAG : tag, &received),
              BANYAN_OK)
        << banyan_error();
    std::vector<unsigned char> expected = message_of(received.rank, banyan_team_rank(team), tag, bytes);
    expected.insert(expected.end(), 10, 99);
    EXPECT_EQ(data, expected) << bytes << " bytes from " << from << ", tag " << tag;
    EXPECT_EQ(received.bytes, bytes);
    EXPECT_EQ(received.tag, tag);
    if (!any_rank) {
        EXPECT_EQ(received.rank, from);
    }
}

// Everybody to everybody, itself too, the last ones first, in memory that all see and in its own, by turns
void exchange(banyan_team* team)
{
    int rank = banyan_team_rank(team), size = banyan_team_size(team);
    for (size_t bytes : sizes) {
        auto room_bytes = static_cast<size_t>(size) * bytes + 1;
        auto* shared = static_cast<unsigned char*>(banyan_alloc(team, room_bytes));
        std::vector<unsigned char> own(room_bytes);
        unsigned char* to = rank % 2 == 0 ? shared : own.data();
        std::vector<banyan_message*> messages(static_cast<size_t>(2 * size));
        std::vector<std::vector<unsigned char>> sent;
        for (int other = 0; other < size; other++)
            sent.push_back(message_of(rank, other, 5, bytes));
        for (int other = size - 1; other >= 0; other--) {
            auto i = static_cast<size_t>(other);
            ASSERT_EQ(banyan_post_recv(team, to + i * bytes, bytes, other, 5, &messages[i]), BANYAN_OK);
            ASSERT_EQ(banyan_post_send(team, sent[i].data(), bytes, other, 5, &messages[i + sent.size()]), BANYAN_OK);
        }
        for (banyan_message*& message : messages) {
            banyan_received received = {};
            ASSERT_EQ(banyan_wait(team, &message, &received), BANYAN_OK) << banyan_error();
            EXPECT_EQ(received.bytes, bytes);
            EXPECT_EQ(message, nullptr);
        }
        for (int other = 0; other < size; other++) {
            auto expected = message_of(other, rank, 5, bytes);
            EXPECT_TRUE(std::equal(expected.begin(), expected.end(), to + static_cast<size_t>(other) * bytes))
                << other << ", " << bytes;
        }
        banyan_free(team, shared);
    }
}

void pass_on(banyan_team* team)
{
    int rank = banyan_team_rank(team), size = banyan_team_size(team);
    for (size_t bytes : sizes)
        for (int turn = 0; turn < 3; turn++) {
            if (rank > 0)
                receive(team, rank - 1, turn, bytes, turn == 1, turn == 2);
            if (rank + 1 < size)
                send(team, rank + 1, turn, bytes);
        }
}

TEST(Messages, OfAnySizeBetweenAnyTwo)
{
    for (int size : {1, 2, 3, 4})
        in_team(size, [](banyan_team* team) {
            exchange(team);
            pass_on(team);
            ASSERT_EQ(banyan_barrier(team), BANYAN_OK);
        });
}

TEST(Messages, WithoutTheKernelsHelp)
{
    std::vector<int> statuses = in_processes(1, [](int) {
        if (forbid_peer_memory(EPERM))
            in_team(3, [](banyan_team* team) {
                exchange(team);
                pass_on(team);
                ASSERT_EQ(banyan_barrier(team), BANYAN_OK);
            });
    });
    EXPECT_EQ(statuses, std::vector<int>(1, 0));
}

TEST(Messages, AreReceivedByTagAndInOrder)
{
    in_team(2, [](banyan_team* team) {
        if (banyan_team_rank(team) == 0) {
            std::vector<banyan_message*> messages;
            std::vector<std::vector<unsigned char>> data;
            for (int tag : {3, 1, 3, 2, 3})
                for (size_t bytes : {size_t{20000}, size_t{3}, size_t{0}}) {
                    data.push_back(message_of(0, 1, tag, bytes));
                    messages.push_back(nullptr);
                    ASSERT_EQ(banyan_post_send(team, data.back().data(), bytes, 1, tag, &messages.back()), BANYAN_OK);
                }
            for (banyan_message*& message : messages)
                ASSERT_EQ(banyan_wait(team, &message, nullptr), BANYAN_OK) << banyan_error();
        } else {
            for (int tag : {2, 3, 1, 3})
                for (size_t bytes : {size_t{20000}, size_t{3}, size_t{0}})
                    receive(team, 0, tag, bytes);
            for (size_t bytes : {size_t{20000}, size_t{3}, size_t{0}})
                receive(team, 0, 3, bytes, true, true);
        }
    });
}

TEST(Messages, ReceivesGetThemInTheOrderInWhichTheyWereAskedFor)
{
    in_team(3, [](banyan_team* team) {
        int rank = banyan_team_rank(team), got[4] = {};
        if (rank == 0) {
            banyan_message* messages[4];
            ASSERT_EQ(banyan_post_recv(team, &got[0], 4, 2, 7, &messages[0]), BANYAN_OK);
            ASSERT_EQ(banyan_post_recv(team, &got[1], 4, BANYAN_ANY_RANK, 7, &messages[1]), BANYAN_OK);
            ASSERT_EQ(banyan_post_recv(team, &got[2], 4, 2, BANYAN_ANY_TAG, &messages[2]), BANYAN_OK);
            ASSERT_EQ(banyan_post_recv(team, &got[3], 4, BANYAN_ANY_RANK, BANYAN_ANY_TAG, &messages[3]), BANYAN_OK);
            ASSERT_EQ(banyan_barrier(team), BANYAN_OK);
            for (int i = 0; i < 3; i++)
                ASSERT_EQ(banyan_wait(team, &messages[i], nullptr), BANYAN_OK);
            ASSERT_EQ(banyan_barrier(team), BANYAN_OK);
            ASSERT_EQ(banyan_wait(team, &messages[3], nullptr), BANYAN_OK);
            EXPECT_EQ(std::vector<int>(got, got + 4), std::vector<int>({20, 21, 22, 10}));
        } else {
            ASSERT_EQ(banyan_barrier(team), BANYAN_OK);
            for (int value = 20; value < 23 && rank == 2; value++)
                ASSERT_EQ(banyan_send(team, &value, 4, 0, 7), BANYAN_OK);
            ASSERT_EQ(banyan_barrier(team), BANYAN_OK);
            int value = 10;
            if (rank == 1) {
                ASSERT_EQ(banyan_send(team, &value, 4, 0, 8), BANYAN_OK);
            }
        }
    });
}

TEST(Messages, ManyAtOnce)
{
    enum { COUNT = 20000, LARGE = 400 };
    in_team(2, [](banyan_team* team) {
        int rank = banyan_team_rank(team);
        std::vector<std::vector<int>> data(COUNT);
        std::vector<banyan_message*> messages(COUNT);
        for (int i = 0; i < COUNT; i++) {
            auto at = static_cast<size_t>(i);
            data[at].assign(i % (COUNT / LARGE) == 0 ? 5000 : 300, rank == 0 ? i : -1);
            banyan_status status =
                rank == 0 ? banyan_post_send(team, data[at].data(), data[at].size() * 4, 1, 0, &messages[at])
                          : banyan_post_recv(team, data[at].data(), data[at].size() * 4, 0, 0, &messages[at]);
            ASSERT_EQ(status, BANYAN_OK) << banyan_error();
        }
        for (banyan_message*& message : messages)
            ASSERT_EQ(banyan_wait(team, &message, nullptr), BANYAN_OK) << banyan_error();
        for (int i = 0; i < COUNT; i++)
            ASSERT_TRUE(std::all_of(data[static_cast<size_t>(i)].begin(), data[static_cast<size_t>(i)].end(),
                                    [i](int value) { return value == i; }))
                << i;
    });
}

TEST(Messages, WhatNobodyReceivesDoesNotFillTheMemory)
{
    in_team(2, [](banyan_team* team) {
        std::vector<unsigned char> data(8000, 1);
        std::vector<banyan_message*> messages(6000);  // 48 MB, of which a part is copied
        if (banyan_team_rank(team) == 0) {
            int ended = 0;
            for (banyan_message*& message : messages) {
                bool has_ended = false;
                ASSERT_EQ(banyan_post_send(team, data.data(), data.size(), 1, 0, &message), BANYAN_OK);
                ASSERT_EQ(banyan_test(team, &message, &has_ended, nullptr), BANYAN_OK);
                ended += has_ended;
            }
            EXPECT_GT(ended, 1000);
            EXPECT_LT(ended, 5000);
        }
        ASSERT_EQ(banyan_barrier(team), BANYAN_OK);
        for (size_t i = 0; i < messages.size() && banyan_team_rank(team) == 1; i++)
            ASSERT_EQ(banyan_recv(team, data.data(), data.size(), 0, 0, nullptr), BANYAN_OK);
        for (banyan_message*& message : messages)
            ASSERT_EQ(banyan_wait(team, &message, nullptr), BANYAN_OK);
    });
}

TEST(Messages, GoOnInCollectives)
{
    in_team(3, [](banyan_team* team) {
        int rank = banyan_team_rank(team);
        std::vector<unsigned char> room(300000);
        banyan_message* message = nullptr;
        if (rank == 0) {
            ASSERT_EQ(banyan_post_recv(team, room.data(), room.size(), 1, 4, &message), BANYAN_OK);
        }
        if (rank == 1)
            send(team, 0, 4, 300000);  // which ends before its barrier begins
        ASSERT_EQ(banyan_barrier(team), BANYAN_OK);
        ASSERT_EQ(banyan_wait(team, &message, nullptr), BANYAN_OK);
        if (rank == 0) {
            EXPECT_EQ(room, message_of(1, 0, 4, 300000));
        }
    });
}

TEST(Messages, WhatHasNoRoomCanStillBeReceived)
{
    in_team(2, [](banyan_team* team) {
        for (size_t bytes : {size_t{100}, size_t{20000}}) {
            if (banyan_team_rank(team) == 0) {
                send(team, 1, 3, bytes);
                send(team, 1, 3, bytes + 1);
            } else {
                std::vector<unsigned char> room(bytes);
                banyan_received received = {};
                EXPECT_EQ(banyan_recv(team, room.data(), bytes - 1, 0, 3, &received), BANYAN_ARGUMENT);
                EXPECT_TRUE(says("there is room for")) << banyan_error();
                EXPECT_EQ(received.bytes, bytes);
                receive(team, 0, 3, bytes);
                receive(team, 0, 3, bytes + 1);
            }
            ASSERT_EQ(banyan_barrier(team), BANYAN_OK);
            // The same for one that was asked for before it came
            banyan_message *small = nullptr, *large = nullptr;
            std::vector<unsigned char> room(bytes);
            if (banyan_team_rank(team) == 1) {
                ASSERT_EQ(banyan_post_recv(team, room.data(), bytes - 1, 0, 3, &small), BANYAN_OK);
                ASSERT_EQ(banyan_post_recv(team, room.data(), bytes, 0, 3, &large), BANYAN_OK);
            }
            ASSERT_EQ(banyan_barrier(team), BANYAN_OK);
            if (banyan_team_rank(team) == 0) {
                send(team, 1, 3, bytes);
            } else {
                EXPECT_EQ(banyan_wait(team, &small, nullptr), BANYAN_ARGUMENT);
                EXPECT_EQ(small, nullptr);
                ASSERT_EQ(banyan_wait(team, &large, nullptr), BANYAN_OK);
                EXPECT_EQ(room, message_of(0, 1, 3, bytes));
            }
        }
    });
}

TEST(Messages, CanBeCancelled)
{
    in_team(2, [](banyan_team* team) {
        bool is_cancelled = false;
        std::vector<unsigned char> data = message_of(0, 1, 1, 50000), room(50000);
        banyan_message *message = nullptr, *other = nullptr;
        if (banyan_team_rank(team) == 0) {
            ASSERT_EQ(banyan_post_send(team, data.data(), data.size(), 1, 1, &message), BANYAN_OK);
            ASSERT_EQ(banyan_cancel(team, &message, &is_cancelled), BANYAN_OK);
            EXPECT_TRUE(is_cancelled);
            EXPECT_EQ(message, nullptr);
            ASSERT_EQ(banyan_cancel(team, &message, &is_cancelled), BANYAN_OK);
            EXPECT_FALSE(is_cancelled);
            data[0] = 77;
            ASSERT_EQ(banyan_post_send(team, data.data(), data.size(), 1, 1, &message), BANYAN_OK);
            ASSERT_EQ(banyan_barrier(team), BANYAN_OK);
            ASSERT_EQ(banyan_wait(team, &message, nullptr), BANYAN_OK);
            ASSERT_EQ(banyan_barrier(team), BANYAN_OK);
            send(team, 1, 2, 3);
        } else {
            ASSERT_EQ(banyan_post_recv(team, room.data(), room.size(), 0, 2, &other), BANYAN_OK);
            ASSERT_EQ(banyan_barrier(team), BANYAN_OK);
            ASSERT_EQ(banyan_recv(team, room.data(), room.size(), 0, 1, nullptr), BANYAN_OK);
            EXPECT_EQ(room[0], 77);
            ASSERT_EQ(banyan_cancel(team, &other, &is_cancelled), BANYAN_OK);
            EXPECT_TRUE(is_cancelled);
            ASSERT_EQ(banyan_barrier(team), BANYAN_OK);
            receive(team, 0, 2, 3);
        }
    });
}

TEST(Messages, TestsTell)
{
    in_team(2, [](banyan_team* team) {
        int rank = banyan_team_rank(team), value = 5;
        bool has_ended = true;
        banyan_message* message = nullptr;
        ASSERT_EQ(banyan_test(team, &message, &has_ended, nullptr), BANYAN_OK);
        EXPECT_TRUE(has_ended);
        if (rank == 1) {
            ASSERT_EQ(banyan_post_recv(team, &value, 4, 0, 0, &message), BANYAN_OK);
            ASSERT_EQ(banyan_test(team, &message, &has_ended, nullptr), BANYAN_OK);
            EXPECT_FALSE(has_ended);
        }
        ASSERT_EQ(banyan_barrier(team), BANYAN_OK);
        if (rank == 0) {
            ASSERT_EQ(banyan_send(team, &value, 4, 1, 0), BANYAN_OK);
        }
        while (message)
            ASSERT_EQ(banyan_test(team, &message, &has_ended, nullptr), BANYAN_OK);
        EXPECT_TRUE(has_ended);
    });
}

// More tests than there are between two looks at the others
TEST(Messages, TestsTellAMemberThatIsAlone)
{
    in_team(1, [](banyan_team* team) {
        int value = 0, sent = 5;
        bool has_ended = true;
        banyan_message* message = nullptr;
        ASSERT_EQ(banyan_post_recv(team, &value, 4, 0, 0, &message), BANYAN_OK);
        for (int i = 0; i < 1000; i++) {
            ASSERT_EQ(banyan_test(team, &message, &has_ended, nullptr), BANYAN_OK);
            ASSERT_FALSE(has_ended);
        }
        ASSERT_EQ(banyan_send(team, &sent, 4, 0, 0), BANYAN_OK);
        ASSERT_EQ(banyan_test(team, &message, &has_ended, nullptr), BANYAN_OK);
        EXPECT_TRUE(has_ended);
        EXPECT_EQ(value, sent);
    });
}

TEST(Messages, WhatWasSentIsThereWhenItsSenderHasLeft)
{
    in_team(2, [](banyan_team* team) {
        if (banyan_team_rank(team) == 0) {
            banyan_message* message = nullptr;
            std::vector<unsigned char> data(100000);
            send(team, 1, 1, 5000);
            ASSERT_EQ(banyan_post_send(team, data.data(), data.size(), 1, 1, &message), BANYAN_OK);
            ASSERT_EQ(banyan_barrier(team), BANYAN_OK);
            banyan_team_leave(team);
            _exit(testing::Test::HasFailure());
        }
        std::vector<unsigned char> room(100000);
        ASSERT_EQ(banyan_barrier(team), BANYAN_OK);
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        receive(team, 0, 1, 5000);
        // It has taken back what it could not wait for, and sends no more.
        EXPECT_EQ(banyan_recv(team, room.data(), room.size(), BANYAN_ANY_RANK, 1, nullptr), BANYAN_LOST);
        EXPECT_TRUE(says("rank 0 has left")) << banyan_error();
        EXPECT_EQ(banyan_send(team, room.data(), 1, 0, 0), BANYAN_LOST);
    });
}

TEST(Messages, WhoDiesIsNoticed)
{
    for (int call = 0; call < 4; call++)
        in_team(3, [call](banyan_team* team) {
            std::vector<unsigned char> room(100000);
            banyan_message* message = nullptr;
            banyan_status status = BANYAN_OK;
            ASSERT_EQ(banyan_barrier(team), BANYAN_OK);
            if (banyan_team_rank(team) == 1)
                kill(getpid(), SIGKILL);
            if (call == 0)
                status = banyan_recv(team, room.data(), room.size(), 1, 0, nullptr);
            if (call == 1)
                status = banyan_send(team, room.data(), room.size(), 1, 0);
            if (call == 2)
                status = banyan_recv(team, room.data(), room.size(), BANYAN_ANY_RANK, 0, nullptr);
            if (call == 3)
                status = banyan_post_recv(team, room.data(), room.size(), 1, 0, &message);
            while (call == 3 && status == BANYAN_OK)
                status = banyan_test(team, &message, nullptr, nullptr);
            EXPECT_EQ(status, BANYAN_LOST) << call;
            EXPECT_TRUE(says("has ended") || says("has given up")) << banyan_error();
        });
}

TEST(Messages, WrongArgumentsAreToldAndLeaveTheTeamAsItWas)
{
    in_team(2, [](banyan_team* team) {
        int value = 3, rank = banyan_team_rank(team);
        banyan_message* message = nullptr;
        std::vector<unsigned char> large(100000);
        auto expect = [](banyan_status status, const char* text) {
            EXPECT_EQ(status, BANYAN_ARGUMENT);
            EXPECT_TRUE(says(text)) << banyan_error();
        };
        expect(banyan_send(team, &value, 4, 2, 0), "banyan_send: ranks are 0 to 1, not 2");
        expect(banyan_send(team, &value, 4, BANYAN_ANY_RANK, 0), "ranks are 0 to 1, not -1");
        expect(banyan_send(team, &value, 4, 1, -1), "a tag is 0 or more, not -1");
        expect(banyan_recv(team, &value, 4, 0, -2, nullptr), "a tag is 0 or more, not -2");
        expect(banyan_recv(team, nullptr, 4, 0, 0, nullptr), "the buffer is null");
        expect(banyan_send(team, &value, SIZE_MAX, 1, 0), "bytes is larger than any buffer");
        expect(banyan_post_send(team, &value, 4, 1, 0, nullptr), "the pointer to the message is null");
        expect(banyan_wait(team, nullptr, nullptr), "the message is null");
        expect(banyan_recv(team, &value, 4, rank, 0, nullptr), "waits for itself");
        expect(banyan_send(team, large.data(), large.size(), rank, 0), "waits for itself");
        ASSERT_EQ(banyan_post_recv(team, &value, 4, rank, 0, &message), BANYAN_OK);
        expect(banyan_wait(team, &message, nullptr), "waits for itself");
        int sent = 8;
        ASSERT_EQ(banyan_send(team, &sent, 4, rank, 0), BANYAN_OK);
        ASSERT_EQ(banyan_wait(team, &message, nullptr), BANYAN_OK);
        EXPECT_EQ(value, 8);
        ASSERT_EQ(banyan_barrier(team), BANYAN_OK);
    });
}

}  // namespace
