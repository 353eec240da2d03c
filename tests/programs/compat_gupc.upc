// Facts 3.1: -compat=gupc: programs that look for GNU UPC find it, and upc_poll without a header.
// flags: -compat=gupc -Werror
static void poll(void)
{
    upc_poll();
}

#include <upc.h>

#include "check.h"

#ifndef __GCC_UPC__
#error "__GCC_UPC__"
#endif
#if defined(__BERKELEY_UPC__) || defined(__BERKELEY_UPC_RUNTIME__)
#error "another system"
#endif

int main(void)
{
    poll();
    return finish();
}
