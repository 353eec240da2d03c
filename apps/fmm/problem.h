// The structures behind the C interface's pointers, and how errors become messages.
//
// BSD-3-Clause, the Banyan authors.
#ifndef APPS_FMM_PROBLEM_H
#define APPS_FMM_PROBLEM_H

#include "models.h"

#include <cstdio>
#include <exception>
#include <memory>
#include <new>

namespace fmm {
struct Part;
}

struct fmm_problem {
    fmm_problem();
    ~fmm_problem();
    void make_graph(); // unless it exists
    fmm::Sizes sizes() const
    {
        return {options.tile, options.v_block};
    }
    fmm_options options{};
    std::unique_ptr<fmm::Stages> stages;
    std::unique_ptr<fmm::Part> part; // for part.h; nullptr if all bodies are here
    fmm::Graph graph;
    bool graph_is_made = false;
    double setup = 0, making = 0, began = 0, wall = 0, processor = 0, setup_processor = 0, caller = 0;
};

namespace fmm {

__attribute__((format(printf, 1, 2))) [[noreturn]] void fail(const char *format, ...);

void check_options(const fmm_options &options);
void check_count(long count);

// Turns what `work` throws into the message; returns 0, or -1
template <typename Work> int told(char *message, const Work &work)
{
    try {
        work();
        return 0;
    } catch (const std::bad_alloc &) {
        std::snprintf(message, FMM_MESSAGE_BYTES,
                      "there is not enough memory; fewer bodies, a lower order, or more of them in a leaf need less");
    } catch (const std::exception &problem) {
        std::snprintf(message, FMM_MESSAGE_BYTES, "%s", problem.what());
    }
    return -1;
}

} // namespace fmm
#endif
