#include "now.h"

#include <time.h>

double uoms_now_ns(void)
{
    static time_t origin_s;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (origin_s == 0)
        origin_s = now.tv_sec;
    return (double)(now.tv_sec - origin_s) * 1e9 + (double)now.tv_nsec;
}
