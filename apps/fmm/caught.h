// What is thrown inside a parallel region must not leave it: it is caught there, and thrown again behind it.
//
// BSD-3-Clause, the Banyan authors.
#ifndef APPS_FMM_CAUGHT_H
#define APPS_FMM_CAUGHT_H

#include <atomic>
#include <new>

namespace fmm {

class Caught {
  public:
    // By any thread; `work` throws nothing but bad_alloc, and is left out once there was one
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
    // Behind the region
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
