// strict and relaxed need shared, and exclude each other (facts 1.6, constraint 3)
strict int x; // error: 'strict' qualifies a type that is not shared; write 'strict shared'
relaxed double d; // error: 'relaxed' qualifies a type that is not shared; write 'relaxed shared'
int *relaxed p; // error: 'relaxed' qualifies a type that is not shared; write 'relaxed shared'
int *strict q; // error: 'strict' qualifies a type that is not shared; write 'strict shared'
strict relaxed shared int y; // error: both 'strict' and 'relaxed' in one type; keep one of them
relaxed shared strict int y2; // error: both 'strict' and 'relaxed' in one type; keep one of them
typedef strict shared int SI;
relaxed SI z; // error: both 'strict' and 'relaxed' in one type; keep one of them
typedef relaxed shared int RI;
strict RI w; // error: both 'strict' and 'relaxed' in one type; keep one of them
strict SI fine;
relaxed RI also_fine;
shared int *relaxed r; // error: 'relaxed' qualifies a type that is not shared; write 'relaxed shared'
strict shared int *fine_too;
struct s {
    strict int m; // error: 'strict' qualifies a type that is not shared; write 'strict shared'
};
void f(strict int v); // error: 'strict' qualifies a type that is not shared; write 'strict shared'
