/*
 * inline.h: BN_INLINE, for the functions that emitted C inlines.  access.h and check.h include it and end with #undef
 * BN_INLINE.
 * -finstrument-functions concerns only the program's functions: its hooks may themselves use shared objects.
 *
 * Without optimisation they are called instead: the time of gcc's register allocation grows with the square of what is
 * inlined into a function (docs/tuning/language.md).
 */
#ifdef __OPTIMIZE__
#define BN_INLINE static __inline__ __attribute__((always_inline, unused, no_instrument_function))
#else
#define BN_INLINE static __inline__ __attribute__((unused, no_instrument_function))
#endif
