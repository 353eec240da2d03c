/*
 * mg_naive: MG as a UPC programmer writes it: a shared directory of planes, each with affinity to one thread.
 *
 * usage: mg_naive CLASS
 */
#include <upc.h>

#include "mg.h"

typedef shared[] double *plane_t;

static shared[] plane_t directory[MG_LONGEST];
static shared double parts[THREADS];
static plane_t u[MG_MOST_LEVELS + 1][MG_LONGEST], r[MG_MOST_LEVELS + 1][MG_LONGEST], v[MG_LONGEST];
static int class, finest;

/* Planes 1 to n of a level, dealt out in runs; plane 0 is plane n, and plane n + 1 is plane 1. */
static void take(int k, plane_t *planes)
{
    int n = 1 << k;
    upc_forall(int z = 1; z <= n; z++; z * THREADS / (n + 1))
    {
        directory[z] = upc_alloc((size_t)(n + 2) * (size_t)(n + 2) * sizeof(double));
        if (directory[z] == NULL) {
            npb_no_memory(MYTHREAD);
            upc_global_exit(1);
        }
    }
    upc_barrier;
    for (int z = 1; z <= n; z++)
        planes[z] = directory[z];
    upc_barrier;
    planes[0] = planes[n];
    planes[n + 1] = planes[1];
}

static void give_back(int k, plane_t *planes)
{
    int n = 1 << k;
    upc_forall(int z = 1; z <= n; z++; z * THREADS / (n + 1)) upc_free(planes[z]);
}

/* Points at the ends of rows and planes are copies of those at the other ends. */
static void wrap(int n, plane_t plane)
{
    long row = n + 2;
    for (int y = 1; y <= n; y++) {
        plane[y * row] = plane[y * row + n];
        plane[y * row + n + 1] = plane[y * row + 1];
    }
    for (int x = 0; x < n + 2; x++) {
        plane[x] = plane[n * row + x];
        plane[(n + 1) * row + x] = plane[row + x];
    }
}

/* For each x around row y of plane z: the sums of the four points beside it and of the four diagonal ones, in the y-z
 * plane */
static void around(int n, plane_t *planes, int z, int y, double *beside, double *across)
{
    long row = n + 2, at = y * row;
    plane_t before = planes[z - 1], here = planes[z], behind = planes[z + 1];
    for (int x = 0; x < n + 2; x++) {
        beside[x] = here[at - row + x] + here[at + row + x] + before[at + x] + behind[at + x];
        across[x] = before[at - row + x] + before[at + row + x] + behind[at - row + x] + behind[at + row + x];
    }
}

/* r = right - A u */
static void residual(int k, plane_t *right)
{
    int n = 1 << k;
    long row = n + 2;
    double beside[MG_LONGEST], across[MG_LONGEST];
    upc_forall(int z = 1; z <= n; z++; z * THREADS / (n + 1))
    {
        plane_t from = right[z], to = r[k][z], of = u[k][z];
        for (int y = 1; y <= n; y++) {
            long at = y * row;
            around(n, u[k], z, y, beside, across);
            for (int x = 1; x <= n; x++)
                to[at + x] = from[at + x] + 8.0 / 3 * of[at + x] -
                             1.0 / 6 * (across[x] + beside[x - 1] + beside[x + 1]) -
                             1.0 / 12 * (across[x - 1] + across[x + 1]);
        }
        wrap(n, to);
    }
    upc_barrier;
}

/* u += S r */
static void smooth(int k)
{
    const struct mg_class *is = &mg_classes[class];
    int n = 1 << k;
    long row = n + 2;
    double beside[MG_LONGEST], across[MG_LONGEST];
    upc_forall(int z = 1; z <= n; z++; z * THREADS / (n + 1))
    {
        plane_t from = r[k][z], to = u[k][z];
        for (int y = 1; y <= n; y++) {
            long at = y * row;
            around(n, r[k], z, y, beside, across);
            for (int x = 1; x <= n; x++)
                to[at + x] += is->near * from[at + x] + is->beside * (from[at + x - 1] + from[at + x + 1] + beside[x]) +
                              is->across * (across[x] + beside[x - 1] + beside[x + 1]);
        }
        wrap(n, to);
    }
    upc_barrier;
}

