# Shared objects of UPC live in shared libraries as well
$UPCC -fPIC -c "$SOURCE/library.upc" -o library.o
$UPCC -shared library.o -o liblibrary.so
$UPCC "$SOURCE/main.upc" -L. -llibrary -Wl,-rpath,"$PWD" -o program
