// Translation operators of one level: what turns potentials on check surfaces into charges on equivalent surfaces, and
// carries them between cells.
//
// A surface is the outer points of a grid of order^3 around a cell. The inner one, at 1.05 times the cell, holds the
// charges that stand for the bodies inside and is where what comes from afar is checked; the outer one, at 2.95 times,
// is the other of each pair.
//
// BSD-3-Clause, the Banyan authors.
#ifndef APPS_FMM_OPERATORS_H
#define APPS_FMM_OPERATORS_H

#include "index.h"
#include "kernels.h"

#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

namespace fmm {

// Memory for vectors and FFTW, aligned to lines of the cache; bad_alloc if there is none
template <typename T> class Buffer {
  public:
    Buffer() = default;
    explicit Buffer(std::size_t count)
    {
        if (count == 0)
            return;
        std::size_t bytes = (count * sizeof(T) + 63) / 64 * 64;
        if (count > static_cast<std::size_t>(-1) / sizeof(T) - 64)
            throw std::bad_alloc();
        memory = static_cast<T *>(std::aligned_alloc(64, bytes));
        if (memory == nullptr)
            throw std::bad_alloc();
    }
    Buffer(const Buffer &) = delete;
    Buffer &operator=(const Buffer &) = delete;
    Buffer(Buffer &&other) noexcept : memory(other.memory)
    {
        other.memory = nullptr;
    }
    Buffer &operator=(Buffer &&other) noexcept
    {
        std::swap(memory, other.memory);
        return *this;
    }
    ~Buffer()
    {
        std::free(memory);
    }
    T *data() const
    {
        return memory;
    }

  private:
    T *memory = nullptr;
};

// What follows from the order
struct Surface {
    explicit Surface(int order);
    int order, points;
    long rows;                // points, rounded up to a multiple of 16: length of the operators' columns
    long grid;                // points of the grid that is transformed: (2 order)^3
    long frequencies;         // frequencies of its real-to-complex transform
    std::vector<int> x, y, z; // of each point, on the grid
    std::vector<int> on_grid; // index in the array that is transformed
    // Coordinates of the points around the origin, at `size` times the extent of a cell with half width 1
    std::vector<double> around(double size, double half) const;
};

constexpr double INNER_SIZE = 1.05, OUTER_SIZE = 2.95;
constexpr int DIRECTIONS = 26;

template <typename T> struct Operators {
    // up_second up_first maps potentials on the outer surface to charges on the inner one; down_second down_first, the
    // reverse. As two factors, since one matrix would lose the digits that belong to the small singular values.
    Buffer<T> up_first, up_second, down_first, down_second;
    Buffer<T> from_child[8]; // from charges of a child to potentials on the outer surface
    Buffer<T> to_child[8];   // from charges on the outer surface to potentials on the inner one of a child
    Buffer<T> v;             // [direction of the source's parent][frequency][MATRIX]; empty if the level has no V list
};

// decay: 1 / length in units of the root's side, 0 for Laplace. Uses all threads.
template <typename T> Operators<T> make_operators(const Surface &surface, double decay, int level, bool with_v);

// The same, reusing operators that still exist. Any thread may call.
template <typename T>
std::shared_ptr<const Operators<T>> shared_operators(const Surface &surface, double decay, int level, bool with_v);

// Must be held while making or destroying FFTW plans
extern std::mutex planning;

} // namespace fmm
#endif
