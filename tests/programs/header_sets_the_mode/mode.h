#ifndef MODE_H
#define MODE_H
#include <upc_strict.h>
#endif
