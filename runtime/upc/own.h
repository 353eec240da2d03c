/*
 * own.h: how the library calls its own public functions.
 *
 * A program may define its own function with the name of any function of UPC's libraries: they are weak in libbanyan.a
 * (runtime/CMakeLists.txt).  What such a function does is unknown, so the library never calls one by its public name:
 * BN_OWN(upc_alloc) is always the library's upc_alloc. tests/run/replace_test.py finds other calls.
 */
#ifndef BN_UPC_OWN_H
#define BN_UPC_OWN_H

#define BN_OWN(function) bn_own_##function

/* In a header, after the declaration of the function */
#define BN_OWN_DECLARE(function) extern __typeof__(function) bn_own_##function __attribute__((__visibility__("hidden")))

/* In the file that defines the function, anywhere after the definition */
#define BN_OWN_DEFINE(function)                                                                                        \
    extern __typeof__(function) bn_own_##function __attribute__((__alias__(#function), __visibility__("hidden")))

/* Another public name for a function of the same file */
#define BN_ALSO(name, function)                                                                                        \
    extern __typeof__(function) name __attribute__((__alias__(#function), __visibility__("default")))

#endif
