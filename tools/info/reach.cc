#include "info/reach.h"

#include "platform/atomic_word.h"
#include "platform/clock.h"
#include "platform/copy.h"
#include "platform/signals.h"
#include "transport/kernel.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace bn::info {

using Json = nlohmann::ordered_json;

namespace {

constexpr size_t kSmallBytes = 4 << 10, kLargeBytes = 1 << 20;
constexpr int kRounds = 11;

// What the two processes exchange, and the results
struct Board {
    uint64_t place;  // address of the owner's bytes; 0: not known yet
    uint32_t is_measured;
    bool is_by_kernel;
    int error;
    uint64_t small_ns, large_ns;  // for one copy
};

// The median time of kRounds copies
uint64_t time_copies(std::vector<unsigned char>& here, uint64_t place, size_t size_bytes)
{
    std::vector<uint64_t> times;
    for (int round = 0; round < kRounds; round++) {
        uint64_t start = bn_clock_ns();
        bn_copy(here.data(), reinterpret_cast<const void*>(place), size_bytes);
        times.push_back(bn_clock_ns() - start);
    }
    std::nth_element(times.begin(), times.begin() + kRounds / 2, times.end());
    return times[kRounds / 2];
}

void measure(Board* board)
{
    std::vector<unsigned char> here(kLargeBytes, 1);
    int error = 0;
    board->is_by_kernel = bn_kernel_reach_of(1, &error) == BN_KERNEL_BY_CMA;
    board->error = error;
    board->small_ns = time_copies(here, board->place, kSmallBytes);
    board->large_ns = time_copies(here, board->place, kLargeBytes);
}

// Serves the measuring process until it is done; ends with its parent at the latest.
[[noreturn]] void own(Board* board, void* shared)
{
    std::vector<unsigned char> bytes(kLargeBytes, 1);
    if (!bn_kernel_join(shared, 1, 2))
        _exit(1);
    bn_word64_show(&board->place, bn_kernel_bits(1) | reinterpret_cast<uint64_t>(bytes.data()));
    while (!bn_word_see(&board->is_measured) && getppid() != 1) {
        bn_kernel_progress();
        sched_yield();
    }
    _exit(0);
}

// Runs in a process of its own, since far memory can be set up only once in the life of a process.
[[noreturn]] void try_owner(Board* board, void* shared)
{
    pid_t owner = fork();
    if (owner == 0)
        own(board, shared);
    if (owner < 0)
        _exit(1);
    if (!bn_kernel_join(shared, 0, 2))
        _exit(1);
    while (bn_word64_see(&board->place) == 0 && waitpid(owner, nullptr, WNOHANG) == 0)
        sched_yield();
    if (bn_word64_see(&board->place) == 0)
        _exit(1);
    measure(board);
    bn_word_show(&board->is_measured, 1);
    waitpid(owner, nullptr, 0);
    _exit(0);
}

std::string time_text(uint64_t ns)
{
    char text[40];
    snprintf(text, sizeof text, ns < 10000 ? "%.1f us" : "%.0f us", static_cast<double>(ns) / 1e3);
    return text;
}

}  // namespace

Json reach_facts()
{
    size_t board_at = bn_kernel_shared_bytes(2);
    void* shared = mmap(nullptr, board_at + sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return nullptr;
    auto* board = reinterpret_cast<Board*>(static_cast<unsigned char*>(shared) + board_at);
    Json facts;
    int status = 1;
    bn_signals_expect_children();
    pid_t process = fork();
    if (process == 0)
        try_owner(board, shared);
    if (process > 0 && waitpid(process, &status, 0) == process && status == 0) {
        facts["by"] = board->is_by_kernel ? "process_vm_readv" : "owner";
        if (!board->is_by_kernel)
            facts["refusal"] = board->error > 0 ? strerror(board->error) : "another process has its number";
        facts["copy_4k_ns"] = board->small_ns;
        facts["copy_1m_ns"] = board->large_ns;
    }
    munmap(shared, board_at + sizeof(Board));
    return facts;
}

std::string reach_text(const Json& facts)
{
    if (facts.is_null())
        return "could not be tried";
    std::string times = ": 4 KiB in " + time_text(facts["copy_4k_ns"].get<uint64_t>()) + ", 1 MiB in " +
                        time_text(facts["copy_1m_ns"].get<uint64_t>());
    if (facts.contains("refusal"))
        return "of others with their help, as process_vm_readv is refused (" + facts["refusal"].get<std::string>() +
               ")" + times;
    return "of others by process_vm_readv" + times;
}

}  // namespace bn::info
