// THREADS and MYTHREAD are values; bit-fields have no address (facts 1.2, 1.6)
// env: dynamic
shared struct {
    int bf : 3;
    int x;
} s;
void f(void)
{
    int *p = &MYTHREAD; // error: '&' needs an object; 'MYTHREAD' is a value
    int *q = &THREADS; // error: '&' needs an object; 'THREADS' is a value
    THREADS = 2; // error: '=' needs an object; 'THREADS' is a value
    MYTHREAD = 0; // error: '=' needs an object; 'MYTHREAD' is a value
    MYTHREAD++; // error: '\+\+' needs an object; 'MYTHREAD' is a value
    --THREADS; // error: '--' needs an object; 'THREADS' is a value
    MYTHREAD += 1; // error: '\+=' needs an object; 'MYTHREAD' is a value
    shared [] int *r = &s.bf; // error: cannot take the address of bit-field 'bf'
    r = &s.x;
}
int plain;
void statement_expressions(void)
{
    ({ s.x; }) = 7; // error: '=' needs an object; '\(\{ s.x; \}\)' is a value
    ({ s.x; }) += 7; // error: '\+=' needs an object; '\(\{ s.x; \}\)' is a value
    ++(({ s.x; })); // error: '\+\+' needs an object; '\(\(\{ s.x; \}\)\)' is a value
    int *p = &({ plain; }); // error: '&' needs an object; '\(\{ plain; \}\)' is a value
    ({ s; }).x = 2; // error: '=' needs an object; '\(\{ s; \}\).x' is a value
    *({ p; }) = 3;
    ({ &s; })->x = 4;
}
shared int array[2 * THREADS];
shared int *pointer, *pointers[2];
void g(void)
{
    array++; // error: '\+\+' needs an object that can be changed; 'array' of type 'shared int\[2\*THREADS\]' is not one
    --array; // error: '--' needs an object that can be changed; 'array'
    array += 1; // error: '\+=' needs an object that can be changed; 'array'
    (pointer + 1)++; // error: '\+\+' needs an object that can be changed; '\(pointer \+ 1\)' of type 'shared int \*' is not one
    (shared int *)pointer += 1; // error: '\+=' needs an object; '\(shared int \*\)pointer' is a value
    ((shared [3] int *)pointer)++; // error: '\+\+' needs an object
    (shared int *)pointer = 0; // error: '=' needs an object; '\(shared int \*\)pointer' is a value
    (shared [3] int *)pointer = 0; // error: '=' needs an object
    shared int **to = &(shared int *)pointer; // error: '&' needs an object
    array = pointer; // error: '=' needs an object that can be changed; 'array'
    (pointer)++;
    pointers[1] = ++*pointers;
}
const shared int number = 3;
typedef const int Constant;
shared Constant constants[THREADS];
const shared struct {
    int x, y[2];
} record;
int *const shared address;
const shared [2] int *to_constants;
const int *shared may_change;
void h(void)
{
    number = 4; // error: '=' changes 'number', whose type 'shared const int' is const
    number += 1; // error: '\+=' changes 'number'
    number++; // error: '\+\+' changes 'number'
    --constants[0]; // error: '--' changes 'constants\[0\]', whose type 'shared Constant' is const
    record.y[1] = 2; // error: '=' changes 'record\.y\[1\]'
    address = 0; // error: '=' changes 'address'
    *to_constants = 1; // error: '=' changes '\*to_constants', whose type 'shared \[2\] const int' is const
    to_constants++;
    may_change = 0;
}
struct with_constant {
    shared int *const p;
    shared int *q;
} private, *const to_private;
const struct with_constant all_constant;
void i(shared int *const k[2])
{
    k[1]--; // error: '--' changes 'k\[1\]', whose type 'shared int \*const' is const
    *k += 1; // error: '\+=' changes '\*k'
    k[0] = 0; // error: '=' changes 'k\[0\]'
    private.p++; // error: '\+\+' changes 'private\.p'
    to_private->p -= 1; // error: '-=' changes 'to_private->p'
    all_constant.q++; // error: '\+\+' changes 'all_constant\.q'
    all_constant.q = pointer; // error: '=' changes 'all_constant\.q'
    private.q = to_private->q++;
}
