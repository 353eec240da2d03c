/* upc_castable.h: pointers-to-local to the shared memory of other threads. */
#pragma upc upc_code
#ifndef UPC_CASTABLE_H
#define UPC_CASTABLE_H

#include <stddef.h>

#define UPC_CASTABLE_ALL_ALLOC 1
#define UPC_CASTABLE_GLOBAL_ALLOC 2
#define UPC_CASTABLE_ALLOC 4
#define UPC_CASTABLE_STATIC 8
#define UPC_CASTABLE_ALL                                                                                               \
    (UPC_CASTABLE_ALL_ALLOC | UPC_CASTABLE_GLOBAL_ALLOC | UPC_CASTABLE_ALLOC | UPC_CASTABLE_STATIC)

typedef struct upc_thread_info {
    int guaranteedCastable;
    int probablyCastable;
} upc_thread_info_t;

/* A pointer by which the caller reaches the object directly, or null if there is none */
void *upc_cast(const shared void *ptr);

/* Which objects of a thread the caller can reach so */
upc_thread_info_t upc_thread_info(size_t threadId);

#endif
