// Lines of different threads never mix within a line (gotcha 43)
// pthreads: no
// expect-exit: 0
// expect-stdout: \A(?:(\d)\1{79}\n){1,}\Z
// threads: 1 2 4 8
// network: smp
#include <stdio.h>
#include <upc.h>

int main(void)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    for (int line = 0; line < 200; line++) {
        for (int i = 0; i < 80; i++)
            putchar('0' + MYTHREAD);
        putchar('\n');
    }
    return 0;
}
