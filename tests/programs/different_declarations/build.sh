# An extern declaration that differs from the definition, in another file, is refused when the program starts
# threads: 1 3
# expect-exit: nonzero
# expect-stderr: banyan: shared object 'a' is 'shared int\[\d+(\*THREADS)?\]' in .*a\.upc:2,
# expect-stderr: , but 'shared \[5\] int\[\d+(\*THREADS)?\]' in .*b\.upc:3; give all its declarations one type
$UPCC -c "$SOURCE/a.upc" -o a.o
$UPCC -c "$SOURCE/b.upc" -o b.o
$UPCC a.o b.o -o program
