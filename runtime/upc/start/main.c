/*
 * main.c: threads start before main.
 *
 * Programs are linked with -Wl,--wrap=main, so the main of this file runs first, whatever language the program's own
 * main is written in.  A program that is linked without that option does not include this file, and starts the threads
 * by bupc_init.
 */
#include "boot/crash.h"
#include "upc/start/start.h"

#include <stdbool.h>

int __real_main(int argc, char **argv, char **environment);
int __wrap_main(int argc, char **argv, char **environment);

int __wrap_main(int argc, char **argv, char **environment)
{
    static bool has_begun;
    if (has_begun) /* the program calls its main again */
        return __real_main(argc, argv, environment);
    has_begun = true;
    return bn_upc_run(argc, argv, __real_main);
}

/* Runs before the program's own constructors, whose priority is lower */
__attribute__((constructor(101))) static void expect_main(void)
{
    bn_crash_expect_start("it comes too early in a constructor, since threads start before main");
}
