// Clause: zero bytes are a null pointer; null may be freed (facts 2.2, gotcha 51)
#include <upc.h>

#include "check.h"

int main(void)
{
    CHECK(upc_alloc(0) == NULL);
    CHECK(upc_global_alloc(0, 8) == NULL);
    CHECK(upc_global_alloc(8, 0) == NULL);
    shared void *something = upc_all_alloc(8, 8);
    CHECK(something != NULL);
    CHECK(upc_all_alloc(0, 8) == NULL); /* also after a call that returned memory */
    upc_all_free(something);
    CHECK(upc_all_alloc(8, 0) == NULL);
    upc_free(NULL);
    upc_all_free(NULL);
    upc_lock_free(NULL);
    upc_all_lock_free(NULL);
    shared int *null = NULL;
    upc_free(null);
    return finish();
}
