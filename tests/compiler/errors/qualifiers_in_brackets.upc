// Qualifiers in brackets are of a parameter, in a unit that has nothing else of UPC, too (facts 1.6)
int f(int p[shared 3]); // error: a parameter cannot have the shared type 'int \*shared'; pass its value or a pointer to it
int g(int p[relaxed shared const 3]); // error: a parameter cannot have the shared type 'int \*relaxed shared const'; pass its value or a pointer to it
int a[shared 3]; // error: 'shared' is not allowed in the brackets of an array; write it before the type of the elements
