// The same in a program that takes the system for GNU UPC
// flags: -compat=gupc
#include "libraries_as_specified.upc"
