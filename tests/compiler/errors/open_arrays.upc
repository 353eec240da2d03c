// Tentative definitions of arrays without a size (C11 6.9.2)
shared [] int one[]; // warning: shared array 'one' has no size; it is assumed to have one element
shared [] int sized[];
shared [] int sized[5];
shared [] int matrix[][3]; // warning: shared array 'matrix' has no size; it is assumed to have one element
shared int cyclic[]; // dynamic error: shared array 'cyclic\[\]' needs a dimension with THREADS when the number of threads is chosen at run time; write it, add 'extern' if another declaration has it, use 'shared \[\]', or compile with -T N // static warning: shared array 'cyclic' has no size
extern shared int later[];
shared int later[2 * THREADS];
int f(int i)
{
    return one[i] + sized[i] + matrix[i][0] + later[i];
}
shared int no_columns[THREADS][]; // error: an array cannot have elements of the incomplete type 'shared int\[\]'
shared [] void nothing[3]; // error: an array cannot have elements of the incomplete type 'shared \[\] void'
shared [] void (*to_nothing)[2]; // error: an array cannot have elements of the incomplete type 'shared \[\] void'
shared struct unknown records[THREADS]; // error: an array cannot have elements of the incomplete type 'shared struct unknown'
