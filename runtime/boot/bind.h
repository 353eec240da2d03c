/*
 * bind.h: which processing units each thread may run on.
 */
#ifndef BN_BOOT_BIND_H
#define BN_BOOT_BIND_H

#include "base/options.h"
#include "platform/cpus.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The machine as far as binding needs it */
struct bn_bind_machine {
    struct bn_pu_set usable; /* the affinity mask */
    int place_count;
    struct bn_pu_place places[BN_PU_MAX];
};

/* Reads the machine below root ("" for the real one). */
void bn_bind_machine_read(const char *root, struct bn_bind_machine *machine_p);

/*
 * Resolves "auto" for thread_count threads: BN_BIND_CORE if there are several threads, and either each can have its own
 * pu within the quota, or every pu gets the same number of threads (docs/tuning/waiting.md); otherwise BN_BIND_NONE.
 * Other choices are returned unchanged. usable_count as bn_cpus_usable_count.
 */
enum bn_bind_choice bn_bind_resolve(enum bn_bind_choice choice, int usable_count, int thread_count);

/*
 * The units for one thread.  BN_BIND_CORE: physical cores first, neighbours in the same memory region, then second
 * hardware threads, then again from the beginning, shifted by one place each time.  BN_BIND_NUMA: threads in
 * consecutive groups of equal size over the regions.  BN_BIND_NONE: all.
 */
void bn_bind_plan(const struct bn_bind_machine *machine, enum bn_bind_choice choice, int thread_count, int thread,
                  struct bn_pu_set *set_p);

#ifdef __cplusplus
}
#endif

#endif
