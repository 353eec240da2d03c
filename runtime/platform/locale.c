#include "platform/locale.h"

struct bn_locale bn_locale_use_plain(void)
{
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0); /* a static object of the C library: takes no memory */
    return (struct bn_locale){plain, uselocale(plain)};
}

void bn_locale_restore(struct bn_locale locale)
{
    uselocale(locale.before);
    freelocale(locale.plain);
}
