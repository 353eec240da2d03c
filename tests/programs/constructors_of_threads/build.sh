# Constructors and destructors fill and read the private objects of each thread, also of threads that share a process:
# those of libraries first, then by priority
$UPCC -std=gnu2x -fPIC -shared "$SOURCE/library.upc" -o liblibrary.so
$UPCC "$SOURCE/main.upc" "$SOURCE/tests.c" -L. -llibrary -Wl,-rpath,"$PWD" -o program
