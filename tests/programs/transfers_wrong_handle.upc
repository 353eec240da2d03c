// Facts 2.8: what is not a handle is reported.
// threads: 1 3
// expect-exit: 1
// expect-stderr: thread [0-9]: ([^ ]*: )?upc_sync: 0x[0-9a-f]+ is not the handle of a transfer; pass what the call that started the transfer returned
#include <upc.h>
#include <upc_nb.h>

int main(void)
{
    int x;
    upc_sync((upc_handle_t)&x);
}
