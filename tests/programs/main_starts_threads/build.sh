# A program that the C compiler has linked, without the option that puts the start before main, starts the threads by
# bupc_init; what comes before runs once (facts 3.1, bupc_extern.h)
# sanitize: no
# pthreads: no
# network: smp
# expect-stdout: \Abefore\n(ok\n)+\Z
INCLUDE=$($UPCC -print-include-dir)
TOOL=${UPCC%% *}
$CC -O1 -Wall -Wextra -Werror -I"$INCLUDE" -c "$SOURCE/main.c" -o main.o
$UPCC -c "$SOURCE/work.upc" -o work.o
$CC main.o work.o -L"${TOOL%/*}/../lib" -lbanyan -pthread -o program
