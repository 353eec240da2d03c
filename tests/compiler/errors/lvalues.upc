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
shared int array[2 * THREADS];
shared int *pointer, *pointers[2];
void g(void)
{
    array++; // error: '\+\+' needs an object that can be changed; 'array' of type 'shared int\[2\*THREADS\]' is none
    --array; // error: '--' needs an object that can be changed; 'array'
    array += 1; // error: '\+=' needs an object that can be changed; 'array'
    (pointer + 1)++; // error: '\+\+' needs an object that can be changed; '\(pointer \+ 1\)' of type 'shared int \*' is none
    (shared int *)pointer += 1; // error: '\+=' needs an object that can be changed
    (pointer)++;
    pointers[1] = ++*pointers;
}
