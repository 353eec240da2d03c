#include "transport/kernel.h"

#include "platform/copy.h"
#include "transport/forbid.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr size_t kBytes = (size_t{3} << 16) + 100;  // several pieces

// What processes exchange besides the needs of bn_kernel_join
struct Board {
    uint64_t places[3];
    int joined, read, moved, done;
};

class Kernel : public testing::Test {
protected:
    Kernel()
    {
        size_t bytes = bn_kernel_shared_bytes(3) + sizeof(Board);
        shared_ = static_cast<unsigned char*>(
            mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
        board_ = reinterpret_cast<Board*>(shared_ + bn_kernel_shared_bytes(3));
    }

    // Waits until all three have come; serves the others' requests, as waiting processes must.
    static void meet(int* counter)
    {
        __atomic_fetch_add(counter, 1, __ATOMIC_ACQ_REL);
        while (__atomic_load_n(counter, __ATOMIC_ACQUIRE) < 3) {
            bn_kernel_progress();
            usleep(100);
        }
    }

    // Three processes, each with private bytes that hold its number; body accesses those of others.
    void run(const std::function<void(int self)>& before, const std::function<void(int self)>& body)
    {
        std::vector<pid_t> processes;
        for (int self = 0; self < 3; self++) {
            pid_t process = fork();
            ASSERT_GE(process, 0);
            if (process == 0) {
                alarm(60);
                std::vector<unsigned char> own(kBytes, static_cast<unsigned char>('A' + self));
                before(self);
                ASSERT_TRUE(bn_kernel_join(shared_, self, 3));
                board_->places[self] = bn_kernel_bits(self) | reinterpret_cast<uint64_t>(own.data());
                own_ = own.data();
                meet(&board_->joined);
                body(self);
                meet(&board_->done);
                _exit(HasFailure() ? 1 : 0);
            }
            processes.push_back(process);
        }
        for (pid_t process : processes) {
            int status;
            ASSERT_EQ(waitpid(process, &status, 0), process);
            EXPECT_EQ(status, 0);
        }
    }

    void* place(int process, size_t offset = 0) const
    {
        return reinterpret_cast<void*>(board_->places[process] + offset);
    }

    // Each reads from the next one, writes a byte to it, and has the data of the process after that copied to it.
    void move(int self) const
    {
        int next = (self + 1) % 3;
        std::vector<unsigned char> got(kBytes);
        bn_copy(got.data(), place(next), kBytes / 2);
        EXPECT_EQ(got, [&] {
            std::vector<unsigned char> expected(kBytes);
            memset(expected.data(), 'A' + next, kBytes / 2);
            return expected;
        }());
        meet(&board_->read);
        std::vector<unsigned char> mine(kBytes / 4, static_cast<unsigned char>('a' + self));
        bn_copy(place(next), mine.data(), mine.size());
        bn_copy(place(next, kBytes / 2), place((self + 2) % 3, kBytes * 3 / 4), kBytes / 4);
    }

    void check(int self) const
    {
        EXPECT_EQ(own_[0], 'a' + (self + 2) % 3);
        EXPECT_EQ(own_[kBytes / 4 - 1], 'a' + (self + 2) % 3);
        EXPECT_EQ(own_[kBytes / 4], 'A' + self);
        EXPECT_EQ(own_[kBytes / 2], 'A' + (self + 1) % 3);
        EXPECT_EQ(own_[kBytes / 2 + kBytes / 4 - 1], 'A' + (self + 1) % 3);
        EXPECT_EQ(own_[kBytes - 1], 'A' + self);
    }

    unsigned char* shared_;
    Board* board_;
    const unsigned char* own_ = nullptr;
};

TEST_F(Kernel, CopiesByItselfOrWithTheOwnersHelp)
{
    for (int forbidden = 0; forbidden < 8; forbidden++) {
        SCOPED_TRACE(forbidden);
        *board_ = Board{};
        run(
            [forbidden](int self) {
                if (forbidden >> self & 1) {
                    ASSERT_TRUE(forbid_peer_memory(EPERM));
                }
            },
            [&](int self) {
                int error;
                bool is_forbidden = forbidden >> self & 1;
                EXPECT_EQ(bn_kernel_reach_of((self + 1) % 3, &error),
                          is_forbidden ? BN_KERNEL_BY_OWNER : BN_KERNEL_BY_CMA);
                EXPECT_EQ(error, is_forbidden ? EPERM : 0);
                move(self);
                meet(&board_->moved);
                check(self);
            });
    }
}

TEST_F(Kernel, RefusedLaterItGoesOnWithTheOwnersHelp)
{
    run([](int) {},
        [&](int self) {
            int error;
            unsigned char byte = 0;
            bn_copy(&byte, place((self + 1) % 3), 1);
            EXPECT_EQ(byte, 'A' + (self + 1) % 3);
            ASSERT_TRUE(forbid_peer_memory(ENOSYS));
            bn_copy(&byte, place((self + 1) % 3, 1), 1);
            EXPECT_EQ(byte, 'A' + (self + 1) % 3);
            EXPECT_EQ(bn_kernel_reach_of((self + 1) % 3, &error), BN_KERNEL_BY_OWNER);
            EXPECT_EQ(error, ENOSYS);
        });
}

TEST_F(Kernel, PlacesOfItsOwnAreItsOwnMemory)
{
    run([](int) {},
        [&](int self) {
            unsigned char byte = 0;
            EXPECT_FALSE(bn_is_mapped(place(self)));
            EXPECT_TRUE(bn_is_mapped(own_));
            unsigned long long before = bn_copied_far();
            bn_copy(&byte, place(self), 1);
            EXPECT_EQ(byte, 'A' + self);
            EXPECT_EQ(bn_copied_far(), before);
            bn_scratch scratch = {};
            EXPECT_EQ(bn_bring(own_, 1, &scratch), own_);
            const void* brought = bn_bring(place((self + 1) % 3), 5, &scratch);
            EXPECT_EQ(std::string(static_cast<const char*>(brought), 5),
                      std::string(5, static_cast<char>('A' + (self + 1) % 3)));
            EXPECT_EQ(bn_copied_far(), before + 5);
        });
}

// Threads of all processes read from all others at once, some of whose memory only the owners can read.
TEST_F(Kernel, ThreadsCopyAtTheSameTime)
{
    run(
        [](int self) {
            if (self != 0) {
                ASSERT_TRUE(forbid_peer_memory(EPERM));
            }
        },
        [&](int self) {
            std::vector<std::thread> threads;
            for (int thread = 0; thread < 4; thread++) {
                threads.emplace_back([this, self, thread] {
                    std::vector<unsigned char> got(kBytes);
                    for (int i = 0; i < 40; i++) {
                        int other = (self + 1 + (i + thread) % 2) % 3;
                        size_t bytes = (static_cast<size_t>(i) * 4099 + 1) % kBytes;
                        memset(got.data(), 0, kBytes);
                        bn_copy(got.data(), place(other, kBytes - bytes), bytes);
                        EXPECT_EQ(std::count(got.begin(), got.end(), 'A' + other), static_cast<ptrdiff_t>(bytes));
                    }
                });
            }
            std::thread([this, &threads] {
                for (std::thread& thread : threads)
                    thread.join();
                meet(&board_->moved);
            }).join();
        });
}

}  // namespace
