// No member is shared; what it points to may be (facts 1.6, constraint 2)
struct s {
    shared int x; // error: member 'x' has the shared type 'shared int'; a member cannot be shared, only what it points to
    char *shared p; // error: member '\*shared p' has the shared type 'char \*shared'; a member cannot be shared, only what it points to
    shared int *fine;
    int shared a[3]; // error: member 'a\[3\]' has the shared type 'shared int\[3\]'; a member cannot be shared, only what it points to
    shared int *shared q; // error: member '\*shared q' has the shared type 'shared int \*shared'; a member cannot be shared, only what it points to
};
union u {
    shared int x; // error: member 'x' has the shared type 'shared int'; a member cannot be shared, only what it points to
    shared [] char *fine;
};
typedef shared int shared_int;
struct t {
    shared_int x; // error: member 'x' has the shared type 'shared_int'; a member cannot be shared, only what it points to
    struct {
        shared double d; // error: member 'd' has the shared type 'shared double'; a member cannot be shared, only what it points to
    } in;
    shared int bits : 3; // error: member 'bits' has the shared type 'shared int'; a member cannot be shared, only what it points to
};
