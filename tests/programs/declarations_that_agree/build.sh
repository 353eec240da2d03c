# Declarations of one object in several files may differ as C allows, and where they are not used, in any way
$UPCC -c "$SOURCE/a.upc" -o a.o
$UPCC -c "$SOURCE/b.upc" -o b.o
$UPCC a.o b.o -o program
