// strict and relaxed need shared, and exclude each other (facts 1.6, constraint 3)
strict int x; // error: .
relaxed double d; // error: .
int *relaxed p; // error: .
int *strict q; // error: .
strict relaxed shared int y; // error: .
relaxed shared strict int y2; // error: .
typedef strict shared int SI;
relaxed SI z; // error: .
typedef relaxed shared int RI;
strict RI w; // error: .
strict SI fine;
relaxed RI also_fine;
shared int *relaxed r; // error: .
strict shared int *fine_too;
struct s {
    strict int m; // error: .
};
void f(strict int v); // error: .
