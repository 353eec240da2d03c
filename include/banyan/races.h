/*
 * races.h: annotations that tell ThreadSanitizer about strict accesses (upcc -pthreads -fsanitize=thread;
 * docs/design/014-pthreads.md).  Without ThreadSanitizer they are plain fences or empty.
 *
 * ThreadSanitizer sees atomic accesses but not fences, from which strict accesses, upc_fence and strict atomic
 * operations are built.  So each of these takes part in one order per process: what a thread did before a strict access
 * happened before what another thread does after its own next strict access.  Strict accesses do not race with each
 * other.  This is a stronger order than UPC promises, so a race may go unnoticed, but there are no false positives.
 */
#ifndef BN_RACES_H
#define BN_RACES_H

#if defined __SANITIZE_THREAD__
#define BN_SEES_RACES 1
#elif defined __has_feature
#if __has_feature(thread_sanitizer)
#define BN_SEES_RACES 1
#endif
#endif

#ifdef BN_SEES_RACES

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

extern char bn_strict_order; /* the address that represents the order */

void __tsan_acquire(void *address);
void __tsan_release(void *address);
void AnnotateIgnoreReadsBegin(const char *file, int line);
void AnnotateIgnoreReadsEnd(const char *file, int line);
void AnnotateIgnoreWritesBegin(const char *file, int line);
void AnnotateIgnoreWritesEnd(const char *file, int line);

/* A fence inside the runtime, because gcc warns about each fence that ThreadSanitizer does not see. */
void bn_unseen_fence(void);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#define BN_FENCE(order) bn_unseen_fence()
/* Earlier accesses become visible to threads that follow in the order. */
#define BN_ORDER_BEFORE() __tsan_release(&bn_strict_order)
/* Later accesses see everything that came before in the order. */
#define BN_ORDER_AFTER() __tsan_acquire(&bn_strict_order)
/* The access between BEGINS and ENDS may be concurrent with accesses of other threads. */
#define BN_STRICT_READ_BEGINS() AnnotateIgnoreReadsBegin("", 0)
#define BN_STRICT_READ_ENDS() AnnotateIgnoreReadsEnd("", 0)
#define BN_STRICT_WRITE_BEGINS() AnnotateIgnoreWritesBegin("", 0)
#define BN_STRICT_WRITE_ENDS() AnnotateIgnoreWritesEnd("", 0)

#else

#define BN_FENCE(order) __atomic_thread_fence(order)
#define BN_ORDER_BEFORE() ((void)0)
#define BN_ORDER_AFTER() ((void)0)
#define BN_STRICT_READ_BEGINS() ((void)0)
#define BN_STRICT_READ_ENDS() ((void)0)
#define BN_STRICT_WRITE_BEGINS() ((void)0)
#define BN_STRICT_WRITE_ENDS() ((void)0)

#endif

#endif
