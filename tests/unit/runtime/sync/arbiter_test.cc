#include "sync/arbiter.h"

#include "sync/team.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace {

constexpr bn_arbiter_policy kArbiterPolicies[] = {BN_ARBITER_MUTEX, BN_ARBITER_TICKET, BN_ARBITER_PRIORITY,
                                                  BN_ARBITER_COHORT, BN_ARBITER_DRIVEN};

constexpr int kEnough = 64;  // number of cores: only the policy decides

struct Arbiter {
    explicit Arbiter(bn_arbiter_policy policy, int cores = 2, bn_wait_choice wait = BN_WAIT_AUTO,
                     bool is_watched = false)
        : own(std::make_unique<bn_arbiter>())
    {
        const bn_arbiter_place place = {cores, 1, wait};
        bn_arbiter_init(own.get(), policy, is_watched, &place);
    }
    ~Arbiter() { bn_arbiter_destroy(own.get()); }

    bn_arbiter* operator->() { return own.get(); }
    bn_arbiter* get() { return own.get(); }

    std::unique_ptr<bn_arbiter> own;
};

// Runs body(thread, self) in threads that take part in the arbiter.
void run_members(Arbiter& arbiter, int threads, const std::function<void(int, bn_arbiter_thread*)>& body)
{
    run_team(threads, [&](int thread) {
        bn_arbiter_thread* self = bn_arbiter_join(arbiter.get());
        ASSERT_NE(self, nullptr);
        body(thread, self);
        bn_arbiter_part(arbiter.get(), self);
    });
}

uint32_t drawn(const bn_ticket& ticket)
{
    return __atomic_load_n(&ticket.next, __ATOMIC_ACQUIRE);
}

void wait_until(const std::function<bool()>& is_true)
{
    while (!is_true())
        sched_yield();
}

class ArbiterOf : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Threads, ArbiterOf, testing::Values(1, 2, 3, 8, 20));

TEST_P(ArbiterOf, ExcludesAndMakesWritesVisible)
{
    const int threads = GetParam();
    constexpr int kTurns = 1000;
    for (bn_arbiter_policy policy : kArbiterPolicies) {
        for (bn_wait_choice wait : {BN_WAIT_AUTO, BN_WAIT_SLEEP, BN_WAIT_YIELD}) {
            // With the door, and without
            Arbiter arbiter(policy, wait == BN_WAIT_SLEEP ? kEnough : 2, wait);
            int64_t counter = 0;  // plain: ordered only by the arbiter
            run_members(arbiter, threads, [&](int thread, bn_arbiter_thread* self) {
                for (int i = 0; i < kTurns; i++) {
                    bn_arbiter_enter(arbiter.get(), self, (thread + i) % 3 == 0 ? BN_PATH_PROGRESS : BN_PATH_MAIN);
                    counter++;
                    bn_arbiter_leave(arbiter.get(), self);
                }
            });
            EXPECT_EQ(counter, int64_t{threads} * kTurns) << bn_arbiter_policy_name(policy);
            EXPECT_EQ(arbiter->thread_count, 0);
        }
    }
}

// Each thread gives something to the next one and waits for what the previous one gives it; its accesses inside the
// arbiter would otherwise be races.
TEST_P(ArbiterOf, WhoWaitsGetsWhatItWaitsFor)
{
    const size_t threads = static_cast<size_t>(GetParam());
    constexpr int kTurns = 60;
    for (bn_arbiter_policy policy : kArbiterPolicies) {
        for (bn_wait_choice wait : {BN_WAIT_AUTO, BN_WAIT_SLEEP}) {
            Arbiter arbiter(policy, 2, wait);
            std::vector<int> box(threads, 0);
            struct Want {
                std::vector<int>* box;
                size_t thread;
            };
            run_members(arbiter, GetParam(), [&](int thread, bn_arbiter_thread* self) {
                Want want = {&box, static_cast<size_t>(thread)};
                for (int i = 0; i < kTurns; i++) {
                    bn_arbiter_enter(arbiter.get(), self, BN_PATH_MAIN);
                    box[(want.thread + 1) % threads]++;
                    bn_arbiter_leave(arbiter.get(), self);
                    bn_arbiter_await(
                        arbiter.get(), self,
                        [](void* context) {
                            Want* own = static_cast<Want*>(context);
                            int& count = (*own->box)[own->thread];
                            return count > 0 && count-- > 0;
                        },
                        &want);
                }
            });
            EXPECT_EQ(box, std::vector<int>(threads, 0)) << bn_arbiter_policy_name(policy);
            EXPECT_EQ(arbiter->posted, nullptr);
        }
    }
}

