// Declarations of one object agree
extern shared [2] int a[THREADS];
shared [3] int a[THREADS]; // dynamic error: 'a' is declared with type 'shared \[3\] int\[THREADS\]' here and with type 'shared \[2\] int\[THREADS\]' before // static error: 'a' is declared with type 'shared \[3\] int\[4\]' here and with type 'shared \[2\] int\[4\]' before
extern shared int b;
int b; // error: 'b' is declared with type 'int' here and with type 'shared int' before
shared int *f(void);
shared [2] int *f(void); // error: 'f' is declared with type 'shared \[2\] int \*\(\)' here and with type 'shared int \*\(\)' before
shared int c; // note: 'c' was declared with type 'shared int' here
shared double c; // error: 'c' is declared with type 'shared double' here and with type 'shared int' before
shared [1] int d[THREADS];
extern shared int d[];
void g(shared int *p);
void g(shared [4] int *p) // error: 'g' is declared with type 'void\(shared \[4\] int \*\)' here and with type 'void\(shared int \*\)' before
{
}
extern strict shared int h; // note: 'h' was declared with type 'strict shared int' here
relaxed shared int h; // error: 'h' is declared with type 'relaxed shared int' here and with type 'strict shared int' before
extern shared int q; // note: 'q' was declared with type 'shared int' here
strict shared int q; // error: 'q' is declared with type 'strict shared int' here and with type 'shared int' before
extern shared int r[THREADS];
const shared int r[THREADS]; // error: 'r' is declared with type 'shared const int\[
shared volatile int s;
shared int s; // error: 's' is declared with type 'shared int' here and with type 'shared volatile int' before
extern const strict shared int t;
int strict const shared t = 4;
typedef shared int *i; // note: 'i' was declared with type 'shared int \*' here
typedef shared [2] int *i; // error: 'i' is declared with type 'shared \[2\] int \*' here and with type 'shared int \*' before
typedef shared [1] int *j;
typedef shared int *j;
shared int k = 3; // note: 'k' was declared with type 'shared int' here
shared int k = 4; // error: 'k' is initialised a second time; keep one of the initialisers
static shared int l; // note: 'l' was declared with type 'shared int' here
shared int l; // error: 'l' is 'static' in one of its declarations and not in another; it must be in all or in none
extern shared int m; // note: 'm' was declared with type 'shared int' here
static shared int m; // error: 'm' is 'static' in one of its declarations and not in another
static shared int n;
extern shared int n;
shared int o, o, o = 3, o;
void p(void)
{
    extern shared int n, o;
    static shared int k = 5;
    typedef shared [3] int *i;
}
