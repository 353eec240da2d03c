// No member is shared; what it points to may be (facts 1.6, constraint 2)
struct s {
    shared int x; // error: member 'x' has the shared type 'shared int'; only what a member points to can be shared
    char *shared p; // error: member '\*shared p' has the shared type 'char \*shared'; only what a member points to can be shared
    shared int *fine;
    int shared a[3]; // error: member 'a\[3\]' has the shared type 'shared int\[3\]'; only what a member points to can be shared
    shared int *shared q; // error: member '\*shared q' has the shared type 'shared int \*shared'; only what a member points to can be shared
};
union u {
    shared int x; // error: member 'x' has the shared type 'shared int'; only what a member points to can be shared
    shared [] char *fine;
};
typedef shared int shared_int;
struct t {
    shared_int x; // error: member 'x' has the shared type 'shared_int'; only what a member points to can be shared
    struct {
        shared double d; // error: member 'd' has the shared type 'shared double'; only what a member points to can be shared
    } in;
    shared int bits : 3; // error: member 'bits' has the shared type 'shared int'; only what a member points to can be shared
};
