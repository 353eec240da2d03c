// Clause: predefined macros (facts 1.2)
#if __UPC__ != 1
#error __UPC__
#endif
#if __UPC_VERSION__ != 201311L
#error __UPC_VERSION__
#endif
#if !defined __UPC_STATIC_THREADS__ == !defined __UPC_DYNAMIC_THREADS__
#error exactly one of the environments must be announced
#endif
#ifdef __UPC_STATIC_THREADS__
#if __UPC_STATIC_THREADS__ != 1 || !defined THREADS || THREADS < 1
#error static environment
#endif
#else
#if __UPC_DYNAMIC_THREADS__ != 1 || defined THREADS
#error dynamic environment
#endif
#endif
#if UPC_MAX_BLOCK_SIZE < 1048575
#error UPC_MAX_BLOCK_SIZE
#endif
#include "check.h"

int main(void)
{
    EQ(__UPC__, 1);
    EQ(__UPC_VERSION__, 201311);
    CHECK(UPC_MAX_BLOCK_SIZE > 0);
    return finish();
}
