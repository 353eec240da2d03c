// A layout ends with a bracket
shared [* int x; // error: .
int y;
