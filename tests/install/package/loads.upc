/* Loads a library while it runs, which calls what this program does not. */
#include <dlfcn.h>
#include <stdio.h>

int main(int count, char **words)
{
    void *library = dlopen(words[count - 1], RTLD_NOW);
    int (*sum)(void) = library ? (int (*)(void))dlsym(library, "late_sum") : NULL;
    if (!sum)
        return 1;
    int value = sum();
    if (MYTHREAD == 0)
        printf("%d\n", value);
    return 0;
}
