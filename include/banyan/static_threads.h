/* static_threads.h: leaves a line marker in the output of upcc -E -T N that says what N was.  upcc reads it when it
 * compiles that output, in which THREADS has been replaced. */
#ifdef THREADS
#line THREADS "<upcc -T>"
#endif
