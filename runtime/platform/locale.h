/*
 * locale.h: output of numbers in machine-readable form, whatever locale the program has set.
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

/* Until bn_locale_restore, the calling thread prints numbers with a decimal point, as in the C locale. */
struct bn_locale bn_locale_use_plain(void);
void bn_locale_restore(struct bn_locale locale);

#ifdef __cplusplus
}
#endif

#endif
