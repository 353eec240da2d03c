# A header that includes upc_strict.h makes what follows strict, in this unit only (facts 1.15, gotcha 41)
$UPCC -I "$SOURCE" "$SOURCE/main.upc" "$SOURCE/relaxed.upc" -o program
