/*
 * ft.h: FT, "Fourier transform": a diffusion equation in three dimensions, solved in the frequency domain.
 *
 * The initial values are transformed once; for each point in time, the frequencies are damped and transformed back, and
 * 1,024 of the values are added up.
 *
 * Numbers are stored in pieces of FT_WIDTH neighbours along x: first the real parts, then the imaginary ones.  FT_WIDTH
 * lines are transformed at a time, which lets the C compiler vectorise the loops.
 */
#ifndef FT_H
#define FT_H

#include "npb.h"

enum { FT_WIDTH = 8, FT_LONGEST = 512, FT_MOST_ITERATIONS = 20 };

static const struct ft_class {
    int nx, ny, nz, iterations;
    double sums[FT_MOST_ITERATIONS][2];
} ft_classes[NPB_CLASSES] = {
    {64,
     64,
     64,
     6,
     {{554.6087004964, 484.5363331978},
      {554.6385409189, 486.5304269511},
      {554.6148406171, 488.3910722336},
      {554.5423607415, 490.1273169046},
      {554.4255039624, 491.7475857993},
      {554.2683411902, 493.2597244941}}},
    {128,
     128,
     32,
     6,
     {{567.3612178944, 529.3246849175},
      {563.1436885271, 528.2149986629},
      {559.4024089970, 527.0996558037},
      {556.0698047020, 526.0027904925},
      {553.0898991250, 524.9400845633},
      {550.4159734538, 523.9212247086}}},
    {256,
     256,
     128,
     6,
     {{504.6735008193, 511.4047905510},
      {505.9412319734, 509.8809666433},
      {506.9376896287, 509.8144042213},
      {507.7892868474, 510.1336130759},
      {508.5233095391, 510.4914655194},
      {509.1487099959, 510.7917842803}}},
    {512, 256, 256, 20, {{517.7643571579, 507.7803458597}, {515.4521291263, 508.8249431599},
                         {514.6409228649, 509.6208912659}, {514.2378756213, 510.1023387619},
                         {513.9626667737, 510.3976610617}, {513.7423460082, 510.5948019802},
                         {513.5547056878, 510.7404165783}, {513.3910925466, 510.8576573661},
                         {513.2470705390, 510.9577278523}, {513.1197729984, 511.0460304483},
                         {513.0070319283, 511.1252433800}, {512.9070537032, 511.1968077718},
                         {512.8182883502, 511.2616233064}, {512.7393733383, 511.3203605551},
                         {512.6691062020, 511.3735928093}, {512.6064276004, 511.4218460548},
                         {512.5504076570, 511.4656139760}, {512.5002331720, 511.5053595966},
                         {512.4551951846, 511.5415130407}, {512.4146770029, 511.5744692211}}},
    {512, 512, 512, 20, {{519.5078707457, 514.9019699238}, {515.5422171134, 512.7578201997},
                         {514.4678022222, 512.2251847514}, {514.0150594328, 512.1090289018},
                         {513.7550426810, 512.1143685824}, {513.5811056728, 512.1496764568},
                         {513.4569343165, 512.1870921893}, {513.3651975661, 512.2193250322},
                         {513.2955192805, 512.2454735794}, {513.2410471738, 512.2663649603},
                         {513.1971141679, 512.2830879827}, {513.1605205716, 512.2965869718},
                         {513.1290734194, 512.3075927445}, {513.1012720314, 512.3166486553},
                         {513.0760908195, 512.3241541685}, {513.0528295923, 512.3304037599},
                         {513.0310107773, 512.3356167976}, {513.0103090133, 512.3399592211},
                         {512.9905029333, 512.3435588985}, {512.9714421109, 512.3465164008}}},
};

struct ft_piece {
    double re[FT_WIDTH], im[FT_WIDTH];
};

static inline long ft_points(int class)
{
    return (long)ft_classes[class].nx * ft_classes[class].ny * ft_classes[class].nz;
}

/* Pieces per line along x */
static inline int ft_pieces(int class)
{
    return ft_classes[class].nx / FT_WIDTH;
}

