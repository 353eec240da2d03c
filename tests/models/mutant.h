/* IF_MUTANT(n, a, b): a in the model with the planted bug n (-DMUTANT=n), b in the correct one. */
#ifndef MUTANT
#define MUTANT 0
#endif
#define IF_MUTANT(number, wrong, right) ((MUTANT == (number) && (wrong)) || (MUTANT != (number) && (right)))
#define IS_MUTANT(number) (MUTANT == (number))
