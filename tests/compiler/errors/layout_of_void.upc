// A generic pointer has no layout (facts 1.6, constraint 7)
shared [2] void *p; // error: .
shared [] void *q; // error: .
shared [1] void *r; // error: .
shared void *fine;
const shared void *also_fine;
void f(shared [3] void *v); // error: .
typedef shared void *generic;
generic g;
