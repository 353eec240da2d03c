// A shared object has no room for values of a flexible array member; one without such values is as large as its type
typedef int row[];
typedef row named_row;
struct counted { int count; int values[]; };
struct text { int length; char characters[]; };
struct outer { int number; struct counted last; };
struct from_typedef { int count; named_row values; };
struct pointers { int count; shared int *to[]; };
shared int x;

shared struct counted plain, zeroed = { 1 }, empty = { 1, {} };
shared struct text fits = { .length = 1 };
struct counted private = { 2, { 3, 4 } };
struct pointers private_pointers = { 2, { &x, &x } };
shared struct counted nested = { 2, { 3, 4 } }; // error: a shared object has no room for the values of the flexible array member of 'struct counted'; give that array a size, or allocate the object and assign the values
static shared struct counted unbraced = { 2, 3, 4 }; // error: a shared object has no room
shared struct counted named = { .values = { 3, 4 }, .count = 2 }; // error: a shared object has no room
shared struct counted element = { 2, .values[1] = 4 }; // error: a shared object has no room
shared struct counted range = { 2, .values[0 ... 3] = 4 }; // error: a shared object has no room
shared struct text string = { 2, "ab" }; // error: member of 'struct text'
shared struct text braced = { 2, { "ab" } }; // error: member of 'struct text'
shared struct outer inner = { 1, { 2, { 3 } } }; // error: member of 'struct counted'
shared struct outer deep = { 1, .last.values = { 3 } }; // error: member of 'struct counted'
shared struct from_typedef hidden = { .count = 4, .values = { 1 } }; // error: member of 'struct from_typedef'
shared struct { int count; row values; } unnamed = { 4, { 1 } }; // error: a shared object has no room
shared struct counted literal = (struct counted){ 2, { 3, 4 } }; // error: a shared object has no room
shared struct pointers to_shared = { 2, { &x, &x } }; // error: member of 'struct pointers'
shared [] struct counted objects[2] = { { 1, { 2 } }, { 3 } }; // error: member of 'struct counted'
shared struct counted each[THREADS] = { { 1, { 2 } } }; // error: member of 'struct counted'
void f(void)
{
    static shared struct counted local = { 2, { 3, 4 } }; // error: a shared object has no room
    static struct counted private_local = { 2, { 3, 4 } };
}
