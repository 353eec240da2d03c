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
inline shared int p; // error: 'inline' applies to functions only, and 'p' is a shared object
_Noreturn shared int q; // error: '_Noreturn' applies to functions only
restrict shared int r; // error: 'restrict' applies to pointers only, and shared object 'r' is not a pointer
_Alignas(3) shared int s; // error: the alignment of shared object 's' is 3, which is not a power of two
_Alignas(1) shared int z; // error: '_Alignas' cannot reduce the alignment of shared object 'z' to 1; its type needs 4
_Alignas(2) _Alignas(8) shared int with_two;
__attribute__((aligned(1))) shared int with_attribute;
shared __auto_type inferred = 3; // error: '__auto_type' infers the type of a private object; name the type of a shared one
_Atomic(shared int) atomic; // error: _Atomic\(...\) cannot name the shared type 'shared int'; write 'shared' in front of _Atomic
shared _Atomic(int) atomic_inside;
_Atomic(shared int *) atomic_pointer; // error: _Atomic is not supported yet for pointers-to-shared such as 'shared int \*'; leave it out
shared int *_Atomic *to_atomic; // error: _Atomic is not supported yet for pointers-to-shared such as
shared int *_Atomic shared shared_atomic; // error: _Atomic is not supported yet for pointers-to-shared such as
typedef shared int *pointer;
struct with_atomic {
    _Atomic pointer of_type; // error: _Atomic is not supported yet for pointers-to-shared such as
};
shared _Atomic int *to_atomic_int;
int *_Atomic atomic_local;
typedef shared int type = 3; // error: 'type' is a type, which cannot be initialised
shared int t,; // error: expected a declarator
shared int *restrict shared u;
_Alignas(16) shared int v;
_Alignas(0) shared int w;
long shared int unsigned long j;
shared signed char k;
shared _Complex long double l;
unsigned __int128 shared m;
short int signed shared n[THREADS];
void o(void)
{
    register shared short *p = &n[0];
    *p = 0;
    static shared int x;
    extern shared int y;
    extern shared int y;
    static shared int x; // error: 'x' is declared a second time in this block; keep one of the declarations
    {
        static shared int x;
        x = y;
    }
}
