#include <bupc_extern.h>

#include <stdio.h>

int count_threads(void);

int main(int argc, char **argv)
{
    puts("before");
    fflush(stdout);
    bupc_init(&argc, &argv);
    if (count_threads() == bupc_extern_threads() && argc == 1)
        puts("ok");
    bupc_exit(0);
}
