/*
 * cache_line.h: how far apart data must lie so that threads that write it do not slow each other down.
 */
#ifndef BN_PLATFORM_CACHE_LINE_H
#define BN_PLATFORM_CACHE_LINE_H

enum { BN_LINE_BYTES = 64 };

#endif
