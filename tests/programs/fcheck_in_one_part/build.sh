# Checked and unchecked units in one program: what both do to the same objects, locks and barriers
# fcheck: no
# races: no, all threads write the same value
$UPCC -fcheck -c "$SOURCE/checked.upc" -o checked.o
$UPCC -c "$SOURCE/unchecked.upc" -o unchecked.o
$UPCC unchecked.o checked.o -o program
