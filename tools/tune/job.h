// job.h: a job whose threads, in processes of their own, measure something.
#pragma once

#include "coll/operation.h"
#include "upc/context.h"

#include <functional>

namespace bn::tune {

constexpr size_t kArrayBytes = size_t{4} << 20;  // the largest part of an array that one thread has
constexpr double kWorthwhile = 0.93;             // of the built-in choice's time; above it, two runs do not agree

// What the threads of a job move: src and dst, and a permutation
struct Arrays {
    bn_pts_t src, dst, perm;
};

struct Job {
    int thread_count;
    int core_count;
    std::function<void(const Arrays&)> body;  // run by each thread
    size_t array_bytes = kArrayBytes;         // per thread
};

// Forks the threads and waits for them; they die with the calling process.  False if the job could not be run or a
// thread failed, which has been reported.
bool run(const Job& job);

// Zeroed memory that the threads of a job share with this process; null if there is none, which has been reported.
void* share(size_t nbytes);
void unshare(void* memory, size_t nbytes);

// What programs do between two calls: reads the data that this thread has received, and writes those that it sends.
void use_data(bn_operation operation, const bn_call& call, int value);

// Microseconds per call of `count` calls, including what programs do between them (rewriting sources, reading results)
// and the barriers around all of them.  Called by all threads of a job.
double run_calls(bn_operation operation, const bn_call& call, int count);

}  // namespace bn::tune
