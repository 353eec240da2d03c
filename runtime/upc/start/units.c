#include "upc/start/units.h"

#include "base/log.h"
#include "boot/job.h"
#include "pgas/declared.h"
#include "pgas/statics.h"
#include "platform/library.h"
#include "upc/check/check.h"
#include "upc/fatal.h"

#include <stdbool.h>
#include <stddef.h>

/* Filled by constructors before main, read-only afterwards. */
static struct bn_unit *first;
static struct bn_unit **last_link = &first;
static bool are_initialised;
static bool is_part_expected;

/* Null in a program that contains only a part of the runtime. */
extern const char bn_runtime_is_whole __attribute__((weak, visibility("hidden")));

__attribute__((visibility("default"))) void bn_units_expect_part(void)
{
    is_part_expected = true;
}

/* Whether the unit has this runtime's interface. */
static bn_status_t check_interface(const struct bn_unit *unit)
{
    unsigned abi = unit->abi & ~(unsigned)(BN_ABI_OF_C | BN_ABI_DECLARES);
    if (abi == BN_ABI)
        return BN_OK;
    if (abi == (BN_ABI ^ BN_ABI_PTHREADS))
        bn_log_error("%s was compiled %s -pthreads, unlike this program; give upcc the same -pthreads for all "
                     "units and for the link",
                     unit->source, (abi & BN_ABI_PTHREADS) ? "with" : "without");
    else if ((abi | BN_ABI_PTHREADS) == ((BN_ABI ^ BN_ABI_NETWORK_SHMEM) | BN_ABI_PTHREADS))
        bn_log_error("%s was compiled for another network than this program was linked for; give upcc the same "
                     "-network for all units and for the link",
                     unit->source);
    else
        bn_log_error("%s was compiled by a upcc whose interface is number %u, but this runtime has number %d; "
                     "compile it again, with the upcc that links the program",
                     unit->source, unit->abi, BN_ABI);
    return BN_ERR_MISMATCH;
}

/* Whether the unit of a library that is being loaded matches the job.  It is in the list only meanwhile. */
static bn_status_t check_late(struct bn_unit *unit, int threads)
{
    bn_status_t status = check_interface(unit);
    if (status != BN_OK)
        return status;
    if (unit->static_threads != 0 && unit->static_threads != threads) {
        bn_log_error("%s was compiled for %d threads, but this program runs with %d; compile it with -T %d, or without",
                     unit->source, unit->static_threads, threads, threads);
        return BN_ERR_MISMATCH;
    }
    *last_link = unit;
    status = bn_declared_check(first, threads);
    *last_link = NULL;
    return status;
}

/* Sets the initial values of a library that is being loaded, once: the constructors of one of its units may come before
 * the entry of the next one. */
static void initialise_late(const struct bn_unit *unit)
{
    for (struct bn_static *const *record = unit->statics; record != unit->statics_end; record++) {
        if ((*record)->handle)
            bn_upc_fatal("dlopen",
                         "the library with %s has shared objects of its own and was loaded after the start; link "
                         "the program with it, or allocate its shared objects dynamically",
                         unit->source);
        if (BN_ABI & BN_ABI_PTHREADS)
            bn_upc_fatal("dlopen",
                         "the library with %s was loaded after the start, when it is too late for each thread to "
                         "compute the initial value of '%s'; link the program with it, or assign the value in a "
                         "function",
                         unit->source, (*record)->name);
    }
    bn_statics_initialise(unit, bn_mythread(), bn_threads());
    for (struct bn_static *const *record = unit->statics; record != unit->statics_end; record++)
        (*record)->compute = NULL;
}

static void register_late(struct bn_unit *unit)
{
    if (check_late(unit, bn_job()->thread_count) != BN_OK)
        bn_upc_fatal("dlopen", "the library with %s was loaded after the start, but does not belong to this program",
                     unit->source);
    if (is_part_expected && !&bn_runtime_is_whole)
        bn_upc_fatal(
            "dlopen",
            "the library with %s was loaded after the start, and may call functions of the runtime that "
            "this program lacks; link the program with upcc -rdynamic, which includes all of them, or with the library",
            unit->source);
    initialise_late(unit);
    if (bn_check_is_on) /* checks remember names of source files, which are in the library */
        bn_library_keep(unit);
}

__attribute__((visibility("default"))) void bn_unit_register(struct bn_unit *unit)
{
    unit->next = NULL;
    if (are_initialised) {
        register_late(unit);
        return;
    }
    bn_library_keep(unit);
    *last_link = unit;
    last_link = &unit->next;
}

BN_OWN_DEFINE(bn_unit_register);

const struct bn_unit *bn_units(void)
{
    return first;
}

bn_status_t bn_units_check(const struct bn_unit *units, int *static_threads_p)
{
    const struct bn_unit *decisive = NULL;
    for (const struct bn_unit *unit = units; unit; unit = unit->next) {
        bn_status_t status = check_interface(unit);
        if (status != BN_OK)
            return status;
        if (unit->static_threads == 0)
            continue;
        if (!decisive)
            decisive = unit;
        if (unit->static_threads != decisive->static_threads) {
            bn_log_error("%s was compiled for %d threads, but %s for %d; compile all files of a program with the same "
                         "-T, or all without",
                         decisive->source, decisive->static_threads, unit->source, unit->static_threads);
            return BN_ERR_MISMATCH;
        }
    }
    *static_threads_p = decisive ? decisive->static_threads : 0;
    return bn_declared_check(units, *static_threads_p);
}

void bn_units_initialise(const struct bn_unit *units)
{
    are_initialised = true;
    bn_statics_initialise(units, bn_mythread(), bn_threads());
}
