// Sizes of shared arrays that do not fit into 63 bits are reported, not wrapped
shared [] int a[0x7fffffffffffffff]; // error: shared array 'a\[0x7fffffffffffffff\]' is too large: its size in bytes has more than 63 bits
shared char b[1l << 32][THREADS][1l << 32]; // error: shared array 'b\[1l << 32\]\[\w+\]\[1l << 32\]' is too large
shared long c[THREADS * (1ul << 61)]; // error: shared array 'c\[\w+ \* \(1ul << 61\)\]' is too large
shared char fine[THREADS * (1ul << 60)];
