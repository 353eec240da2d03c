// The inner loops, compiled once for each set of vector instructions and chosen when the program runs.
//
// BSD-3-Clause, the Banyan authors.
#ifndef APPS_FMM_KERNELS_H
#define APPS_FMM_KERNELS_H

namespace fmm {

// Places (and charges) as an array for each coordinate. No alignment is required.
template <typename T> struct Points {
    const T *x, *y, *z;
    const T *charge; // nullptr for targets
    long count;
};

template <typename T> struct Sums {
    T *potential;
    T *x, *y, *z; // the gradient
};

constexpr int SIBLINGS = 8;
// A frequency of 8 siblings: 8 real parts, 8 imaginary parts; and the 8 x 8 complex matrix of one, a column (re, im)
// for each source
constexpr int OCTET = 2 * SIBLINGS;
constexpr int MATRIX = SIBLINGS * OCTET;

constexpr int MOST_LANES = 16;

template <typename T> struct Inner {
    // Adds what the sources do to the targets; 1 / decay is the kernel's length, 0 for Laplace. [with gradient]
    using Act = void (*)(const Points<T> &targets, const Points<T> &sources, T decay, const Sums<T> &sums);
    Act laplace[2], yukawa[2];
    // The same of many sources for few targets: the sources' arrays have memory for a multiple of MOST_LANES, of which
    // those that are too many have no charge.
    Act laplace_many[2], yukawa_many[2];
    // y[i] += A x[i] for each of `count`; A by columns of `rows` numbers, a multiple of 16. What a y becomes does not
    // depend on the others.
    void (*matrix_vectors)(long rows, long columns, const T *a, long count, const T *const *x, T *const *y);
    // For each of `frequencies`: to[i] += matrix times from[i], for `pairs` pairs
    void (*v_products)(long frequencies, const T *matrices, long pairs, const T *const *from, T *const *to);
    // `rounds` times 20 operations in each lane, as fast as they go; a number that says they were done
    T (*multiply_adds)(long rounds);
    int lanes, pair_operations; // multiplications and additions of a pair of 1/r with its gradient
    const char *name;
};

// Of those that this machine can run, number `index`, the widest first; nullptr: there are no more
template <typename T> const Inner<T> *form(int index);
// The widest
template <typename T> const Inner<T> &inner();

} // namespace fmm
#endif
