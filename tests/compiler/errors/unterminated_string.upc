// A string that does not end
shared int x;
char *s = "abc; // error: .
int y;
