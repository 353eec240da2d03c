// A generic pointer has no layout (facts 1.6, constraint 7)
shared [2] void *p; // error: 'shared \[2\] void' has a block size; a generic pointer-to-shared is written 'shared void \*'
shared [] void *q; // error: 'shared \[\] void' has a block size; a generic pointer-to-shared is written 'shared void \*'
shared [1] void *r; // error: 'shared \[1\] void' has a block size; a generic pointer-to-shared is written 'shared void \*'
shared void *fine;
const shared void *also_fine;
void f(shared [3] void *v); // error: 'shared \[3\] void' has a block size; a generic pointer-to-shared is written 'shared void \*'
typedef shared void *generic;
generic g;
