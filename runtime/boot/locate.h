/*
 * locate.h: finds the source line of an instruction, with addr2line.
 */
#ifndef BN_BOOT_LOCATE_H
#define BN_BOOT_LOCATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { BN_LOCATION_TEXT_BYTES = 256 };

struct bn_location {
    bool is_program;                       /* lies in the program or in one of its own libraries, not the system's */
    bool is_runtime;                       /* a function of Banyan itself */
    char function[BN_LOCATION_TEXT_BYTES]; /* "" if unknown */
    char place[BN_LOCATION_TEXT_BYTES];    /* "heat.upc:42", as seen from the working directory; "" if unknown */
};

/*
 * Finds the locations of count addresses of this process's code, or of a process that was forked from it.  Waits at
 * most limit_ms for addr2line; without it, or without debugging information, only is_program is set.  Allocates
 * nothing.
 */
void bn_locate(const uintptr_t *pcs, int count, int limit_ms, struct bn_location *locations);

/* The offset of pc in the program or library that contains it, which is the same in all processes of a program,
 * wherever the module is loaded; pc itself if no module contains it. */
uintptr_t bn_locate_in_module(uintptr_t pc);

/* Whether a function belongs to Banyan itself, judged by its name and by its place "FILE:LINE" of the given length. */
bool bn_locate_is_runtime(const char *function, const char *place, size_t place_bytes);

#ifdef __cplusplus
}
#endif

#endif
