// job.h: a job whose threads measure something, in processes of their own.
#pragma once

#include "coll/operation.h"
#include "upc/context.h"

#include <functional>

namespace bn::tune {

constexpr size_t kArrayBytes = size_t{4} << 20;  // most that one thread has of an array
constexpr double kWorthwhile = 0.93;             // of the time of what is built in; below it, two runs do not agree

// What the threads of a job move: src and dst, and a permutation
struct Arrays {
    bn_pts_t src, dst, perm;
};

struct Job {
    int thread_count;
    int core_count;
    std::function<void(const Arrays&)> body;  // of each thread
    size_t array_bytes = kArrayBytes;         // of one thread
};

// Forks the threads and waits for them.  False if the job could not be run, or a thread failed; has been reported.
bool run(const Job& job);

// Zeroed memory that the threads of a job share with this process; null if there is none.
void* share(size_t nbytes);
void unshare(void* memory, size_t nbytes);

// What programs do between two calls: reads what this thread has got, and writes what it gives.
void use_data(bn_operation operation, const bn_call& call, int value);

// Microseconds for one of count calls, with what programs do between them (rewriting sources, reading results),
// barriers around all of them included.  All threads of a job.
double run_calls(bn_operation operation, const bn_call& call, int count);

}  // namespace bn::tune
