/*
 * whole.c: marks programs that contain the whole runtime.
 *
 * Nothing refers to this file, so it is linked from the archives only by upcc -rdynamic, together with everything else
 * (--whole-archive), for UPC libraries that are loaded at run time.
 */
extern const char bn_runtime_is_whole;
const char bn_runtime_is_whole = 1;
