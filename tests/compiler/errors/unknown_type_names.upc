// Shared objects of types that no declaration names
shared missing_t a[THREADS]; // error: unknown type name 'missing_t'; include the header that defines it, or write 'struct missing_t' if it is a struct
missing_t shared b; // error: unknown type name 'missing_t'
shared missing_t *c; // error: unknown type name 'missing_t'
typedef shared [2] missing_t D; // error: unknown type name 'missing_t'
struct s {
    shared [] missing_t *p; // error: unknown type name 'missing_t'
};
void f(shared missing_t *p) // error: unknown type name 'missing_t'
{
    static shared missing_t g; // error: unknown type name 'missing_t'
    p = (shared missing_t *)c; // error: unknown type name 'missing_t'
}
shared h; // warning: this shared type defaults to 'int'; name the type
static shared [3] i[3 * THREADS]; // warning: this shared type defaults to 'int'; name the type
typedef unsigned long known_t;
shared known_t j, *k;
shared unsigned l;
shared __typeof__(j) m;