// The order in which threads enter that asked one after another while the arbiter was taken; `ticket` is the ticket
// drawn by a thread of the path.
std::vector<int> order_of(Arbiter& arbiter, const std::vector<bn_arbiter_path>& paths,
                          const std::function<const bn_ticket&(bn_arbiter_path)>& ticket)
{
    const int threads = static_cast<int>(paths.size());
    std::vector<int> order;
    std::atomic<int> turn = 0;
    run_members(arbiter, threads + 1, [&](int thread, bn_arbiter_thread* self) {
        if (thread == threads) {
            bn_arbiter_enter(arbiter.get(), self, BN_PATH_MAIN);
            for (bn_arbiter_path path : paths) {
                const uint32_t before = drawn(ticket(path));
                turn++;
                wait_until([&] { return drawn(ticket(path)) == before + 1; });
            }
            bn_arbiter_leave(arbiter.get(), self);
            return;
        }
        wait_until([&] { return turn == thread + 1; });
        bn_arbiter_enter(arbiter.get(), self, paths[static_cast<size_t>(thread)]);
        order.push_back(thread);
        bn_arbiter_leave(arbiter.get(), self);
    });
    return order;
}

constexpr bn_arbiter_path kMain = BN_PATH_MAIN;
constexpr bn_arbiter_path kProgress = BN_PATH_PROGRESS;

TEST(Arbiter, TicketIsInTheOrderOfAsking)
{
    Arbiter arbiter(BN_ARBITER_TICKET, kEnough);
    EXPECT_EQ(order_of(arbiter, {kProgress, kMain, kProgress, kMain},
                       [&](bn_arbiter_path) -> const bn_ticket& { return arbiter->outer; }),
              (std::vector<int>{0, 1, 2, 3}));
}

TEST(Arbiter, PriorityLetsTheMainPathPass)
{
    for (bn_arbiter_policy policy : {BN_ARBITER_PRIORITY, BN_ARBITER_DRIVEN}) {
        Arbiter arbiter(policy, kEnough);
        EXPECT_EQ(order_of(arbiter, {kProgress, kProgress, kMain, kMain, kMain},
                           [&](bn_arbiter_path path) -> const bn_ticket& { return arbiter->gangs[path].own; }),
                  (std::vector<int>{2, 3, 4, 0, 1}));
    }
}

// However much new work there is, a thread that polls for completions is let in after a bounded number of turns.
TEST(Arbiter, PriorityStarvesNobody)
{
    Arbiter arbiter(BN_ARBITER_PRIORITY, kEnough);
    bool has_looked = false;
    int turns_meanwhile = 0;
    std::atomic<int> working = 0;
    run_members(arbiter, 4, [&](int thread, bn_arbiter_thread* self) {
        if (thread == 3) {
            wait_until([&] { return working == 3; });
            bn_arbiter_enter(arbiter.get(), self, BN_PATH_PROGRESS);
            has_looked = true;
            bn_arbiter_leave(arbiter.get(), self);
            return;
        }
        working++;
        for (bool is_over = false; !is_over;) {
            bn_arbiter_enter(arbiter.get(), self, BN_PATH_MAIN);
            // Again and again, while threads of the main path wait as well as the other one
            wait_until([&] { return has_looked || bn_ticket_is_wanted(&arbiter->gangs[BN_PATH_MAIN].own); });
            turns_meanwhile += bn_ticket_is_wanted(&arbiter->outer) && !has_looked;
            is_over = has_looked;
            bn_arbiter_leave(arbiter.get(), self);
        }
    });
    EXPECT_LE(turns_meanwhile, BN_ARBITER_BOUND + 1);
}

