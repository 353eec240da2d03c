#include "order.h"

static void by_prototype(void) __attribute__((__constructor__(200), __noinline__));

static void by_prototype(void)
{
    CALLED('b');
}

static __attribute__((constructor)) void last(void)
{
    CALLED('e');
}
