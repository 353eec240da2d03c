// -fcheck: what is read from a file is more than the array has room for, on one thread or another
// flags: -fcheck
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:23: upc_all_fread_shared: buffer points to no object: 0x[0-9a-f]+ on
// expect-stderr: thread \d+ is 0 bytes beyond the end of static object 'a'
#include <upc.h>
#include <upc_io.h>

#include <stdio.h>

shared [10] int a[10 * THREADS];

int main(void)
{
    upc_file_t *file = upc_all_fopen("a.dat", UPC_RDWR | UPC_CREATE | UPC_COMMON_FP | UPC_DELETE_ON_CLOSE, 0, NULL);
    if (!file)
        perror("a.dat");
    for (int i = 0; i < 3; i++) {
        upc_all_fseek(file, 0, UPC_SEEK_SET);
        upc_all_fwrite_shared(file, a, 10, sizeof(int), 10 * THREADS, 0);
        upc_all_fseek(file, 0, UPC_SEEK_SET);
        int blocks = i < 2 ? THREADS : THREADS + 1;
        upc_all_fread_shared(file, a, 10, sizeof(int), 10 * blocks, 0);
    }
    upc_all_fclose(file);
    return 0;
}
