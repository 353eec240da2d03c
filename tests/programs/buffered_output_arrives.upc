// Output without a newline is flushed at the end (facts 1.4)
// expect-exit: 0
// expect-stdout: ^all of it$
// threads: 1 3
#include <stdio.h>

int main(void)
{
    if (MYTHREAD == 0)
        fputs("all of it", stdout);
    return 0;
}
