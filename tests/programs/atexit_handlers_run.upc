// atexit handlers run on each thread (facts 1.4)
// expect-exit: 0
// expect-stdout: ^handler 0$
#include <stdio.h>
#include <stdlib.h>

static void handler(void)
{
    printf("handler %d\n", MYTHREAD);
}

int main(void)
{
    atexit(handler);
    return 0;
}
