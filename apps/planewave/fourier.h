/*
 * fourier.h: Fourier transforms of many lines at once.  Any length will do; the time is the length times the sum of its
 * prime factors.
 */
#ifndef FOURIER_H
#define FOURIER_H

#include <math.h>
#include <string.h>

typedef struct {
    double re, im;
} point_t;

#define TWO_PI 6.28318530717958647692

enum { MOST_COUNT = 4096, MOST_LINES = 24 };

static inline point_t turned_by(double angle)
{
    return (point_t){cos(angle), sin(angle)};
}

static inline point_t times(point_t a, point_t b)
{
    return (point_t){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* Combines the two halves of a transform; factor: the twiddle factor of the odd half */
static inline void join_two(point_t *restrict even, point_t *restrict odd, point_t factor, int lines)
{
    for (int i = 0; i < lines; i++) {
        point_t turned = times(odd[i], factor);
        odd[i] = (point_t){even[i].re - turned.re, even[i].im - turned.im};
        even[i] = (point_t){even[i].re + turned.re, even[i].im + turned.im};
    }
}

/* Combines row k of each of `radix` parts of a transform into rows of the whole; `step`: index distance of roots */
static void join_many(point_t *rows, int radix, int part, int k, int lines, const point_t *roots, int whole, int step)
{
    point_t old[radix][MOST_LINES];
    for (int r = 0; r < radix; r++)
        for (int i = 0; i < lines; i++)
            old[r][i] = times(rows[(r * part + k) * lines + i], roots[r * k * step % whole]);
    for (int q = 0; q < radix; q++) {
        point_t *to = rows + (q * part + k) * lines;
        memset(to, 0, (size_t)lines * sizeof *to);
        for (int r = 0; r < radix; r++)
            for (int i = 0; i < lines; i++) {
                point_t turned = times(old[r][i], roots[q * r * part * step % whole]);
                to[i] = (point_t){to[i].re + turned.re, to[i].im + turned.im};
            }
    }
}

static void fourier_part(point_t *to, const point_t *from, int count, int stride, int lines, const point_t *roots,
                         int whole)
{
    int radix = 2;
    if (count == 1) {
        memcpy(to, from, (size_t)lines * sizeof *to);
        return;
    }
    while (count % radix != 0)
        radix++;
    int part = count / radix, step = whole / count;
    for (int r = 0; r < radix; r++)
        fourier_part(to + r * part * lines, from + r * stride * lines, part, stride * radix, lines, roots, whole);
    for (int k = 0; k < part; k++) {
        if (radix == 2)
            join_two(to + k * lines, to + (part + k) * lines, roots[k * step], lines);
        else
            join_many(to, radix, part, k, lines, roots, whole, step);
    }
}

/* Transforms the columns of a matrix with `count` rows of `lines` points; sign: -1 forward, +1 inverse, unnormalised */
static void fourier(point_t *to, const point_t *from, int count, int lines, int sign)
{
    static point_t roots[2][MOST_COUNT];
    static int counts[2];
    int way = sign > 0;
    if (counts[way] != count) {
        for (int i = 0; i < count; i++)
            roots[way][i] = turned_by(sign * TWO_PI * i / count);
        counts[way] = count;
    }
    fourier_part(to, from, count, 1, lines, roots[way], count);
}

#endif
