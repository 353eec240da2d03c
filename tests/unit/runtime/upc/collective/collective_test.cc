#include "upc/collective/collective.h"

#include "upc/job.h"

#include <algorithm>
#include <cstring>

namespace {

const int kThreadCounts[] = {1, 2, 3, 4, 7};
const size_t kSizes[] = {1, 63, 64, 65, 8193};

// Every pair of an IN and an OUT flag, and 0, which stands for ALLSYNC
const int kFlags[] = {
    0,
    BN_IN_ALLSYNC,
    BN_OUT_ALLSYNC,
    BN_IN_ALLSYNC | BN_OUT_ALLSYNC,
    BN_IN_ALLSYNC | BN_OUT_MYSYNC,
    BN_IN_ALLSYNC | BN_OUT_NOSYNC,
    BN_IN_MYSYNC | BN_OUT_ALLSYNC,
    BN_IN_MYSYNC | BN_OUT_MYSYNC,
    BN_IN_MYSYNC | BN_OUT_NOSYNC,
    BN_IN_NOSYNC | BN_OUT_ALLSYNC,
    BN_IN_NOSYNC | BN_OUT_MYSYNC,
    BN_IN_NOSYNC | BN_OUT_NOSYNC,
};

// The contents of thread `of`'s block for thread `to`; different for each call
std::string content(size_t bytes, int of, int to, int call)
{
    std::string text(bytes, '\0');
    for (size_t i = 0; i < bytes; i++)
        text[i] = static_cast<char>(of * 31 + to * 7 + call * 3 + static_cast<int>(i));
    return text;
}

// A call of a collective with data around it: dst has guard bytes on both sides on each thread
struct Call {
    bn_pts_t dst;  // on thread 0
    bn_pts_t src;  // on thread 0
    size_t bytes;
    int flags;
    int number;
};

constexpr size_t kGuard = 64;

// fill(call) writes this thread's part of src; check(call) checks its part of dst.
template <class Fill, class Move, class Check>
void try_all(size_t blocks_per_thread, Fill fill, Move move, Check check)
{
    int number = 0;
    size_t count = static_cast<size_t>(threads());
    for (size_t bytes : kSizes) {
        size_t room = bytes * blocks_per_thread;
        bn_pts_t guarded = upc_all_alloc(count, room + 2 * kGuard);
        bn_pts_t src = upc_all_alloc(count, room);
        bn_pts_t dst = guarded;
        dst.addr += kGuard;
        for (int flags : kFlags) {
            Call call = {dst, src, bytes, flags, ++number};
            memset(part<char>(guarded, me()), '#', room + 2 * kGuard);
            fill(call);
            // Flags that leave out synchronisation promise that the data is ready; ALLSYNC and MYSYNC wait for it.
            if (bn_sync_at_entry(flags) != BN_SYNC_ALL)
                bn_barrier();
            move(call);
            if (bn_sync_at_exit(flags) == BN_SYNC_NO)
                bn_barrier();
            check(call);
            for (size_t i = 0; i < kGuard; i++) {
                ASSERT_EQ(part<char>(guarded, me())[i], '#');
                ASSERT_EQ(part<char>(guarded, me())[kGuard + room + i], '#');
            }
            bn_barrier();
        }
        upc_all_free(guarded);
        upc_all_free(src);
    }
}

bn_pts_t on_thread(bn_pts_t p, int thread)
{
    return bn_at(part<char>(p, thread));
}

std::string block_at(bn_pts_t p, int thread, size_t index, size_t bytes)
{
    return std::string(part<char>(p, thread) + index * bytes, bytes);
}

void set_block(bn_pts_t p, size_t index, const std::string& text)
{
    memcpy(part<char>(p, me()) + index * text.size(), text.data(), text.size());
}

size_t index_of(int thread)
{
    return static_cast<size_t>(thread);
}

TEST(Collective, Broadcast)
{
    SKIP_IF_NO_WINDOW();
    for (int count : kThreadCounts) {
        run_job(count, [] {
            for (int root = 0; root < threads(); root++) {
                try_all(
                    1,
                    [&](const Call& c) {
                        if (me() == root)
                            set_block(c.src, 0, content(c.bytes, root, 0, c.number));
                    },
                    [&](const Call& c) { upc_all_broadcast(c.dst, on_thread(c.src, root), c.bytes, c.flags); },
                    [&](const Call& c) {
                        ASSERT_EQ(block_at(c.dst, me(), 0, c.bytes), content(c.bytes, root, 0, c.number));
                    });
            }
        });
    }
}

TEST(Collective, Scatter)
{
    SKIP_IF_NO_WINDOW();
    for (int count : kThreadCounts) {
        run_job(count, [] {
            int root = threads() - 1;
            try_all(
                index_of(threads()),
                [&](const Call& c) {
                    for (int to = 0; me() == root && to < threads(); to++)
                        set_block(c.src, index_of(to), content(c.bytes, root, to, c.number));
                },
                [&](const Call& c) { upc_all_scatter(c.dst, on_thread(c.src, root), c.bytes, c.flags); },
                [&](const Call& c) {
                    ASSERT_EQ(block_at(c.dst, me(), 0, c.bytes), content(c.bytes, root, me(), c.number));
                });
        });
    }
}

TEST(Collective, Gather)
{
    SKIP_IF_NO_WINDOW();
    for (int count : kThreadCounts) {
        run_job(count, [] {
            int root = threads() / 2;
            try_all(
                index_of(threads()), [&](const Call& c) { set_block(c.src, 0, content(c.bytes, me(), 0, c.number)); },
                [&](const Call& c) { upc_all_gather(on_thread(c.dst, root), c.src, c.bytes, c.flags); },
                [&](const Call& c) {
                    for (int of = 0; me() == root && of < threads(); of++)
                        ASSERT_EQ(block_at(c.dst, me(), index_of(of), c.bytes), content(c.bytes, of, 0, c.number));
                });
        });
    }
}

TEST(Collective, GatherAll)
{
    SKIP_IF_NO_WINDOW();
    for (int count : kThreadCounts) {
        run_job(count, [] {
            try_all(
                index_of(threads()), [&](const Call& c) { set_block(c.src, 0, content(c.bytes, me(), 0, c.number)); },
                [&](const Call& c) { upc_all_gather_all(c.dst, c.src, c.bytes, c.flags); },
                [&](const Call& c) {
                    for (int of = 0; of < threads(); of++)
                        ASSERT_EQ(block_at(c.dst, me(), index_of(of), c.bytes), content(c.bytes, of, 0, c.number));
                });
        });
    }
}

TEST(Collective, Exchange)
{
    SKIP_IF_NO_WINDOW();
    for (int count : kThreadCounts) {
        run_job(count, [] {
            try_all(
                index_of(threads()),
                [&](const Call& c) {
                    for (int to = 0; to < threads(); to++)
                        set_block(c.src, index_of(to), content(c.bytes, me(), to, c.number));
                },
                [&](const Call& c) { upc_all_exchange(c.dst, c.src, c.bytes, c.flags); },
                [&](const Call& c) {
                    for (int of = 0; of < threads(); of++)
                        ASSERT_EQ(block_at(c.dst, me(), index_of(of), c.bytes), content(c.bytes, of, me(), c.number));
                });
        });
    }
}

TEST(Collective, Permute)
{
    SKIP_IF_NO_WINDOW();
    for (int count : kThreadCounts) {
        run_job(count, [] {
            bn_pts_t perm = upc_all_alloc(index_of(threads()), sizeof(int));
            std::vector<int> order;
            for (int thread = 0; thread < threads(); thread++)
                order.push_back(thread);
            for (int turn = 0; turn < 10 && (turn == 0 || std::next_permutation(order.begin(), order.end())); turn++) {
                *part<int>(perm, me()) = order[index_of(me())];
                bn_barrier();
                int from = static_cast<int>(std::find(order.begin(), order.end(), me()) - order.begin());
                try_all(
                    1, [&](const Call& c) { set_block(c.src, 0, content(c.bytes, me(), 0, c.number)); },
                    [&](const Call& c) { upc_all_permute(c.dst, c.src, perm, c.bytes, c.flags); },
                    [&](const Call& c) {
                        ASSERT_EQ(block_at(c.dst, me(), 0, c.bytes), content(c.bytes, from, 0, c.number));
                    });
            }
        });
    }
}

// The runtime's barriers in collectives do not affect the program's.
TEST(Collective, DoNotMixWithBarriersOfTheProgram)
{
    SKIP_IF_NO_WINDOW();
    run_job(3, [] {
        bn_pts_t a = upc_all_alloc(3, 8);
        bn_pts_t b = upc_all_alloc(3, 8);
        for (int i = 0; i < 200; i++) {
            bn_barrier_value(i);
            upc_all_broadcast(a, b, 8, 0);
            bn_notify_value(i);
            bn_wait_value(i);
            upc_all_broadcast(b, a, 8, BN_IN_NOSYNC | BN_OUT_NOSYNC);
        }
    });
    EXPECT_NE(message_of_job(1,
                             [] {
                                 bn_notify();
                                 upc_all_broadcast(bn_null(), bn_null(), 0, 0);
                             })
                  .find("upc_all_broadcast: called between upc_notify and upc_wait"),
              std::string::npos);
}

}  // namespace
