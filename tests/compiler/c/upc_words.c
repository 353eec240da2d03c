/* Words of UPC in comments, strings, macros that are not used, and parts of other words */
#include <stdio.h>
#define STRING(x) #x
#define PASTE(a, b) a##b
#define unused shared [5] int x
struct sharedness { int is_shared, upc_forall_count, THREADS_; };
enum { SHARED, Threads, mythread };
int main(void)
{
    struct sharedness s = {1, 2, 3};
    const char *t = "shared [3] int a[THREADS]; upc_barrier;" /* shared int x; */;
    int PASTE(upc_, thing) = 4; // upc_forall (i = 0; ; ; )
    printf("%s %s %d\n", t, STRING(shared MYTHREAD upc_fence), s.is_shared + s.upc_forall_count + s.THREADS_ + upc_thing);
    printf("%c%c\n", 'upc_' & 127, '"');
    return SHARED + Threads + mythread;
}
