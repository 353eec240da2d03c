/*
 * redirect.h: redirects calls that a loaded library makes to functions of other libraries.
 */
#ifndef BN_PLATFORM_REDIRECT_H
#define BN_PLATFORM_REDIRECT_H

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Makes libraries whose file has this name ("libc10.so", perhaps followed by ".1" or the like) call another function
 * instead of the named one, including through pointers to it that they take from now on.  Returns the number of places
 * changed; 0 if no such library is loaded, or none calls the function.
 *
 * Only calls through the linker's tables can be redirected, that is, calls to functions of other libraries.
 */
int bn_redirect(const char *library, const char *function, void (*to)(void));

#ifdef __cplusplus
}
#endif

#endif
