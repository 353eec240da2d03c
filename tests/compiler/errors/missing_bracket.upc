// A layout ends with a bracket
shared [2 int x; // error: expected '\]' before 'int'
