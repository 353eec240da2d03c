#include "cache.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t uoms_cache_largest(void)
{
    size_t largest = 0;
    for (int index = 0; index < 8; index++) {
        char path[128];
        unsigned long kilobytes;
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/size", index);
        FILE *file = fopen(path, "r");
        if (file == NULL)
            break;
        if (fscanf(file, "%luK", &kilobytes) == 1 && kilobytes * 1024 > largest)
            largest = kilobytes * 1024;
        fclose(file);
    }
    return largest > 0 ? largest : (size_t)32 << 20;
}

void uoms_cache_read(const void *data, size_t size_bytes)
{
    const volatile unsigned char *bytes = data;
    for (size_t i = 0; i < size_bytes; i += 64)
        (void)bytes[i];
}

#if (defined(__x86_64__) || defined(__aarch64__)) && defined(__GNUC__)

const char *uoms_cache_method(void)
{
    return "flush";
}

void uoms_cache_evict(void *data, size_t size_bytes)
{
    uintptr_t end = (uintptr_t)data + size_bytes;
    for (uintptr_t line = (uintptr_t)data & ~(uintptr_t)63; line < end; line += 64) {
#if defined(__x86_64__)
        __asm__ volatile("clflush (%0)" : : "r"(line) : "memory");
#else
        __asm__ volatile("dc civac, %0" : : "r"(line) : "memory");
#endif
    }
#if defined(__x86_64__)
    __asm__ volatile("mfence" : : : "memory");
#else
    __asm__ volatile("dsb ish" : : : "memory");
#endif
}

#else

const char *uoms_cache_method(void)
{
    return "walk";
}

void uoms_cache_evict(void *data, size_t size_bytes)
{
    static volatile unsigned char *walked = NULL;
    static size_t walked_bytes;
    (void)data;
    if (size_bytes == 0)
        return;
    if (walked == NULL) {
        walked_bytes = 2 * uoms_cache_largest();
        walked = malloc(walked_bytes);
        if (walked == NULL)
            return;
    }
    for (size_t i = 0; i < walked_bytes; i += 32)
        walked[i] = (unsigned char)(walked[i] + 1);
}

#endif
