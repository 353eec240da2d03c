// Facts 3.1: lists with different numbers of bytes are reported.
// threads: 1 2
// expect-exit: 1
// expect-stderr: bupc_memput_ilist: the destination has more bytes; both sides must have as many
#include <upc.h>

#include <bupc_copy.h>

int main(void)
{
    static shared [] char to[32];
    shared void *dst[2] = {&to[0], &to[16]};
    char from[16] = "";
    const void *src[1] = {from};
    bupc_memput_ilist(2, dst, 16, 1, src, 16);
}
