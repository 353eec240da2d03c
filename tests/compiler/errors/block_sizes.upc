// The block size is an integer constant from 0 to UPC_MAX_BLOCK_SIZE (facts 1.5, 1.6, constraint 8)
int n = 3;
const int c = 3;
shared [-1] int a; // error: the block size '-1' is negative
shared [0.5] int b; // error: the block size has type 'double'; it must be an integer constant
shared [n] int d; // error: the block size 'n' is not an integer constant expression
shared [c] int e; // error: the block size 'c' is not an integer constant expression
shared [UPC_MAX_BLOCK_SIZE + 1] int f[THREADS]; // error: the block size '2147483647 \+ 1' is larger than UPC_MAX_BLOCK_SIZE \(2147483647\)
shared [UPC_MAX_BLOCK_SIZE] int fine[THREADS];
shared ["x"] int g; // error: the block size has type 'char\[2\]'; it must be an integer constant
shared [(char *)0] int h; // error: the block size has type 'char \*'; it must be an integer constant
shared [3 - 4] int i; // error: the block size '3 - 4' is negative
enum { FIVE = 5 };
shared [FIVE * 2 - 'a' / 97] int fine_too[THREADS];
shared [sizeof(int)] int fine_as_well[THREADS];
shared [n + 1] int *p; // error: the block size 'n \+ 1' is not an integer constant expression
shared [-5] int *q; // error: the block size '-5' is negative
enum { HALF = (int)(0.5 * 8), NEXT };
shared [HALF] int r[THREADS]; // error: the block size 'HALF' is not an integer constant expression
shared [NEXT] int s[THREADS]; // error: the block size 'NEXT' is not an integer constant expression
