/*
 * ep_omp: EP with OpenMP.
 *
 * usage: OMP_NUM_THREADS=N ep_omp CLASS
 */
#include <omp.h>

#include "ep.h"

int main(int argc, char **argv)
{
    int class = npb_class(argc, argv, 1);
    if (class < 0)
        return 2;
    double sums[EP_SUMS] = {0}, start = app_seconds();
#pragma omp parallel for reduction(+ : sums)
    for (long block = 0; block < ep_blocks(class); block++)
        ep_block(block, sums);
    return ep_report("OpenMP", class, omp_get_max_threads(), app_seconds() - start, sums);
}
