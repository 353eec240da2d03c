// All eight bits of an exit status arrive (facts 1.4)
// expect-exit: 255
#include <stdlib.h>

int main(void)
{
    if (MYTHREAD == 0)
        exit(255);
    return 0;
}