/* The initial values of the line along x at y, z; the random numbers run along x, then y, then z. */
static inline void ft_fill(int class, int y, int z, struct ft_piece *line)
{
    const struct ft_class *is = &ft_classes[class];
    uint64_t state = npb_skip(314159265, 2 * ((uint64_t)z * (uint64_t)is->ny + (uint64_t)y) * (uint64_t)is->nx);
    for (int i = 0; i < ft_pieces(class); i++)
        for (int k = 0; k < FT_WIDTH; k++) {
            line[i].re[k] = npb_random(&state);
            line[i].im[k] = npb_random(&state);
        }
}

/* FT_WIDTH lines of up to FT_LONGEST numbers, interleaved, in one of two buffers; `now` says which */
struct ft_lines {
    int now;
    double re[2][FT_LONGEST * FT_WIDTH], im[2][FT_LONGEST * FT_WIDTH];
};

/* Roots of unity: cos and -sin of 2 pi i / FT_LONGEST */
static double ft_roots[FT_LONGEST][2];

/* Must be called first, once */
static inline void ft_start(void)
{
    for (int i = 0; i < FT_LONGEST; i++) {
        double angle = 2 * acos(-1.0) * i / FT_LONGEST;
        ft_roots[i][0] = cos(angle);
        ft_roots[i][1] = -sin(angle);
    }
}

/* Four transforms of length n / 4 become one of length n, for `count` adjacent numbers; in Stockham's order, so that no
 * reordering is needed. */
static void ft_pass_of_4(int n, int count, const double *restrict xr, const double *restrict xi, double *restrict yr,
                         double *restrict yi)
{
    int quarter = n / 4 * count, step = FT_LONGEST / n;
    for (int p = 0; p < n / 4; p++) {
        const double *w1 = ft_roots[p * step], *w2 = ft_roots[2 * p * step], *w3 = ft_roots[3 * p * step];
        double w1r = w1[0], w1i = w1[1], w2r = w2[0], w2i = w2[1], w3r = w3[0], w3i = w3[1];
        const double *ar = xr + p * count, *ai = xi + p * count;
        double *to_r = yr + 4 * p * count, *to_i = yi + 4 * p * count;
        for (int q = 0; q < count; q++) {
            double br = ar[q + quarter], bi = ai[q + quarter], cr = ar[q + 2 * quarter], ci = ai[q + 2 * quarter];
            double dr = ar[q + 3 * quarter], di = ai[q + 3 * quarter];
            double sum_r = ar[q] + cr, sum_i = ai[q] + ci, less_r = ar[q] - cr, less_i = ai[q] - ci;
            double other_r = br + dr, other_i = bi + di, turned_r = di - bi, turned_i = br - dr;
            double second_r = less_r - turned_r, second_i = less_i - turned_i;
            double third_r = sum_r - other_r, third_i = sum_i - other_i;
            double fourth_r = less_r + turned_r, fourth_i = less_i + turned_i;
            to_r[q] = sum_r + other_r;
            to_i[q] = sum_i + other_i;
            to_r[q + count] = w1r * second_r - w1i * second_i;
            to_i[q + count] = w1r * second_i + w1i * second_r;
            to_r[q + 2 * count] = w2r * third_r - w2i * third_i;
            to_i[q + 2 * count] = w2r * third_i + w2i * third_r;
            to_r[q + 3 * count] = w3r * fourth_r - w3i * fourth_i;
            to_i[q + 3 * count] = w3r * fourth_i + w3i * fourth_r;
        }
    }
}

/* The last pass if the length is not a power of 4 */
static void ft_pass_of_2(int count, const double *restrict xr, const double *restrict xi, double *restrict yr,
                         double *restrict yi)
{
    for (int q = 0; q < count; q++) {
        yr[q] = xr[q] + xr[q + count];
        yi[q] = xi[q] + xi[q + count];
        yr[q + count] = xr[q] - xr[q + count];
        yi[q + count] = xi[q] - xi[q + count];
    }
}

