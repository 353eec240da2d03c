// Macros in the place of UPC's words are legal for the preprocessor, and rarely meant
// env: dynamic
#define MYTHREAD 0 // warning: this macro replaces the UPC keyword 'MYTHREAD' from here on; choose another name
#ifndef THREADS
#define THREADS 4 // warning: this macro replaces the UPC keyword 'THREADS'
#endif
#ifndef shared
#  define shared // warning: this macro replaces the UPC keyword 'shared'
#endif
#ifndef __UPC__
#define relaxed
#define strict
#endif
/* #define strict */
#define upc_barrier(x) // warning: this macro replaces the UPC keyword 'upc_barrier'
const char *text = "\
#define relaxed";
#define upc_wait never_meant
#undef upc_wait
#define upc_fence {upc_fence;}
shared int x[THREADS];
