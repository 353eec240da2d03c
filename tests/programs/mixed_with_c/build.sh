# Objects compiled by the C compiler link in freely, and know nothing of UPC (facts 3.2)
$CC -O1 -c "$SOURCE/plain.c" -o plain.o
$UPCC -c "$SOURCE/main.upc" -o main.o
$UPCC -c "$SOURCE/callback.c" -o callback.o
ar rc libplain.a plain.o
$UPCC main.o callback.o -L. -lplain -o program -lm
