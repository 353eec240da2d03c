// Builtins of the C compiler work on private memory
shared int x;
shared [] char text[8];
shared int *p;
int f(void)
{
    char own[8];
    int n = 0;
    __builtin_memcpy(own, text, 8); // error: '__builtin_memcpy' works on private memory, and cannot take the pointer-to-shared 'shared \[\] char \*'; use upc_memget, upc_memput, upc_memcpy or upc_memset, or cast it where it has affinity to the calling thread
    __builtin_strcpy(text, own); // error: '__builtin_strcpy' works on private memory
    n += __builtin_memcmp(own, text, 8); // error: '__builtin_memcmp' works on private memory
    __builtin_prefetch(p); // error: '__builtin_prefetch' works on private memory
    __sync_fetch_and_add(&x, 1); // error: '__sync_fetch_and_add' works on private memory, and cannot take the pointer-to-shared 'shared int \*'; use upc_atomic.h, or cast it where it has affinity to the calling thread
    __atomic_store_n(&x, 1, __ATOMIC_RELAXED); // error: '__atomic_store_n' works on private memory
    __atomic_load(&x, &n, 0); // error: '__atomic_load' works on private memory
    __builtin_memcpy(own, (char *)text, x);
    __atomic_store_n(&n, x, __ATOMIC_RELAXED);
    n += __builtin_constant_p(p) + __builtin_strlen(own);
    return n;
}
