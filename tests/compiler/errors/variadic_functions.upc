// Pointers-to-shared as arguments of variadic functions of C, which cannot take them
#include <upc.h>
#include <stdarg.h>
#include <stdio.h>
shared int a[THREADS], n;
shared int *p;
int mine(int count, ...);
void f(void)
{
    printf("%d %d\n", a[0], n);
    printf("%d\n", a); // warning: 'printf' is a C function, which cannot take the pointer-to-shared 'a': give it an element, with an index behind the array \[-Wformat\]
    printf("%p\n", p); // warning: 'printf' is a C function, which cannot take the pointer-to-shared 'p': give it the value, with '\*' before the pointer; upc_threadof\(p\) and upc_addrfield\(p\), printed with %zu, say where it points to \[-Wformat\]
    printf("%p\n", (&a[1])); // warning: 'printf' is a C function, which cannot take the pointer-to-shared '\(&a\[1\]\)': give it the value, without '&'; upc_threadof\(p\) and upc_addrfield\(p\), printed with %zu, say where it points to \[-Wformat\]
    printf("%d %p\n", *p, (void *)(int *)p);
    scanf("%d", &n); // warning: 'scanf' is a C function, which cannot take the pointer-to-shared '&n': read into a private variable, and assign that \[-Wformat\]
    mine(1, p);
    printf("%zu\n", upc_threadof(p));
}
int mine(int count, ...)
{
    va_list list;
    va_start(list, count);
    int value = *va_arg(list, shared int *);
    value += va_arg(list, shared int); // error: a parameter cannot have the shared type 'shared int'; pass its value or a pointer to it
    va_end(list);
    return value;
}
