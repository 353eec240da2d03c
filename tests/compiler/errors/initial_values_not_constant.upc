// Initial values that code sets before main are those that C takes as constants, apart from the addresses in them
// flags: -pthreads -std=gnu2x -Wno-unused
int own, f(int *);
extern int later[4];
extern const int unknown;
struct s {
    int m, a[3];
} st, *sp;
int reads = own; // error: 'own' is not constant, so it cannot be in the initial value of an object with static storage; assign it when the program runs
int element = later[1]; // error: 'later\[1\]' is not constant
int member = st.m + 1; // error: 'st.m' is not constant
int calls = 1 + f(&own); // error: 'f\(&own\)' is not constant
int decided = &own && own; // error: 'own' is not constant
int elsewhere = unknown + !&own; // error: 'unknown' is not constant
int cut = (int)(long)&own; // error: '\(int\)\(long\)&own' is not constant
int cut_silently = (long)&own; // error: '\(long\)&own' is not constant
double as_number = (long)&own; // error: '\(long\)&own' is not constant
long twice = (long)&own * 2; // error: '\(long\)&own \* 2' is not constant
long sum = (long)&own + (long)&st; // error: '\(long\)&own \+ \(long\)&st' is not constant
long negative = -(long)(&own + 1); // error: '-\(long\)\(&own \+ 1\)' is not constant
int *by_own = later + own; // error: 'own' is not constant
int *to_element = &later[own]; // error: 'own' is not constant
int *of_pointer = &sp->m; // error: 'sp' is not constant
int *chosen = own ? &own : later; // error: 'own' is not constant
int *last = (0, &own); // error: '0, &own' is not constant
int *deeper = sp->a; // error: 'sp' is not constant
struct s whole = {.a = {1, f(&own)}}; // error: 'f\(&own\)' is not constant
shared int x, a[THREADS], *p;
shared int *copied = p; // error: 'p' is not constant
shared int *called = &a[f(&own)]; // error: 'f\(&own\)' is not constant
shared int read = x; // error: 'x' is not constant
shared int z = MYTHREAD + f(0); // error: 'f\(0\)' is not constant
void in_functions(int parameter)
{
    int local = parameter;
    static int n = own; // error: 'own' is not constant
    static int *in_literal = (int[]){!&own}; // error: '\(int\[\]\){!&own}' is not constant
    static long difference = &own - &local; // error: 'local' is not constant
    static int braced = ({ own; }); // error: '\({ own; }\)' is not constant
    for (static int i = 0, j = f(&own); i < 3; i++) // error: 'f\(&own\)' is not constant
        ;
}
