// The block size is an integer constant from 0 to UPC_MAX_BLOCK_SIZE (facts 1.5, 1.6, constraint 8)
int n = 3;
const int c = 3;
shared [-1] int a; // error: .
shared [0.5] int b; // error: .
shared [n] int d; // error: .
shared [c] int e; // error: .
shared [UPC_MAX_BLOCK_SIZE + 1] int f[THREADS]; // error: .
shared [UPC_MAX_BLOCK_SIZE] int fine[THREADS];
shared ["x"] int g; // error: .
shared [(char *)0] int h; // error: .
shared [3 - 4] int i; // error: .
enum { FIVE = 5 };
shared [FIVE * 2 - 'a' / 97] int fine_too[THREADS];
shared [sizeof(int)] int fine_as_well[THREADS];
shared [n + 1] int *p; // error: .
shared [-5] int *q; // error: .
