// -fcheck: a list of memory that is written to a file, beside the program, has memory that was freed
// flags: -fcheck
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:27: upc_all_fwrite_list_shared_async: memvec points to memory on thread
// expect-stderr: that was freed: in the 40 bytes that thread \d+ allocated at .*\.upc:22
#include <upc.h>
#include <upc_io.h>

#include <stdio.h>

shared [10] int a[10 * THREADS];

int main(void)
{
    upc_file_t *file = upc_all_fopen("a", UPC_WRONLY | UPC_CREATE | UPC_INDIVIDUAL_FP | UPC_DELETE_ON_CLOSE, 0, NULL);
    if (!file)
        perror("a");
    struct upc_filevec range = {80 * MYTHREAD, 80};
    struct upc_shared_memvec memory[] = {{&a[10 * MYTHREAD], 40, 40}, {&a[10 * MYTHREAD], 40, 40}};
    upc_all_fwrite_list_shared_async(file, 2, memory, 1, &range, 0);
    upc_all_fwait_async(file);
    shared [] int *freed = upc_alloc(40);
    memory[1].baseaddr = freed;
    upc_all_fwrite_list_shared_async(file, 2, memory, 1, &range, 0);
    upc_all_fwait_async(file);
    upc_free(freed);
    upc_all_fwrite_list_shared_async(file, 2, memory, 1, &range, 0);
    upc_all_fwait_async(file);
    return 0;
}
