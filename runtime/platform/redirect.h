/*
 * redirect.h: calls that a loaded library makes, to functions of other libraries, go elsewhere.
 */
#ifndef BN_PLATFORM_REDIRECT_H
#define BN_PLATFORM_REDIRECT_H

#ifdef __cplusplus
extern "C" {
#endif

/**
 * From now on libraries whose file has this name ("libc10.so"; ".1" and the like may follow) call another function in
 * place of the one that has the name, also through pointers that they take of it from now on.  How many places that
 * were; 0: no such library is loaded, or none calls it.
 *
 * Only what they call by the linker's tables can be redirected, which is what other libraries have.
 */
int bn_redirect(const char *library, const char *function, void (*to)(void));

#ifdef __cplusplus
}
#endif

#endif
