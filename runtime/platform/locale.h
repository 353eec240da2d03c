/*
 * locale.h: numbers as programs read them, whatever locale the program has set.
 */
#ifndef BN_PLATFORM_LOCALE_H
#define BN_PLATFORM_LOCALE_H

#include <locale.h>

#ifdef __cplusplus
extern "C" {
#endif

struct bn_locale {
    locale_t plain, before;
};

/* From here to bn_locale_restore the calling thread prints numbers with a point, as in C's own locale. */
struct bn_locale bn_locale_use_plain(void);
void bn_locale_restore(struct bn_locale locale);

#ifdef __cplusplus
}
#endif

#endif
