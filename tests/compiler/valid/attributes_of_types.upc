// Attributes that change the size or alignment of types, wherever they may stand, and types as arguments of builtins
typedef int wide __attribute__((mode(DI)));
typedef unsigned __attribute__((__mode__(__HI__))) narrow;
typedef float precise __attribute__((mode(DF)));
typedef char pair __attribute__((vector_size(2)));
int aligned_object __attribute__((aligned(128)));
typedef int row[8] __attribute__((aligned(32)));
typedef row rows[5];

#define IS(CONDITION) ((CONDITION) ? 1 : -1)
shared [] int mode_behind[IS(sizeof(wide) == 8)], mode_before[IS(sizeof(narrow) == 2)];
shared [] int mode_of_float[IS(sizeof(precise) == 8)], vector[IS(sizeof(pair) == 2)];
shared [] int of_object[IS(__alignof__((aligned_object)) == 128)], of_type[IS(__alignof__(int) == 4)];
shared [] int of_rows[IS(__alignof__(rows) == 32)];

typedef int integers __attribute__((vector_size(16)));
typedef float floats __attribute__((vector_size(16)));
shared wide number;

floats convert(integers of)
{
    return __builtin_convertvector(of + (int)number, __typeof__(((floats *)0)[0]));
}
