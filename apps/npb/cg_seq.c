/*
 * cg_seq: CG in C.
 *
 * usage: cg_seq CLASS
 */
#include "cg_solve.h"

static double sum_all(double mine)
{
    return mine;
}

static const double *all_of(const double *mine)
{
    return mine;
}

int main(int argc, char **argv)
{
    int class = npb_class(argc, argv, 1);
    struct cg_state state;
    if (class < 0)
        return 2;
    int rows = cg_classes[class].rows;
    if (cg_start(class, 0, rows, rows, &state) != 0) {
        npb_no_memory(0);
        return 1;
    }
    cg_iterate(class, &state, 1); /* warm-up: touches the memory */
    double start = app_seconds();
    double zeta = cg_iterate(class, &state, cg_classes[class].iterations);
    double seconds = app_seconds() - start;
    cg_end(&state);
    return cg_report("sequential", class, 1, seconds, zeta);
}
