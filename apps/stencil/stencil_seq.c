/* stencil_seq: seven points in three dimensions, in C.  usage: stencil_seq SIDE STEPS */
#include "stencil.h"

int main(int argc, char **argv)
{
    int side, steps;
    double seconds;
    if (argc != 3 || !stencil_sizes(argc, argv, &side, &steps)) {
        fprintf(stderr, "usage: stencil_seq SIDE STEPS, up to %d and %d\n", STENCIL_MOST_SIDE, STENCIL_MOST_STEPS);
        return 2;
    }
    uint64_t sum = stencil_alone(side, steps, &seconds);
    return stencil_report("C", side, steps, 1, seconds, sum);
}
