// Options that change types: what decides where elements are is an error if the C compiler has another number
// flags: -fshort-enums
enum color { RED, GREEN };
struct s {
    enum color c;
    char d;
};
shared [sizeof(struct s)] char a[8 * THREADS]; // error: sizeof\(struct s\) is 8 for upcc, and another number for the C compiler
shared [2] char b[sizeof(enum color) * THREADS]; // error: sizeof\(enum color\).* is (4|16) for upcc
