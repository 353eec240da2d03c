// What the processor and the kernel count for a thread.
//
// BSD-3-Clause, the Banyan authors.
#ifndef APPS_FMM_COUNTERS_H
#define APPS_FMM_COUNTERS_H

#include "fmm.h"

#include <cstdint>

namespace fmm {

// Those of the thread that makes it, from then on. A counter that the machine does not have, or does not give to this
// user, stays 0.
class Counters {
  public:
    Counters();
    Counters(const Counters &) = delete;
    Counters &operator=(const Counters &) = delete;
    ~Counters();
    void read(std::int64_t values[FMM_COUNTERS]) const; // a system call for each counter that there is
    int error(fmm_counter counter) const;               // errno that says why there is none; 0: there is one

  private:
    int files[FMM_COUNTERS], errors[FMM_COUNTERS] = {};
};

} // namespace fmm
#endif
