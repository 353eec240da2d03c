#include "bench.h"

#include <stdint.h>
#include <string.h>

void uoms_fill(void *data, int owner, size_t first, size_t size_bytes, unsigned seed)
{
    unsigned char *bytes = data;
    for (size_t i = 0; i < size_bytes; i++)
        bytes[i] = uoms_pattern(owner, first + i, seed);
}

static void note_fault(struct uoms_run *run, size_t place, unsigned bad, unsigned good)
{
    run->bad_place = place;
    run->bad_value = bad;
    run->good_value = good;
}

size_t uoms_compare(struct uoms_run *run, const void *data, int owner, size_t first, size_t size_bytes, unsigned seed,
                    size_t place)
{
    const unsigned char *bytes = data;
    size_t wrong = 0;
    for (size_t i = 0; i < size_bytes; i++) {
        unsigned char good = uoms_pattern(owner, first + i, seed);
        if (bytes[i] != good && wrong++ == 0)
            note_fault(run, place + i, bytes[i], good);
    }
    return wrong;
}

void uoms_poison(void *data, size_t size_bytes)
{
    memset(data, UOMS_POISON, size_bytes);
}

size_t uoms_compare_guard(struct uoms_run *run, const void *guard, size_t place)
{
    const unsigned char *bytes = guard;
    size_t wrong = 0;
    for (size_t i = 0; i < UOMS_GUARD; i++) {
        if (bytes[i] != UOMS_POISON && wrong++ == 0)
            note_fault(run, place + i, bytes[i], UOMS_POISON);
    }
    return wrong;
}

size_t uoms_plus(size_t a, size_t b)
{
    return a > SIZE_MAX - b ? SIZE_MAX : a + b;
}

size_t uoms_times(size_t a, size_t b)
{
    return b > 0 && a > SIZE_MAX / b ? SIZE_MAX : a * b;
}

size_t uoms_room(size_t size_bytes)
{
    return uoms_plus(uoms_times(uoms_plus(size_bytes, 63) / 64, 64), UOMS_GUARD);
}
