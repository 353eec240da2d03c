# Tentative definitions of one object in several units are one object; the largest wins (facts 1.11, gotcha 28)
$UPCC -c -fcommon "$SOURCE/a.upc" -o a.o
$UPCC -c -fcommon "$SOURCE/b.upc" -o b.o
$UPCC a.o b.o -o program
