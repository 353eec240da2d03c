// What -Rupc says of loops, and where
// flags: -O2 -Rupc
shared int a[100*THREADS], b[100*THREADS];
shared [5] int c[100*THREADS];
shared [2] int rows[THREADS][2];
shared [3] int odd[5][4*THREADS];
struct { shared int *next; } list;
shared int *p;
int n;
void g(int);
int *address(int);
shared int *address_of(int);
void dealt(int limit)
{
    int i;
    upc_forall (i = 0; i < limit; i++; &a[i]) // optimized: each thread runs only its own iterations of this upc_forall, without an affinity test in each; plain pointers access the elements of 'a'
        a[i] = b[i + limit]; // missed: the address of 'b\[\.\.\.\]' is computed in each iteration: it is not the element that the affinity names, so it may lie on another thread; if many are, copy them with upc_memget before the loop
    upc_forall (i = 0; i < limit; i++; i) // optimized: each thread runs only its own iterations of this upc_forall, without an affinity test in each; plain pointers access the elements of 'a', 'b'
        a[i] = b[i] + c[i]; // missed: the address of 'c\[\.\.\.\]' is computed in each iteration: its block size differs from that of the array that the affinity names; give both the same layout
    upc_forall (i = 0; i < limit; i++; &p[i]) // optimized: addresses of elements of 'b', whose indices are read from memory or computed, take fewer multiplications // optimized: each thread runs only its own iterations of this upc_forall, without an affinity test in each; plain pointers access the elements of 'p'
        p[i] = b[i * i]; // missed: the address of 'b\[\.\.\.\]' is computed in each iteration: its index does not follow 'i', so it may lie on any thread; if it is read often, copy it with upc_memget before the loop
    upc_forall (i = 0; i < n; i++; &rows[i][1]) // optimized: each thread runs only its own iterations of this upc_forall, without an affinity test in each
        upc_forall (int j = 0; j < 2; j++; j) // optimized: this upc_forall is inside another one, which controls it: its affinity is ignored
            g(j);
}
void flat(int limit)
{
    upc_forall (int i = 0; i < limit; i++; &c[i * 5]) // optimized: each thread runs only its own iterations of this upc_forall, without an affinity test in each
        for (int j = 0; j < 5; j++)
            for (int k = 0; k < 5; k++)
                c[i * 5 + j] += c[k * 5 + j]; // missed: the address of 'c\[\.\.\.\]' is computed in each iteration: its index does not follow 'i', so it may lie on any thread; cast the address of the row to 'shared \[\] T \*' and index that pointer, if a block holds the row
}
shared [16] int blocks[64*THREADS];
void of_all(void)
{
    for (int i = 0; i < 64*THREADS; i++) // optimized: this loop goes from block to block; plain pointers access the elements of 'blocks'
        blocks[i] = c[i] + a[i];
    upc_forall (int i = 0; i < 64*THREADS; i++; &a[i]) // optimized: each thread runs only its own iterations of this upc_forall, without an affinity test in each; plain pointers access the elements of 'a'
        for (int k = 0; k < 64*THREADS; k++) // optimized: this loop goes from block to block; plain pointers access the elements of 'blocks'
            a[i] += blocks[k] + c[k]; // missed: the address of 'c\[\.\.\.\]' is computed in each iteration: its index does not follow 'i', so it may lie on any thread; if it is read often, copy it with upc_memget before the loop
}
void tested(int limit)
{
    int i;
    static int s;
    upc_forall (i = 0; i < limit; i++; &a[i * i]) // missed: each iteration of this upc_forall tests its affinity: the index of 'a' is not 'i', times or plus something that does not change, or blocks do not hold whole rows; let the loop count the index, or make the block size a multiple of the row
        a[i * i] = 0;
    upc_forall (i = 0; i < limit; i++; &odd[s][i]) // static optimized: each thread runs only its own // dynamic missed: each iteration of this upc_forall tests its affinity: the rows of 'odd' are not whole rounds of blocks; choose a block size that divides what a row has for each thread
        odd[s][i] = 0;
    upc_forall (i = 0; i < limit; i++; &list.next[i]) // missed: each iteration of this upc_forall tests its affinity: the affinity goes through a pointer that is not a variable, or may change in the loop; copy it to a variable first
        list.next++;
    upc_forall (i = 1; i < limit; i *= 2; i) // missed: each iteration of this upc_forall tests its affinity: the step does not add an invariant value to a variable or subtract one; use a plain counter, and compute the rest from it
        g(i);
    int k = 0;
    upc_forall (i = 0; i < limit; i++, s++; i) // missed: each iteration of this upc_forall tests its affinity: 's' is not a local integer or pointer that only the step changes; leave it out of the step
        g(i);
    upc_forall (i = 0; i < k; i++, k--; i) // missed: each iteration of this upc_forall tests its affinity: the limit changes with 'k'; compute it before the loop
        g(i);
    upc_forall (i = 0; i < limit; i += limit, k++; i) // missed: each iteration of this upc_forall tests its affinity: the step of 'i' is not constant, from which 'k' would be computed; leave 'k' out of the step
        g(i);
    upc_forall (i = 0; i < limit; i++; i) // optimized: each thread runs only its own iterations of this upc_forall, without an affinity test in each
        { upc_forall (s = 0; s < 2; s++; s) g(i); } // optimized: this upc_forall is inside another one, which controls it: its affinity is ignored
    upc_forall (s = 0; s < limit; s++; s)
        g(s); // missed: each iteration of this upc_forall tests its affinity: called functions, other threads, or stores through pointers, may change 's'; declare it in the loop
    upc_forall (i = 0; i < limit; i++; i) { // missed: each iteration of this upc_forall tests its affinity: 'i' is changed in the body; use another variable there
        i += 1;
    }
    upc_forall (i = 0; i < *address(i); i++; i) // missed: each iteration of this upc_forall tests its affinity: the limit has side effects or depends on 'i'; compute it before the loop
        g(i);
    upc_forall (i = 0; i < limit; i++; i) { // missed: each iteration of this upc_forall tests its affinity: the body has labels, or declares types or static objects; declare them outside the loop
        static int count;
        count++;
    }
    upc_forall (i = 0; i < limit; i++; i ^ 1) // missed: each iteration of this upc_forall tests its affinity: the affinity is not 'i', times or plus something that does not change in the loop; write it that way, or select iterations with 'for' and 'if'
        g(i);
    upc_forall (i = 0; i < limit; i++; address_of(i)) // missed: each iteration of this upc_forall tests its affinity: the affinity calls a function; name the element itself, as in &a\[i\], or its number if that is the same thread, as in 'i'
        g(i);
    upc_forall (i = 0; i < limit; i++; *address(i)) // missed: each iteration of this upc_forall tests its affinity: the affinity calls a function, which may have effects; compute the number before the loop, or name an element
        g(i);
    upc_forall (i = 0; i < limit; i++; &a[i] - 1) // missed: each iteration of this upc_forall tests its affinity: the affinity is neither that of an element nor a number; name an element of an array, as in &a\[i\], or a number, as in 'i'
        g(i);
    upc_forall (i = 0; i < limit; i++; limit) // optimized: one thread runs all iterations of this upc_forall, since its affinity does not depend on 'i'; the affinity is tested once
        g(i);
    upc_forall (i = 0; i < limit; i++; MYTHREAD) // optimized: every thread runs all iterations of this upc_forall, since its affinity is MYTHREAD; the affinity is tested once
        g(i);
    upc_forall (i = 0; i < limit; i++; i * THREADS / limit) // optimized: each thread runs only its own iterations of this upc_forall, without an affinity test in each
        a[i] = 0; // missed: the address of 'a\[\.\.\.\]' is computed in each iteration: the affinity gives each thread a share of the iterations, which need not be its elements; name an element instead
}
void indexed(const int *list)
{
    long sum = 0;
    for (int k = 0; k < n; k++) // optimized: addresses of elements of 'a', 'b', whose indices are read from memory or computed, take fewer multiplications
        sum += a[list[k]] + b[list[k]] + c[list[k]];
    for (int k = 0; k < n; k++)
        sum += a[k] + c[list[k]];
    n = (int)sum;
}
void assembler(int limit)
{
    asm volatile("" ::: "memory");
    upc_forall (int i = 0; i < limit; i++; &a[i]) // optimized: each thread runs only its own iterations of this upc_forall, without an affinity test in each
        asm volatile("" : "=r"(n) : "0"(i));
    upc_forall (int i = 0; i < limit; i++; &a[i])
        asm volatile("" : "+r"(i)); // missed: each iteration of this upc_forall tests its affinity: 'i' is changed in the body; use another variable there
    upc_forall (int i = 0; i < limit; i++; &a[i])
        asm volatile("1: nop" ::: "memory"); // missed: each iteration of this upc_forall tests its affinity: the body has labels, or declares types or static objects; declare them outside the loop
}
void asm_goto(int limit)
{
    upc_forall (int i = 0; i < limit; i++; &a[i])
        a[i] = 0; // missed: each iteration of this upc_forall tests its affinity: the function contains asm goto, va_arg or a nested function; move the loop to a function of its own
    asm goto("" ::: : out);
out:
    return;
}
shared [4 * 16] double left[8 * THREADS][16], right[8 * THREADS][16], product[8 * THREADS][16];
double rounded(double);
void columns(int rows, int i, double *out)
{
    double sum = 0;
    for (int j = 0; j < 16; j++) { // optimized: this loop handles eight values of 'j' per iteration: one row address serves eight adjacent columns
        product[i][j] = 0;
        for (int k = 0; k < rows; k++)
            product[i][j] += left[i][k] * right[k][j];
    }
    for (int j = 0; j < 16; j++) // optimized: this loop handles eight values of 'j' per iteration
        for (int k = 0; k < rows; k++)
            product[i][j] += left[i][k] * right[k][j];
    for (int j = 0; j < 16; j++) // missed: this loop goes down a shared matrix one column at a time, with a new address for each element; it does not handle several values of 'j' per iteration because it calls functions; call them before or after the loop
        for (int k = 0; k < rows; k++)
            product[i][j] += rounded(right[k][j]);
    for (int j = 0; j < 16; j++) // missed: values of 'j' per iteration because it writes through a pointer, which may point to the matrix; use the name of the array that is written
        for (int k = 0; k < rows; k++)
            out[j] += right[k][j];
    for (int j = 0; j < 16; j += 2) // missed: values of 'j' per iteration because it does not count its own variable up by one to a fixed limit; write it as in 'for \(int j = 0; j < n; j\+\+\)'
        for (int k = 0; k < rows; k++)
            product[i][j] += right[k][j];
    for (int j = 0; j < 16; j++) // missed: values of 'j' per iteration because it contains more than sums, declarations, and loops with the same number of iterations for all columns; avoid branches, pointers and strict accesses
        for (int k = 0; k < j; k++)
            product[i][j] += right[k][j];
    for (int j = 0; j < 16; j++) // missed: values of 'j' per iteration because a variable carries its value from one column to the next; declare it in the loop
        for (int k = 0; k < rows; k++)
            sum += right[k][j];
    for (int j = 0; j < 16; j++) // missed: values of 'j' per iteration because an array is written at more than one index, or at one that does not count the columns; sum up in a variable, or write to a different array than is read
        for (int k = 0; k < rows; k++)
            right[i][j] += right[k][j];
    for (int j = 0; j < 16; j++) // missed: values of 'j' per iteration because the row depends on the column; compute it before the loop
        for (int k = 0; k < rows; k++)
            product[i][j] += right[k][j] + left[j][k];
    for (int j = 0; j < 16; j++)
        for (int k = 0; k < 16; k++)
            product[i][j] += right[j][k];
    out[0] = sum;
}