/* Transforms lines of n numbers, a power of 2; the inverse is the same with real and imaginary parts exchanged, and n
 * times too large. */
static inline void ft_transform(struct ft_lines *lines, int n, int is_inverse)
{
    for (int count = FT_WIDTH; n > 1; count *= 4, n /= 4) {
        int from = lines->now, to = !from;
        const double *xr = is_inverse ? lines->im[from] : lines->re[from];
        const double *xi = is_inverse ? lines->re[from] : lines->im[from];
        double *yr = is_inverse ? lines->im[to] : lines->re[to], *yi = is_inverse ? lines->re[to] : lines->im[to];
        if (n == 2)
            ft_pass_of_2(count, xr, xi, yr, yi);
        else
            ft_pass_of_4(n, count, xr, xi, yr, yi);
        lines->now = to;
    }
}

/* Copies a piece to the numbers at index `at` of FT_WIDTH lines; ft_store copies it back. */
static inline void ft_load(struct ft_lines *lines, int at, const struct ft_piece *piece)
{
    memcpy(&lines->re[0][at * FT_WIDTH], piece->re, sizeof piece->re);
    memcpy(&lines->im[0][at * FT_WIDTH], piece->im, sizeof piece->im);
}

static inline void ft_store(const struct ft_lines *lines, int at, struct ft_piece *piece)
{
    memcpy(piece->re, &lines->re[lines->now][at * FT_WIDTH], sizeof piece->re);
    memcpy(piece->im, &lines->im[lines->now][at * FT_WIDTH], sizeof piece->im);
}

/* Damps the numbers that ft_load has loaded, before the inverse transform */
static inline void ft_damp(struct ft_lines *lines, int at, const double *along_x, double others)
{
    for (int k = 0; k < FT_WIDTH; k++) {
        lines->re[0][at * FT_WIDTH + k] *= along_x[k] * others;
        lines->im[0][at * FT_WIDTH + k] *= along_x[k] * others;
    }
}

/* The factors by which a frequency along each dimension is damped per time step */
struct ft_damping {
    double x[FT_LONGEST], y[FT_LONGEST], z[FT_LONGEST];
};

static inline void ft_damp_along(int n, int time, double *factors)
{
    double rate = -4e-6 * acos(-1.0) * acos(-1.0) * time;
    for (int i = 0; i < n; i++) {
        int frequency = i < n / 2 ? i : i - n;
        factors[i] = exp(rate * frequency * frequency);
    }
}

static inline void ft_set_damping(int class, int time, struct ft_damping *damping)
{
    ft_damp_along(ft_classes[class].nx, time, damping->x);
    ft_damp_along(ft_classes[class].ny, time, damping->y);
    ft_damp_along(ft_classes[class].nz, time, damping->z);
}

enum { FT_SAMPLES = 1024 };

/* The position of sample j, 1 to FT_SAMPLES */
static inline void ft_sample(int class, int j, int *x, int *y, int *z)
{
    *x = j % ft_classes[class].nx;
    *y = 3 * j % ft_classes[class].ny;
    *z = 5 * j % ft_classes[class].nz;
}

/* sums: over all samples, at each time, unnormalised as they come out of the transforms */
static inline int ft_report(const char *form, int class, int n, double seconds, double sums[][2])
{
    const struct ft_class *is = &ft_classes[class];
    double points = (double)ft_points(class), logarithm = log(points);
    double operations = points * (14.8157 + 7.19641 * logarithm + (5.23518 + 7.21113 * logarithm) * is->iterations);
    int is_right = 1;
    for (int i = 0; i < is->iterations; i++) {
        double difference = hypot(sums[i][0] / points - is->sums[i][0], sums[i][1] / points - is->sums[i][1]);
        is_right = is_right && difference <= 1e-12 * hypot(is->sums[i][0], is->sums[i][1]);
    }
    char size[32];
    snprintf(size, sizeof size, "%dx%dx%d", is->nx, is->ny, is->nz);
    return npb_report("FT", form, class, size, n, operations, seconds, is_right);
}

#endif
