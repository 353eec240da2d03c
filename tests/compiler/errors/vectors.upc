// Elements of shared vectors are shared [], and const where the vector is (facts 1.9)
typedef int integers __attribute__((vector_size(16)));
struct box {
    integers v;
};
shared integers all[THREADS];
shared const integers fixed;
shared struct box *boxes;
void f(int i)
{
    int *p = &all[i][1]; // error: initialisation converts pointer-to-shared 'shared \[\] int \*' to pointer-to-local 'int \*', which needs a cast
    p = &boxes->v[i]; // error: assignment converts pointer-to-shared 'shared \[\] int \*' to pointer-to-local 'int \*', which needs a cast
    shared [] int *q = &all[i][1];
    shared int *cyclic = &all[i][1]; // error: initialisation converts 'shared \[\] int \*' to 'shared int \*', which has a different block size
    fixed[1] = 5; // error: '=' changes 'fixed\[1\]', whose type 'shared \[\] const int' is const
    fixed[i]++; // error: '\+\+' changes 'fixed\[i\]', whose type 'shared \[\] const int' is const
}
