// expect-exit: 0
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../check.h"
#include "order.h"

// A table of tests that enter themselves, which starts with the address of a private object
struct test {
    struct test *next;
};
static struct test *first, **last = &first;
static int arguments;

#define TEST(name)                                               \
    __attribute__((constructor(300))) static void name(void)     \
    {                                                            \
        static struct test test;                                 \
        *last = &test;                                           \
        last = &test.next;                                       \
        CALLED(#name[0]);                                        \
    }
TEST(c)
TEST(d)

__attribute__((constructor(150))) static void with_arguments(int argc, char **argv)
{
    arguments += argc > 0 && argv[0][0] != '\0';
}

// Destructors come in the reverse order, after functions given to atexit
__attribute__((destructor)) static void early(void)
{
    CALLED('g');
}

__attribute__((destructor(200))) static void late(void)
{
    CALLED('h');
    if (strcmp(called, "abcdefgh") != 0)
        _exit(3);
}

static void at_exit(void)
{
    CALLED('f');
}

int main(void)
{
    EQ(strcmp(called, "abcde"), 0);
    EQ(first != NULL && first->next != NULL && first->next->next == NULL, 1);
    EQ(arguments, 1);
    EQ(atexit(at_exit), 0);
    return finish();
}
