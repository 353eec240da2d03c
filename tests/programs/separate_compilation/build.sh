# Shared and private objects, functions, typedefs and main itself across units (facts 1.8, gotcha 28)
$UPCC -c "$SOURCE/a.upc" -o a.o
$UPCC -c "$SOURCE/b.upc" -o b.o
$UPCC b.o a.o -o program
