# Functions whose names C does not reserve may have effects, though they resemble those of the C library
$CC -O1 -c "$SOURCE/functions.c" -o functions.o
$UPCC -c "$SOURCE/main.upc" -o main.o
$UPCC main.o functions.o -o program
