// Text without UPC stays as it was written, comments and blanks apart
shared int x;
int translate_begins;
static   int f( int a,int b ){return a+b;}
struct s { int a , b; } t = { .a=1 };
int translate_ends;

// emits:
// static int f( int a,int b ){return a+b;}
// struct s { int a , b; } t = { .a=1 };