// The driver polls for the others, too: a thread that waits meanwhile need not enter.
TEST(Arbiter, TheDriverWakesOnlyWhoseThingHasCome)
{
    for (bn_wait_choice wait : {BN_WAIT_AUTO, BN_WAIT_SLEEP}) {
        Arbiter arbiter(BN_ARBITER_DRIVEN, 2, wait);
        struct Want {
            std::atomic<bool> has_come{false};
            std::atomic<bool>* has_driver = nullptr;
            std::vector<std::thread::id> looked_for_it_by;
        } wants[3];
        std::atomic<bool> has_driver = false;
        wants[0].has_driver = &has_driver;
        std::atomic<int> returned = 0;
        std::thread::id driver;
        run_members(arbiter, 4, [&](int thread, bn_arbiter_thread* self) {
            if (thread < 3) {
                wait_until([&] { return thread == 0 || has_driver; });  // 1 and 2 are posted
                if (thread == 0)
                    driver = std::this_thread::get_id();
                bn_arbiter_await(
                    arbiter.get(), self,
                    [](void* context) {
                        Want* want = static_cast<Want*>(context);
                        if (want->looked_for_it_by.size() < 100)
                            want->looked_for_it_by.push_back(std::this_thread::get_id());
                        if (want->has_driver)
                            *want->has_driver = true;
                        return want->has_come.load();
                    },
                    &wants[thread]);
                returned++;
                return;
            }
            for (int next : {2, 1, 0}) {
                const int before = returned;
                wants[next].has_come = true;
                wait_until([&] { return returned == before + 1; });
            }
        });
        for (const Want& want : wants) {
            for (std::thread::id id : want.looked_for_it_by)
                EXPECT_EQ(id, driver);
        }
    }
}

TEST(Arbiter, WorksAcrossTheWrapOfItsTickets)
{
    bn_ticket ticket = {};
    constexpr uint32_t kFirst = UINT32_MAX - 99;
    ticket.next = ticket.serving = kFirst;
    for (uint32_t line = 0; line < BN_TICKET_LINES; line++)
        ticket.lines[line].value = kFirst - (kFirst - line) % BN_TICKET_LINES;
    const bn_wait_policy policy = bn_wait_policy_make(4, 2, BN_WAIT_AUTO);
    int counter = 0;
    run_team(4, [&](int) {
        for (int i = 0; i < 500; i++) {
            bn_ticket_enter(&ticket, &policy);
            counter++;
            bn_ticket_leave(&ticket);
        }
    });
    EXPECT_EQ(counter, 2000);
}

TEST(Arbiter, IsCrowdedOnceThreadsOutnumberCores)
{
    Arbiter arbiter(BN_ARBITER_TICKET, 2);
    bn_arbiter_thread* members[3];
    for (bn_arbiter_thread*& member : members) {
        EXPECT_EQ(arbiter->is_crowded, 0u);
        member = bn_arbiter_join(arbiter.get());
    }
    EXPECT_EQ(arbiter->is_crowded, 1u);
    bn_arbiter_part(arbiter.get(), members[0]);
    EXPECT_EQ(arbiter->is_crowded, 0u);
    EXPECT_EQ(bn_arbiter_join(arbiter.get()), members[0]) << "used again";
    for (bn_arbiter_thread* member : members)
        bn_arbiter_part(arbiter.get(), member);
}

// Main starts as many threads as there are cores, and joins them.
TEST(Arbiter, TheFirstThreadCountsOnlyWhileItAsks)
{
    for (bn_arbiter_policy policy : kArbiterPolicies) {
        Arbiter arbiter(policy, 2);
        bn_arbiter_thread* threads[3];
        for (bn_arbiter_thread*& thread : threads)
            thread = bn_arbiter_join(arbiter.get());
        auto ask = [&](int first, int times) {
            for (int i = 0; i < times; i++) {
                bn_arbiter_enter(arbiter.get(), threads[first + i % 2], BN_PATH_MAIN);
                bn_arbiter_leave(arbiter.get(), threads[first + i % 2]);
            }
        };
        EXPECT_EQ(arbiter->is_crowded, 1u);
        ask(1, 3000);
        EXPECT_EQ(arbiter->is_crowded, 0u) << bn_arbiter_policy_name(policy);
        ask(0, 3000);
        EXPECT_EQ(arbiter->is_crowded, 1u) << bn_arbiter_policy_name(policy);
        ask(1, 3000);
        bn_arbiter_part(arbiter.get(), threads[0]);
        EXPECT_EQ(arbiter->is_crowded, 0u);
        ask(1, 3000);
        EXPECT_EQ(arbiter->is_crowded, 0u);
        bn_arbiter_part(arbiter.get(), threads[1]);
        bn_arbiter_part(arbiter.get(), threads[2]);
    }
}

