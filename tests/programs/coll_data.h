/*
 * coll_data.h: every sensible combination of synchronisation flags, for the tests of the collectives.
 */
#ifndef COLL_DATA_H
#define COLL_DATA_H

#include <upc.h>
#include <upc_collective.h>

#include "check.h"

static const upc_flag_t all_flags[] = {
    0,
    UPC_IN_ALLSYNC,
    UPC_OUT_ALLSYNC,
    UPC_IN_MYSYNC,
    UPC_OUT_MYSYNC,
    UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC,
    UPC_IN_ALLSYNC | UPC_OUT_MYSYNC,
    UPC_IN_ALLSYNC | UPC_OUT_NOSYNC,
    UPC_IN_MYSYNC | UPC_OUT_ALLSYNC,
    UPC_IN_MYSYNC | UPC_OUT_MYSYNC,
    UPC_IN_MYSYNC | UPC_OUT_NOSYNC,
    UPC_IN_NOSYNC | UPC_OUT_ALLSYNC,
    UPC_IN_NOSYNC | UPC_OUT_MYSYNC,
    UPC_IN_NOSYNC | UPC_OUT_NOSYNC,
};
enum { FLAGS = sizeof all_flags / sizeof *all_flags };

/* Byte i of the data that thread t contributes to round r */
static inline unsigned char byte_of(int t, size_t i, int r)
{
    return (unsigned char)(t * 31 + (int)(i % 1000) * 7 + r * 13 + 1);
}

#endif
