// A string that does not end (the messages have quotes, which must not stand in this line)
shared int x;
char *s = "abc; // error: missing terminating . character // warning: missing terminating . character // warning: missing terminating . character
; // error: expected expression before
