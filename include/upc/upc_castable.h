/*
 * upc_castable.h: pointers-to-local to the shared memory of other threads (UPC 1.3, Optional Library Specifications,
 * castability functions).
 *
 * On one machine all shared memory is castable and has the same address in all threads.
 */
#pragma upc upc_code
#ifndef UPC_CASTABLE_H
#define UPC_CASTABLE_H

#include <stddef.h>
#include <upc.h>

/* Kinds of shared memory: of upc_all_alloc, upc_global_alloc, upc_alloc, static objects */
#define UPC_CASTABLE_ALL_ALLOC 1
#define UPC_CASTABLE_GLOBAL_ALLOC 2
#define UPC_CASTABLE_ALLOC 4
#define UPC_CASTABLE_STATIC 8
#define UPC_CASTABLE_ALL (UPC_CASTABLE_ALL_ALLOC | UPC_CASTABLE_GLOBAL_ALLOC | UPC_CASTABLE_ALLOC | UPC_CASTABLE_STATIC)

typedef struct upc_thread_info {
    int guaranteedCastable; /* kinds whose objects can all be reached */
    int probablyCastable;   /* kinds many of whose objects can be reached */
} upc_thread_info_t;

/* Returns a pointer through which the caller reaches the part of the object that lies on ptr's thread, or null if there
 * is none.  The pointer stays the same for the lifetime of the object.  Null for a null pointer. */
void *upc_cast(const shared void *ptr);

/* The kinds of a thread's memory that the caller can reach by upc_cast; none if there is no such thread */
upc_thread_info_t upc_thread_info(size_t threadId);

#endif
