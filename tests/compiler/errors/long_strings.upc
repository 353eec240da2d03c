// Strings longer than their arrays: upcc warns of shared arrays, the back end of private ones
shared [] char a[3] = "hello"; // warning: the string has 5 characters, and this shared array has room for 3; the rest is ignored
shared [] char b[3] = "abc";
char c[3] = "hello"; // warning: initializer-string for array of 'char' is too long
struct s {
    char name[2];
};
shared struct s d = {"abcd"}; // warning: initializer-string for array of 'char' is too long
shared [2] char e[THREADS][2] = {"abcd"}; // warning: initializer-string for array of 'char' is too long
shared [] char f[] = "any length";
