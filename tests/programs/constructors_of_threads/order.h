// What has been called so far, as a word of letters
extern char called[16], *called_end;

#define CALLED(letter) (*called_end++ = (letter))
