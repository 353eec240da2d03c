/*
 * mg.h: MG, "multigrid": cycles of a multigrid method for Poisson's equation on a periodic cube.
 *
 * Level k has 2 to the k points along each dimension, numbered from 1; points 0 and 2 to the k + 1 are copies of those
 * at the other end.  Point i of a level is point 2 i of the next finer one.
 */
#ifndef MG_H
#define MG_H

#include "npb.h"

enum { MG_CHARGES = 10, MG_MOST_LEVELS = 9, MG_LONGEST = (1 << MG_MOST_LEVELS) + 2 };

static const struct mg_class {
    int levels, cycles;
    double near, beside, across; /* the smoother's weights of a point itself, over faces, and over edges */
    double norm;
} mg_classes[NPB_CLASSES] = {
    {5, 4, -3.0 / 8, 1.0 / 32, -1.0 / 64, 0.5307707005734e-04},
    {7, 4, -3.0 / 8, 1.0 / 32, -1.0 / 64, 0.6467329375339e-05},
    {8, 4, -3.0 / 8, 1.0 / 32, -1.0 / 64, 0.2433365309069e-05},
    {8, 20, -3.0 / 17, 1.0 / 33, -1.0 / 61, 0.1800564401355e-05},
    {9, 20, -3.0 / 17, 1.0 / 33, -1.0 / 61, 0.5706732285740e-06},
};

static inline int mg_points(int class)
{
    return 1 << mg_classes[class].levels;
}

/* The right-hand side is 1 or -1 at a few points, and 0 elsewhere. */
struct mg_charge {
    int x, y, z;
    double value;
};

/* A candidate for the largest or, with the sign reversed, the smallest numbers */
struct mg_extreme {
    double number;
    long index;
};

/* Keeps the MG_CHARGES largest numbers in order, the smallest of them first. */
static inline void mg_keep(struct mg_extreme *kept, double number, long index)
{
    int i = 0;
    for (; i + 1 < MG_CHARGES && kept[i + 1].number < number; i++)
        kept[i] = kept[i + 1];
    kept[i] = (struct mg_extreme){number, index};
}

/* Finds the points of the largest and of the smallest random numbers, with one number per point, x varying faster than
 * y, and y than z.  Takes 5 ns a point. */
static inline void mg_find_charges(int class, struct mg_charge charges[2 * MG_CHARGES])
{
    struct mg_extreme largest[MG_CHARGES], smallest[MG_CHARGES];
    long n = mg_points(class);
    uint64_t state = 314159265;
    for (int i = 0; i < MG_CHARGES; i++)
        largest[i] = smallest[i] = (struct mg_extreme){-2, 0};
    for (long i = 0; i < n * n * n; i++) {
        double number = npb_random(&state);
        if (number > largest[0].number)
            mg_keep(largest, number, i);
        if (-number > smallest[0].number)
            mg_keep(smallest, -number, i);
    }
    for (int i = 0; i < 2 * MG_CHARGES; i++) {
        long index = i < MG_CHARGES ? largest[i].index : smallest[i - MG_CHARGES].index;
        charges[i].x = (int)(index % n) + 1;
        charges[i].y = (int)(index / n % n) + 1;
        charges[i].z = (int)(index / n / n) + 1;
        charges[i].value = i < MG_CHARGES ? 1 : -1;
    }
}

/* norm: the root mean square of the residual */
static inline int mg_report(const char *form, int class, int n, double seconds, double norm)
{
    double points = pow(mg_points(class), 3), right = mg_classes[class].norm;
    char size[32];
    snprintf(size, sizeof size, "%d^3", mg_points(class));
    return npb_report("MG", form, class, size, n, 58 * points * mg_classes[class].cycles, seconds,
                      fabs(norm - right) <= 1e-8 * right);
}

#endif
