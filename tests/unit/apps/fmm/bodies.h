// Bodies for tests, the same in each run
#ifndef TESTS_FMM_BODIES_H
#define TESTS_FMM_BODIES_H

#include <cstdint>
#include <vector>

// Uniform in [-1, 1)
inline double next_number(std::uint64_t& state)
{
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<double>(state >> 11) * 0x1p-52 - 1;
}

inline std::vector<double> numbers(long count, std::uint64_t seed)
{
    std::vector<double> made;
    for (long i = 0; i < count; i++)
        made.push_back(next_number(seed));
    return made;
}

// Dense in the middle of a cube, sparse at its faces, so that neighbours have very different levels
inline std::vector<double> uneven_places(long count, std::uint64_t seed)
{
    std::vector<double> places = numbers(3 * count, seed);
    for (double& x : places)
        x = x * x * x * x * x;
    return places;
}

#endif
