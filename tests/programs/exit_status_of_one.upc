// The first non-zero status of a thread is the program's (facts 1.4)
// expect-exit: 3
#include "check.h"

int main(void)
{
    return MYTHREAD == THREADS - 1 ? 3 : 0;
}
