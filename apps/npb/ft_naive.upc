/*
 * ft_naive: FT as a UPC programmer writes it: two shared arrays, upc_forall over planes and layers.
 *
 * usage: ft_naive CLASS
 */
#include <upc.h>

#include "ft.h"

static shared struct ft_piece *values, *frequencies; /* [y][z][piece] */
static shared double parts[THREADS][2];
static int class, nx, ny, nz, pieces;
static struct ft_lines *lines;
static struct ft_damping damping;

static long place(int y, int z, int piece)
{
    return ((long)y * nz + z) * pieces + piece;
}

static void along_x(int z, int is_inverse)
{
    for (int y = 0; y < ny; y += FT_WIDTH) {
        lines->now = 0;
        for (int i = 0; i < pieces; i++)
            for (int r = 0; r < FT_WIDTH; r++)
                for (int k = 0; k < FT_WIDTH; k++) {
                    lines->re[0][(i * FT_WIDTH + k) * FT_WIDTH + r] = values[place(y + r, z, i)].re[k];
                    lines->im[0][(i * FT_WIDTH + k) * FT_WIDTH + r] = values[place(y + r, z, i)].im[k];
                }
        ft_transform(lines, nx, is_inverse);
        for (int i = 0; i < pieces; i++)
            for (int r = 0; r < FT_WIDTH; r++)
                for (int k = 0; k < FT_WIDTH; k++) {
                    values[place(y + r, z, i)].re[k] = lines->re[lines->now][(i * FT_WIDTH + k) * FT_WIDTH + r];
                    values[place(y + r, z, i)].im[k] = lines->im[lines->now][(i * FT_WIDTH + k) * FT_WIDTH + r];
                }
    }
}

static void along_y(int z, int is_inverse)
{
    for (int i = 0; i < pieces; i++) {
        lines->now = 0;
        for (int y = 0; y < ny; y++)
            for (int k = 0; k < FT_WIDTH; k++) {
                lines->re[0][y * FT_WIDTH + k] = values[place(y, z, i)].re[k];
                lines->im[0][y * FT_WIDTH + k] = values[place(y, z, i)].im[k];
            }
        ft_transform(lines, ny, is_inverse);
        for (int y = 0; y < ny; y++)
            for (int k = 0; k < FT_WIDTH; k++) {
                values[place(y, z, i)].re[k] = lines->re[lines->now][y * FT_WIDTH + k];
                values[place(y, z, i)].im[k] = lines->im[lines->now][y * FT_WIDTH + k];
            }
    }
}

/* Transforms the layer of y from `from` into `to` */
static void along_z(int y, shared struct ft_piece *from, shared struct ft_piece *to, int is_inverse)
{
    for (int i = 0; i < pieces; i++) {
        lines->now = 0;
        for (int z = 0; z < nz; z++) {
            for (int k = 0; k < FT_WIDTH; k++) {
                lines->re[0][z * FT_WIDTH + k] = from[place(y, z, i)].re[k];
                lines->im[0][z * FT_WIDTH + k] = from[place(y, z, i)].im[k];
            }
            if (is_inverse)
                ft_damp(lines, z, &damping.x[i * FT_WIDTH], damping.y[y] * damping.z[z]);
        }
        ft_transform(lines, nz, is_inverse);
        for (int z = 0; z < nz; z++)
            for (int k = 0; k < FT_WIDTH; k++) {
                to[place(y, z, i)].re[k] = lines->re[lines->now][z * FT_WIDTH + k];
                to[place(y, z, i)].im[k] = lines->im[lines->now][z * FT_WIDTH + k];
            }
    }
}

static void fill(int z)
{
    struct ft_piece line[FT_LONGEST / FT_WIDTH];
    for (int y = 0; y < ny; y++) {
        ft_fill(class, y, z, line);
        for (int i = 0; i < pieces; i++)
            values[place(y, z, i)] = line[i];
    }
}

static void add_samples(double *sum)
{
    parts[MYTHREAD][0] = parts[MYTHREAD][1] = 0;
    upc_forall(int j = 1; j <= FT_SAMPLES; j++; j)
    {
        int x, y, z;
        ft_sample(class, j, &x, &y, &z);
        parts[MYTHREAD][0] += values[place(y, z, x / FT_WIDTH)].re[x % FT_WIDTH];
        parts[MYTHREAD][1] += values[place(y, z, x / FT_WIDTH)].im[x % FT_WIDTH];
    }
    upc_barrier;
    sum[0] = sum[1] = 0;
    for (int t = 0; t < THREADS; t++) {
        sum[0] += parts[t][0];
        sum[1] += parts[t][1];
    }
    upc_barrier;
}

static void solve(int times, double sums[][2])
{
    upc_forall(int z = 0; z < nz; z++; z)
    {
        fill(z);
        along_x(z, 0);
        along_y(z, 0);
    }
    upc_barrier;
    upc_forall(int y = 0; y < ny; y++; y) along_z(y, values, frequencies, 0);
    upc_barrier;
    for (int time = 1; time <= times; time++) {
        ft_set_damping(class, time, &damping);
        upc_forall(int y = 0; y < ny; y++; y) along_z(y, frequencies, values, 1);
        upc_barrier;
        upc_forall(int z = 0; z < nz; z++; z)
        {
            along_y(z, 1);
            along_x(z, 1);
        }
        upc_barrier;
        add_samples(sums[time - 1]);
    }
}

int main(int argc, char **argv)
{
    double sums[FT_MOST_ITERATIONS][2];
    class = npb_class(argc, argv, MYTHREAD == 0);
    if (class < 0)
        return 2;
    nx = ft_classes[class].nx;
    ny = ft_classes[class].ny;
    nz = ft_classes[class].nz;
    pieces = ft_pieces(class);
    values = upc_all_alloc((size_t)(ft_points(class) / FT_WIDTH), sizeof(struct ft_piece));
    frequencies = upc_all_alloc((size_t)(ft_points(class) / FT_WIDTH), sizeof(struct ft_piece));
    lines = malloc(sizeof *lines);
    if (values == NULL || frequencies == NULL || lines == NULL) {
        npb_no_memory(MYTHREAD);
        upc_global_exit(1);
    }
    ft_start();
    solve(1, sums); /* warm-up: touches the memory */
    double start = app_seconds();
    solve(ft_classes[class].iterations, sums);
    double seconds = app_seconds() - start;
    free(lines);
    upc_all_free(values);
    upc_all_free(frequencies);
    return MYTHREAD == 0 ? ft_report("UPC naive", class, THREADS, seconds, sums) : 0;
}