TEST(ArbiterWatch, CountsWhoComesInAgain)
{
    bn_watch watch = {};
    bn_watch_thread a = {};
    bn_watch_thread b = {};
    const auto enter_and_leave = [&](bn_watch_thread& thread) {
        bn_watch_enter(&watch, &thread);
        bn_watch_leave(&watch, &thread);
    };
    bn_watch_ask(&watch, &a, BN_PATH_MAIN);
    enter_and_leave(a);  // alone
    const auto held_alone_ns = bn_watch_read(&watch).hold_ns[BN_PATH_MAIN];
    bn_watch_ask(&watch, &b, BN_PATH_PROGRESS);
    for (int i = 0; i < 3; i++) {  // a enters again and again while b waits
        bn_watch_ask(&watch, &a, BN_PATH_MAIN);
        enter_and_leave(a);
    }
    enter_and_leave(b);
    const bn_watch_record record = bn_watch_read(&watch);
    EXPECT_EQ(record.acquisitions[BN_PATH_MAIN], 4u);
    EXPECT_EQ(record.acquisitions[BN_PATH_PROGRESS], 1u);
    EXPECT_EQ(record.contended, 3u);
    EXPECT_EQ(record.same_owner, 3u);
    EXPECT_DOUBLE_EQ(record.fair_owner, 1.5);
    EXPECT_DOUBLE_EQ(bn_watch_core_bias(&record), 2.0);
    EXPECT_GE(record.wait_ns[BN_PATH_PROGRESS], record.hold_ns[BN_PATH_MAIN] - held_alone_ns);
}

TEST(ArbiterWatch, AFairArbitrationHasNoBias)
{
    bn_watch watch = {};
    bn_watch_thread threads[2] = {};
    bn_watch_ask(&watch, &threads[0], BN_PATH_MAIN);
    bn_watch_ask(&watch, &threads[1], BN_PATH_MAIN);
    for (int i = 0; i < 100; i++) {  // a, a, b, b, a, a ...: the same one again in half of all cases
        bn_watch_thread& thread = threads[i / 2 % 2];
        bn_watch_enter(&watch, &thread);
        bn_watch_leave(&watch, &thread);
        bn_watch_ask(&watch, &thread, BN_PATH_MAIN);
    }
    const bn_watch_record record = bn_watch_read(&watch);
    EXPECT_NEAR(bn_watch_core_bias(&record), 1.0, 0.05);
}

// The report of a process is written while its threads may still be counting.
TEST(ArbiterWatch, IsReadAsAWholeWhileItCounts)
{
    bn_watch watch = {};
    std::thread counter([&watch] {
        for (int i = 0; i < 200000; i++)
            bn_watch_dangling(&watch, 1);
    });
    bn_watch_record record;
    do {
        record = bn_watch_read(&watch);
        ASSERT_EQ(record.dangling, record.dangling_samples);
    } while (record.dangling < 200000);
    counter.join();
}

TEST(ArbiterWatch, SumsRecords)
{
    bn_watch_record sum = {};
    bn_watch_record one = {};
    one.acquisitions[BN_PATH_MAIN] = 3;
    one.dangling = 8;
    one.dangling_samples = 2;
    one.most_threads = 4;
    bn_watch_record_add(&sum, &one);
    one.most_threads = 2;
    bn_watch_record_add(&sum, &one);
    EXPECT_EQ(sum.acquisitions[BN_PATH_MAIN], 6u);
    EXPECT_EQ(sum.dangling, 16u);
    EXPECT_EQ(sum.dangling_samples, 4u);
    EXPECT_EQ(sum.most_threads, 4u);
    EXPECT_EQ(bn_watch_core_bias(&sum), 0.0);
}

TEST(Arbiter, WatchedItCountsEachEntry)
{
    for (bn_arbiter_policy policy : kArbiterPolicies) {
        Arbiter arbiter(policy, 2, BN_WAIT_AUTO, true);
        run_members(arbiter, 3, [&](int, bn_arbiter_thread* self) {
            for (int i = 0; i < 500; i++) {
                bn_arbiter_enter(arbiter.get(), self, BN_PATH_MAIN);
                bn_arbiter_leave(arbiter.get(), self);
            }
        });
        const bn_watch_record record = bn_watch_read(&arbiter->watch);
        EXPECT_EQ(record.acquisitions[BN_PATH_MAIN], 1500u);
        EXPECT_LE(record.same_owner, record.contended);
    }
}

}  // namespace
