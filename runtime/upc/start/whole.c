/*
 * whole.c: a mark of programs that hold all of the runtime.
 *
 * Nothing calls for it, so of the archives it is linked by upcc -rdynamic only, with all else (--whole-archive), for
 * libraries of UPC that are loaded while the program runs.
 */
extern const char bn_runtime_is_whole;
const char bn_runtime_is_whole = 1;
