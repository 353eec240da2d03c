// Counters of a thread, by Linux' perf_event_open
//
// BSD-3-Clause, the Banyan authors.
#include "counters.h"

#include <cerrno>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace fmm {
namespace {

struct Kind {
    std::uint32_t type;
    std::uint64_t config;
};
// Indexed by fmm_counter
const Kind KINDS[FMM_COUNTERS] = {{PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
                                  {PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
                                  {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES},
                                  {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
                                  {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS}};

int open_counter(const Kind &kind)
{
    perf_event_attr wanted = {};
    wanted.size = sizeof wanted;
    wanted.type = kind.type;
    wanted.config = kind.config;
    wanted.exclude_kernel = 1; // most users may count only user mode
    wanted.exclude_hv = 1;
    return static_cast<int>(syscall(SYS_perf_event_open, &wanted, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

} // namespace

Counters::Counters()
{
    for (int c = 0; c < FMM_COUNTERS; c++) {
        files[c] = open_counter(KINDS[c]);
        if (files[c] < 0)
            errors[c] = errno;
    }
}

Counters::~Counters()
{
    for (int file : files) {
        if (file >= 0)
            close(file);
    }
}

void Counters::read(std::int64_t values[FMM_COUNTERS]) const
{
    for (int c = 0; c < FMM_COUNTERS; c++) {
        values[c] = 0;
        if (files[c] >= 0 && ::read(files[c], &values[c], sizeof values[c]) != sizeof values[c])
            values[c] = 0;
    }
}

int Counters::error(fmm_counter counter) const
{
    return errors[counter];
}

} // namespace fmm
