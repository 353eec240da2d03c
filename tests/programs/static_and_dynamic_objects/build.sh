# Objects for a fixed number of threads link with objects for any; the program has the fixed number (facts 1.3)
# static: only
# threads: 1 3 4
$PLAIN_UPCC -c "$SOURCE/any.upc" -o any.o
$UPCC -c "$SOURCE/fixed.upc" -o fixed.o
$UPCC any.o fixed.o -o program
