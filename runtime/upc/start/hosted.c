/*
 * hosted.c: what is no UPC program and loads UPC libraries while it runs, such as Python (lib/banyan/libbanyan.so,
 * which upcc -shared links them with; not in the archives).
 *
 * Its threads start where it calls bupc_init.  Until then shared objects have no places, so the first access to one
 * faults.
 *
 * A UPC program with such a library has two runtimes.  The libraries use its own, if it lends them its symbols, as it
 * does where it was linked with them, or by -rdynamic; then nothing here is called any more.
 */
#include "boot/crash.h"
#include "pgas/segment.h"
#include "platform/memory.h"
#include "upc/fatal.h"
#include "upc/start/units.h"

static bool is_ours(void)
{
    /* volatile: C says that two functions are not one; here two names may be. */
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
