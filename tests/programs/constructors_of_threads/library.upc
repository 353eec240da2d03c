#include "order.h"

char called[16], *called_end = called;

[[gnu::constructor]] static void in_library(void)
{
    CALLED('a');
}
