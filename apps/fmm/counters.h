// Hardware and kernel counters of a thread.
//
// BSD-3-Clause, the Banyan authors.
#ifndef APPS_FMM_COUNTERS_H
#define APPS_FMM_COUNTERS_H

#include "fmm.h"

#include <cstdint>

namespace fmm {

// Counts for the thread that constructs it, from then on. A counter that the machine lacks, or that this user may not
// read, stays 0.
class Counters {
  public:
    Counters();
    Counters(const Counters &) = delete;
    Counters &operator=(const Counters &) = delete;
    ~Counters();
    void read(std::int64_t values[FMM_COUNTERS]) const; // one system call per available counter
    int error(fmm_counter counter) const;               // errno that says why it is unavailable; 0: it is available

  private:
    int files[FMM_COUNTERS], errors[FMM_COUNTERS] = {};
};

} // namespace fmm
#endif
