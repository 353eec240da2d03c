# Checked and unchecked units in one program: an access is reported in the checked one only.
# threads: 1 2 4
# fcheck: no
# expect-exit: 1
# expect-stderr: ^banyan: thread \d+: .*checked.upc:6: the pointer-to-shared points to no object: 0x[0-9a-f]+ on
# expect-stderr: is 0 bytes beyond the 16 bytes that thread \d+ allocated; stay within what was declared or allocated
$UPCC -fcheck -c "$SOURCE/checked.upc" -o checked.o
$UPCC -c "$SOURCE/unchecked.upc" -o unchecked.o
$UPCC unchecked.o checked.o -o program
