/*
 * main.c: threads start before main.
 *
 * Programs are linked with -Wl,--wrap=main, so the main of this file comes first, in whatever language the program's
 * own main is written.  A program that is linked without that option leaves this file in the library, and starts the
 * threads by bupc_init.
 */
#include "upc/start/start.h"

int __real_main(int argc, char **argv, char **environment);
int __wrap_main(int argc, char **argv, char **environment);

int __wrap_main(int argc, char **argv, char **environment)
{
    (void)environment;
    return bn_upc_run(argc, argv, __real_main);
}
