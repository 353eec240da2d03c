#include "upc/job.h"

namespace {

TEST(UpcBarrier, FourWaysToSayIt)
{
    SKIP_IF_NO_WINDOW();
    for (int count : {1, 2, 5}) {
        run_job(count, [] {
            bn_pts_t cells = upc_all_alloc(static_cast<size_t>(threads()), sizeof(int));
            for (int phase = 1; phase <= 100; phase++) {
                *part<int>(cells, me()) = phase;
                switch (phase % 4) {
                case 0: bn_barrier(); break;
                case 1: bn_barrier_value(phase); break;
                case 2:
                    bn_notify();
                    bn_wait();
                    break;
                default:
                    bn_notify_value(phase);
                    bn_wait_value(phase);
                    break;
                }
                for (int thread = 0; thread < threads(); thread++)
                    ASSERT_EQ(*part<int>(cells, thread), phase);
                bn_barrier();
            }
        });
    }
}

// Of two threads that write, notify and then read what the other wrote, at least one sees it.
TEST(UpcBarrier, NotifiesAreOrdered)
{
    SKIP_IF_NO_WINDOW();
    run_job(2, [] {
        bn_pts_t cells = upc_all_alloc(2, 64);
        int unseen = 0;
        for (int round = 1; round <= 20000; round++) {
            *const_cast<volatile int*>(part<int>(cells, me())) = round;
            bn_notify();
            part<int>(cells, me())[4 + round % 2] = *const_cast<volatile int*>(part<int>(cells, 1 - me())) == round;
            bn_wait();
            bn_barrier();
            unseen += !part<int>(cells, 0)[4 + round % 2] && !part<int>(cells, 1)[4 + round % 2];
        }
        EXPECT_EQ(unseen, 0);
    });
}

TEST(UpcBarrier, MisuseEndsTheProgram)
{
    SKIP_IF_NO_WINDOW();
    EXPECT_NE(message_of_job(1,
                             [] {
                                 bn_notify();
                                 bn_barrier();
                             })
                  .find("upc_barrier: this thread has notified already"),
              std::string::npos);
    EXPECT_NE(message_of_job(1,
                             [] {
                                 bn_notify();
                                 bn_notify();
                             })
                  .find("upc_notify: this thread has notified already"),
              std::string::npos);
    EXPECT_NE(message_of_job(1, [] { bn_wait(); }).find("upc_wait: this thread has not notified"), std::string::npos);
}

TEST(UpcBarrier, DifferentValuesEndTheProgram)
{
    SKIP_IF_NO_WINDOW();
    for (int count : {2, 3}) {
        std::string message = message_of_job(count, [] { bn_barrier_value(me() == 1 ? -5 : 6); });
        EXPECT_TRUE(message.find("value -5 does not match value 6 of thread") != std::string::npos ||
                    message.find("value 6 does not match value -5 of thread 1") != std::string::npos)
            << message;
    }
}

TEST(UpcBarrier, ThreadThatHasEndedIsNamed)
{
    SKIP_IF_NO_WINDOW();
    EXPECT_NE(message_of_job(3,
                             [] {
                                 if (me() != 1)
                                     bn_barrier();
                             })
                  .find("upc_barrier: thread 1 has ended"),
              std::string::npos);
}

}  // namespace
