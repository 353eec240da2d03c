/* hello: what hello.upc does, as processes in C. usage: hello [processes]; with 1, nothing is forked. */
#include <stdio.h>
#include <stdlib.h>

#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int processes = argc > 1 ? atoi(argv[1]) : 1;
    int number = 0;

    for (int i = 1; i < processes && number == 0; i++) {
        if (fork() == 0)
            number = i;
    }
    printf("Hello from process %d of %d\n", number, processes);
    if (number == 0) {
        while (wait(NULL) > 0)
            continue;
    }
    return 0;
}
