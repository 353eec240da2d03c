// Measures the limits of the machine
//
// BSD-3-Clause, the Banyan authors.
#include "fmm.h"

#include "index.h"
#include "kernels.h"
#include "problem.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <omp.h>
#include <vector>

namespace {

constexpr int TRIES = 30;

// The seconds that work(thread) takes in each thread, all at once: the fastest of some tries, which are short so that
// some of them run undisturbed
template <typename Work> std::vector<double> fastest(const Work &work)
{
    std::vector<double> least(fmm::at(omp_get_max_threads()), std::numeric_limits<double>::infinity());
#pragma omp parallel
    {
        int thread = omp_get_thread_num();
        for (int i = 0; i < TRIES; i++) {
            double before = omp_get_wtime();
            work(thread);
            least[fmm::at(thread)] = std::min(least[fmm::at(thread)], omp_get_wtime() - before);
        }
    }
    return least;
}

// Sum over threads of the work that each does per second
double rate(double work, const std::vector<double> &seconds)
{
    double sum = 0;
    for (double s : seconds)
        sum += work / s;
    return sum;
}

template <typename T> double arithmetic()
{
    constexpr long ROUNDS = 400000, OPERATIONS = 20;
    const fmm::Inner<T> &loops = fmm::inner<T>();
    std::vector<T> results(fmm::at(omp_get_max_threads())); // otherwise the loop would be optimised away
    auto seconds = fastest([&](int thread) { results[fmm::at(thread)] = loops.multiply_adds(ROUNDS); });
    return rate(static_cast<double>(ROUNDS * OPERATIONS * loops.lanes), seconds) / omp_get_max_threads();
}

double reading()
{
    constexpr long WORDS = 1L << 24; // per thread: more than caches hold
    constexpr long PART = WORDS / TRIES;
    std::vector<std::vector<std::uint64_t>> words(fmm::at(omp_get_max_threads()));
    for (auto &own : words)
        own.assign(fmm::at(WORDS), 1);
    std::vector<long> begins(words.size());
    std::vector<std::uint64_t> sums(words.size());
    auto seconds = fastest([&](int thread) {
        const std::uint64_t *own = words[fmm::at(thread)].data() + begins[fmm::at(thread)];
        std::uint64_t sum = 0;
        for (long i = 0; i < PART; i++)
            sum += own[i] ^ 1;
        sums[fmm::at(thread)] += sum;
        begins[fmm::at(thread)] += PART;
    });
    return rate(static_cast<double>(PART) * sizeof(std::uint64_t), seconds);
}

} // namespace

int fmm_measure_limits(fmm_precision precision, fmm_limits *limits, char *message)
{
    return fmm::told(message, [&] {
        limits->operations = precision == FMM_DOUBLE ? arithmetic<double>() : arithmetic<float>();
        limits->bytes = reading();
    });
}
