// No member is shared; what it points to may be (facts 1.6, constraint 2)
struct s {
    shared int x; // error: .
    char *shared p; // error: .
    shared int *fine;
    int shared a[3]; // error: .
    shared int *shared q; // error: .
};
union u {
    shared int x; // error: .
    shared [] char *fine;
};
typedef shared int shared_int;
struct t {
    shared_int x; // error: .
    struct {
        shared double d; // error: .
    } in;
    shared int bits : 3; // error: .
};
