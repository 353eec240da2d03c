/*
 * ep_seq: EP in C.
 *
 * usage: ep_seq CLASS
 */
#include "ep.h"

int main(int argc, char **argv)
{
    int class = npb_class(argc, argv, 1);
    if (class < 0)
        return 2;
    double sums[EP_SUMS] = {0}, start = app_seconds();
    for (long block = 0; block < ep_blocks(class); block++)
        ep_block(block, sums);
    return ep_report("sequential", class, 1, app_seconds() - start, sums);
}
