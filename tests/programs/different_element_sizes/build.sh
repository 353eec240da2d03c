# Tentative definitions of one name with different element types are refused when the program starts (facts 1.11)
# static: no
# threads: 1 2
# expect-exit: nonzero
# expect-stderr: banyan: .*object
$UPCC -c "$SOURCE/a.upc" -o a.o
$UPCC -c "$SOURCE/b.upc" -o b.o
$UPCC a.o b.o -o program
