// Declaration specifiers that C does not allow together, of shared objects, whose type cc does not see
struct s { int x; };
shared long long long a; // error: 'long long long' names no type here
shared short double b; // error: 'short double' names no type here
shared unsigned float *c; // error: 'unsigned float' names no type here
int d(shared signed unsigned *p); // error: 'signed unsigned' names no type here
shared struct s int e; // error: 'int' names no type here
shared void int *f; // error: 'void int' names no type here
static extern shared int g; // error: 'static' and 'extern' in one declaration; a declaration has one storage class
register shared int h; // error: shared object 'h' cannot have automatic storage
auto shared int i; // error: shared object 'i' cannot have automatic storage
long shared int unsigned long j;
shared signed char k;
shared _Complex long double l;
unsigned __int128 shared m;
short int signed shared n[THREADS];
void o(void)
{
    register shared short *p = &n[0];
    *p = 0;
}
