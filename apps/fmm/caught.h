// Exceptions must not leave a parallel region: they are caught inside it, and thrown again after it.
//
// BSD-3-Clause, the Banyan authors.
#ifndef APPS_FMM_CAUGHT_H
#define APPS_FMM_CAUGHT_H

#include <atomic>
#include <new>

namespace fmm {

class Caught {
  public:
    // Called by any thread.  `work` may throw only bad_alloc; after the first one, further work is skipped
    template <typename Work> void in(const Work &work)
    {
        if (failed)
            return;
        try {
            work();
        } catch (const std::bad_alloc &) {
            failed = true;
        }
    }
    // Throws again; to be called after the region
    void again() const
    {
        if (failed)
            throw std::bad_alloc();
    }

  private:
    std::atomic<bool> failed{false};
};

} // namespace fmm
#endif
