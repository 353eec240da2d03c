/*
 * place.h: where the books lie: place.c on one machine, remote/profile_place.c over several nodes.
 */
#ifndef BN_UPC_PROFILE_PLACE_H
#define BN_UPC_PROFILE_PLACE_H

#include "base/status.h"
#include "profile/book.h"

/** Makes memory for a book of each thread, all zero; before threads are forked.  @errors Reported. */
bn_status_t bn_profile_books_create(int thread_count, uint64_t book_bytes);

/** A thread's book: for bn_copy (platform/copy.h), unless it is the caller's own. */
struct bn_book *bn_profile_book(int thread);

/** Size of a book in a job of thread_count threads; 0: no books are needed.  Defined in profile.c. */
uint64_t bn_profile_book_bytes(int thread_count);

#endif
