// flags: -funsigned-char -fshort-wchar
// As on ARM plain char has no sign; the C compiler confirms each block size and dimension
#include <stddef.h>
enum { LARGE = '\377', NARROW = (char)300 };
shared ['\xff'] char of_escape[LARGE * THREADS];
shared [NARROW] char of_cast['\x80' * THREADS];
shared [(char)-1 > 0 ? 3 : 5] char of_sign[THREADS];
shared [sizeof L"abc"] char of_wide[L'\xffff' * THREADS];
shared [_Generic(L'x', wchar_t: 7, default: 9)] char of_type[THREADS];
