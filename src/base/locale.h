// SPDX-License-Identifier: MPL-2.0
// base/locale.h - numbers are read and written with a point, whatever the program's language settings are.
#ifndef MN_BASE_LOCALE_H
#define MN_BASE_LOCALE_H

#include <locale.h>

typedef struct mn_plain_locale {
    locale_t plain, before;
} mn_plain_locale;

/// Switch the calling thread to the C locale; `end` switches back. Without the memory for it the locale stays as it is.
static inline mn_plain_locale mn_plain_locale_begin(void)
{
    mn_plain_locale l = { .plain = newlocale(LC_ALL_MASK, "C", (locale_t)0) };
    if (l.plain != (locale_t)0) l.before = uselocale(l.plain);
    return l;
}

static inline void mn_plain_locale_end(mn_plain_locale l)
{
    if (l.plain == (locale_t)0) return;
    uselocale(l.before);
    freelocale(l.plain);
}

#endif
