# A main program in C calls UPC, and reaches threads, barriers and shared memory itself (facts 3.1, bupc_extern.h)
# args: one two
$CC -O1 -Wall -Wextra -Werror -I"$($UPCC -print-include-dir)" -c "$SOURCE/main.c" -o main.o
$CC -O1 -Wall -Wextra -Werror -I"$($UPCC -print-include-dir)" -c "$SOURCE/library.c" -o library.o
$UPCC -c "$SOURCE/work.upc" -o work.o
$UPCC main.o library.o work.o -o program
