/*
 * ep.h: EP, "embarrassingly parallel": pairs of Gaussian deviates, by the polar method, counted in square rings.
 *
 * Pairs are generated in blocks of 2 to the 16, each of which can start anywhere in the sequence of random numbers.
 */
#ifndef EP_H
#define EP_H

#include "npb.h"

/* What is added up: X, Y, and the number of pairs in each ring */
enum { EP_X, EP_Y, EP_RINGS, EP_SUMS = EP_RINGS + 10, EP_BLOCK_BITS = 16 };

static const struct {
    int bits; /* log2 of the number of pairs */
    double x, y;
} ep_classes[NPB_CLASSES] = {
    {24, -3.247834652034740e3, -6.958407078382297e3}, {25, -2.863319731645753e3, -6.320053679109499e3},
    {28, -4.295875165629892e3, -1.580732573678431e4}, {30, 4.033815542441498e4, -2.660669192809235e4},
    {32, 4.764367927995374e4, -8.084072988043731e4},
};

static inline long ep_blocks(int class)
{
    return 1L << (ep_classes[class].bits - EP_BLOCK_BITS);
}

/* Adds the pairs of a block */
static inline void ep_block(long block, double sums[EP_SUMS])
{
    uint64_t state = npb_skip(271828183, (uint64_t)block << (EP_BLOCK_BITS + 1));
    for (int i = 0; i < 1 << EP_BLOCK_BITS; i++) {
        double x = 2 * npb_random(&state) - 1;
        double y = 2 * npb_random(&state) - 1;
        double square = x * x + y * y;
        if (square > 1)
            continue;
        double factor = sqrt(-2 * log(square) / square);
        x *= factor;
        y *= factor;
        sums[EP_RINGS + (int)fmax(fabs(x), fabs(y))]++;
        sums[EP_X] += x;
        sums[EP_Y] += y;
    }
}

static inline int ep_report(const char *form, int class, int n, double seconds, const double sums[EP_SUMS])
{
    double x = ep_classes[class].x, y = ep_classes[class].y;
    char size[32];
    snprintf(size, sizeof size, "2^%d pairs", ep_classes[class].bits);
    int is_right = fabs((sums[EP_X] - x) / x) <= 1e-8 && fabs((sums[EP_Y] - y) / y) <= 1e-8;
    return npb_report("EP", form, class, size, n, ldexp(2, ep_classes[class].bits), seconds, is_right);
}

#endif
