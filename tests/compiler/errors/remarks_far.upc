// What -Rupc says of a loop that reads far elements by index
// flags: -O2 -network=shmem -Rupc
shared double x[100*THREADS];
double gather(int n, const int *columns, const double *values)
{
    double sum = 0;
    for (int k = 0; k < n; k++) // optimized: elements that this loop reads by index and that lie on other nodes are fetched together, up to 256 at a time
        sum += values[k] * x[columns[k]]; // optimized: 'x\[columns\[k\]\]' is fetched together with those of other iterations if it is on another node
    return sum;
}
// What it says of other accesses in loops, far ones
shared [100] double *p;
shared long big[100*THREADS];
volatile shared long seen;
strict shared long flag;
shared struct { unsigned bits : 3; long row[4]; double large[200]; } records[10*THREADS];
void change(void);
double in_order(int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        p[i] = big[i]; // optimized: 'big\[i\]' is read ahead if it is on another node: reads of consecutive addresses share messages // optimized: 'p\[i\]' is written behind if it is on another node: writes to consecutive addresses share messages
        p[i + 1] += 1; // optimized: 'p\[i\+1\]' is written behind if it is on another node: writes to consecutive addresses share messages // optimized: 'p\[i\+1\]' is read ahead if it is on another node: reads of consecutive addresses share messages
        records[i].row[2] = 1; // optimized: 'records\[i\]\.row\[2\]' is written behind if it is on another node: writes to consecutive addresses share messages
        sum += records[n - i].large[3]; // optimized: 'records\[n-i\]\.large\[3\]' is read ahead if it is on another node: reads of consecutive addresses share messages
    }
    upc_forall (int i = 0; i < n; i++; &x[i]) // optimized: each thread runs only its own iterations of this upc_forall, without an affinity test in each; plain pointers access the elements of 'x'
        x[i] = x[i + 1]; // missed: the address of 'x\[\.\.\.\]' is computed in each iteration: it is not the element that the affinity names, so it may lie on another thread; if many are, copy them with upc_memget before the loop // optimized: 'x\[i\+1\]' is read ahead if it is on another node: reads of consecutive addresses share messages
    return sum + x[0];
}
void one_by_one(int n, const int *columns)
{
    for (int i = 0; i < n; i++) {
        flag = i; // missed: each write of 'flag' is a separate message if it is on another node: it is strict; make it relaxed where a fence or barrier orders it
        seen++; // missed: each read of 'seen' is a separate message if it is on another node: it is volatile; remove that unless it is for a signal handler or a device // missed: each write of 'seen' is a separate message if it is on another node: it is volatile; remove that unless it is for a signal handler or a device
        records[i].bits = records[i + 1].bits; // missed: each read of 'records\[i\+1\]\.bits' is a separate message if it is on another node: it is a bit-field; make it a member of a whole type // missed: each write of 'records\[i\]\.bits' is a separate message if it is on another node: it is a bit-field; make it a member of a whole type
        records[i] = records[i + 1]; // missed: each read of 'records\[i\+1\]' is a separate message if it is on another node: it is larger than 1 KiB; copy it with upc_memget, or read only what is needed // missed: each write of 'records\[i\]' is a separate message if it is on another node: it is larger than 256 bytes; write only what changes
    }
    for (unsigned h = 1; h < n; h = h * 31 + 7)
        x[h % n] = 1; // missed: each write of 'x\[h%n\]' is a separate message if it is on another node: its index is computed, not counted; sort the values by thread, and send each thread its values with upc_memput
}
double not_together(int n, const int *columns, shared int *indices)
{
    double sum = 0;
    for (int k = 0; k < n; k++)
        if (columns[k] > 0)
            sum += x[columns[k]]; // missed: each read of 'x\[columns\[k\]\]' is a separate message if it is on another node: its index is read from memory, and it is not fetched together with those of other iterations: not every iteration reads it; read it before the condition
    for (int k = 0; k < n; k += 2)
        sum += x[columns[k]]; // missed: each read of 'x\[columns\[k\]\]' is a separate message if it is on another node: its index is read from memory, and it is not fetched together with those of other iterations: the loop does not have the form 'for \(\.\.\.; k < limit; k\+\+\)'
    for (int k = 0; k < n; k++) {
        sum += x[columns[k]]; // missed: each read of 'x\[columns\[k\]\]' is a separate message if it is on another node: its index is read from memory, and it is not fetched together with those of other iterations: the loop calls functions, has assembler, or waits for other threads; give the reads a loop of their own
        change();
    }
    for (int k = 0; k < n; k++)
        x[columns[k]] += 1; // missed: each read of 'x\[columns\[k\]\]' is a separate message if it is on another node: its index is read from memory, and it is not fetched together with those of other iterations: the loop may write to it; write to another array // missed: each write of 'x\[columns\[k\]\]' is a separate message if it is on another node: its index is read from memory; sort the values by thread, and send each thread its values with upc_memput
    for (int k = 0; k < n; k++)
        indices[k] = big[indices[k]]; // missed: each read of 'big\[indices\[k\]\]' is a separate message if it is on another node: its index is read from memory, and it is not fetched together with those of other iterations: stores in the loop may change indices or its limit; copy these to separate variables or arrays first // optimized: 'indices\[k\]' is written behind if it is on another node: writes to consecutive addresses share messages // optimized: 'indices\[k\]' is read ahead if it is on another node: reads of consecutive addresses share messages
    upc_forall (int k = 0; k < n; k++; k) // optimized: each thread runs only its own iterations of this upc_forall, without an affinity test in each
        sum += x[columns[k]]; // missed: each read of 'x\[columns\[k\]\]' is a separate message if it is on another node: its index is read from memory, and it is not fetched together with those of other iterations: this is done in for loops, not in upc_forall itself; read in a for loop inside or before it // missed: the address of 'x\[\.\.\.\]' is computed in each iteration: its index does not follow 'k', so it may lie on any thread; if it is read often, copy it with upc_memget before the loop
    for (int k = 0; k < n; k++) // optimized: elements that this loop reads by index and that lie on other nodes are fetched together, up to 256 at a time
        sum += x[indices[k]]; // optimized: 'indices\[k\]' is read ahead if it is on another node: reads of consecutive addresses share messages // optimized: 'x\[indices\[k\]\]' is fetched together with those of other iterations if it is on another node
    return sum;
}
double first(void) { return x[0]; }   // in no loop
