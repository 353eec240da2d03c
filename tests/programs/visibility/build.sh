# Visibility of shared objects: two libraries that hide an object each have their own, and -fvisibility=hidden exports
# what is declared visible
for i in 1 2; do
    $UPCC -fPIC -fvisibility=hidden -DNUMBER=$i -shared "$SOURCE/library.upc" -o libpart$i.so
done
$UPCC "$SOURCE/main.upc" -L. -lpart1 -lpart2 -Wl,-rpath,"$PWD" -o program