/* Restricts the residual to r of the next coarser level */
static void coarsen(int k)
{
    int n = 1 << k, coarse = n / 2;
    long row = n + 2, coarse_row = coarse + 2;
    double beside[MG_LONGEST], across[MG_LONGEST];
    upc_forall(int z = 1; z <= coarse; z++; z * THREADS / (coarse + 1))
    {
        plane_t from = r[k][2 * z], to = r[k - 1][z];
        for (int y = 1; y <= coarse; y++) {
            long at = 2 * y * row;
            around(n, r[k], 2 * z, 2 * y, beside, across);
            for (int x = 1; x <= coarse; x++)
                to[y * coarse_row + x] = 0.5 * from[at + 2 * x] +
                                         0.25 * (from[at + 2 * x - 1] + from[at + 2 * x + 1] + beside[2 * x]) +
                                         0.125 * (beside[2 * x - 1] + beside[2 * x + 1] + across[2 * x]) +
                                         0.0625 * (across[2 * x - 1] + across[2 * x + 1]);
        }
        wrap(coarse, to);
    }
    upc_barrier;
}

/* Interpolates: u += u of the next coarser level */
static void refine(int k)
{
    int n = 1 << k, coarse = n / 2;
    long row = n + 2, coarse_row = coarse + 2;
    double sum[MG_LONGEST];
    upc_forall(int z = 1; z <= n; z++; z * THREADS / (n + 1))
    {
        plane_t near = u[k - 1][z / 2], other = u[k - 1][z / 2 + z % 2], to = u[k][z];
        for (int y = 0; y < n + 2; y++) {
            long at = y / 2 * coarse_row, next = at + y % 2 * coarse_row;
            for (int x = 0; x < coarse + 2; x++)
                sum[x] = 0.25 * (near[at + x] + other[at + x] + near[next + x] + other[next + x]);
            for (int x = 0; x <= coarse; x++) {
                to[y * row + 2 * x] += sum[x];
                to[y * row + 2 * x + 1] += 0.5 * (sum[x] + sum[x + 1]);
            }
        }
    }
    upc_barrier;
}

static void clear(int k, plane_t *planes)
{
    int n = 1 << k;
    upc_forall(int z = 1; z <= n; z++; z * THREADS / (n + 1))
        upc_memset(planes[z], 0, (size_t)(n + 2) * (size_t)(n + 2) * sizeof(double));
    upc_barrier;
}

static void cycle(void)
{
    for (int k = finest; k > 1; k--)
        coarsen(k);
    clear(1, u[1]);
    smooth(1);
    for (int k = 2; k < finest; k++) {
        clear(k, u[k]);
        refine(k);
        residual(k, r[k]);
        smooth(k);
    }
    refine(finest);
    residual(finest, v);
    smooth(finest);
    residual(finest, v);
}

static double norm(void)
{
    int n = 1 << finest;
    double sum = 0;
    upc_forall(int z = 1; z <= n; z++; z * THREADS / (n + 1))
    {
        plane_t of = r[finest][z];
        for (int y = 1; y <= n; y++)
            for (int x = 1; x <= n; x++)
                sum += of[y * (n + 2L) + x] * of[y * (n + 2L) + x];
    }
    parts[MYTHREAD] = sum;
    upc_barrier;
    sum = 0;
    for (int t = 0; t < THREADS; t++)
        sum += parts[t];
    upc_barrier;
    return sqrt(sum / pow(n, 3));
}

static double solve(int cycles)
{
    clear(finest, u[finest]);
    residual(finest, v);
    norm(); /* required by the benchmark */
    for (int i = 0; i < cycles; i++)
        cycle();
    return norm();
}

static void set_charges(void)
{
    struct mg_charge charges[2 * MG_CHARGES];
    mg_find_charges(class, charges);
    clear(finest, v);
    for (int i = 0; i < 2 * MG_CHARGES; i++) {
        plane_t plane = v[charges[i].z];
        if (upc_threadof(plane) == (size_t)MYTHREAD)
            plane[charges[i].y * ((1L << finest) + 2) + charges[i].x] = charges[i].value;
    }
    upc_barrier;
}

int main(int argc, char **argv)
{
    class = npb_class(argc, argv, MYTHREAD == 0);
    if (class < 0)
        return 2;
    finest = mg_classes[class].levels;
    for (int k = 1; k <= finest; k++) {
        take(k, u[k]);
        take(k, r[k]);
    }
    take(finest, v);
    set_charges();
    solve(1); /* warm-up: touches the memory */
    double start = app_seconds(), found = solve(mg_classes[class].cycles), seconds = app_seconds() - start;
    for (int k = 1; k <= finest; k++) {
        give_back(k, u[k]);
        give_back(k, r[k]);
    }
    give_back(finest, v);
    return MYTHREAD == 0 ? mg_report("UPC naive", class, THREADS, seconds, found) : 0;
}
