// A layout ends with a bracket
shared [* int x; // error: expected an expression before 'int'
int y;
