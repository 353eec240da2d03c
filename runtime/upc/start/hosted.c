/*
 * hosted.c: support for hosts that are not UPC programs but load UPC libraries at run time, such as Python (part of
 * lib/banyan/libbanyan.so, with which upcc -shared links such libraries; not in the archives).
 *
 * Threads start when the host calls bupc_init.  Until then shared objects have no addresses, so an access to one
 * faults.
 *
 * A UPC program that loads such a library has two runtimes.  The libraries use the program's runtime if it exports its
 * symbols, that is, if it was linked with the libraries or with -rdynamic; then nothing else in this file is called.
 */
#include "boot/crash.h"
#include "pgas/segment.h"
#include "platform/memory.h"
#include "upc/fatal.h"
#include "upc/start/units.h"

static bool is_ours(void)
{
    /* volatile, because compilers assume that two functions have different addresses; here two names may denote the
     * same one. */
    __typeof__(bn_unit_register) *volatile used = bn_unit_register;
    __typeof__(bn_unit_register) *volatile ours = BN_OWN(bn_unit_register);
    return used == ours;
}

__attribute__((constructor)) static void begin(void)
{
    if (!is_ours())
        bn_units_expect_part();
    else if (!bn_memory_is_taken(BN_WINDOW_BASE))
        bn_crash_expect_start("call bupc_init first");
    else
        bn_upc_fatal("dlopen", "a UPC program loads a UPC library, but does not share its runtime with it; link the "
                               "program with upcc -rdynamic, or with the library");
}
