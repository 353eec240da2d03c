# A main program in C++ calls UPC; objects with constructors and destructors, exceptions and streams work in it (facts
# 3.1, bupc_extern.h)
# pthreads: no
CXX=$(case "$CC" in *clang*) echo clang++ ;; *) echo g++ ;; esac)
$CXX -O1 -Wall -Wextra -Werror -I"$($UPCC -print-include-dir)" -c "$SOURCE/main.cc" -o main.o
$UPCC -c "$SOURCE/work.upc" -o work.o
$UPCC -link-with="$CXX" main.o work.o -o program
