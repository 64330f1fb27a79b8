// Nothing before the mistake depends on anything.
// has: why: T0 comes to reach_error() at at_once.c:4, whatever happens
extern void reach_error(void);
static int count(int n) { if (n == 0) reach_error(); return count(n - 1); }
int main(void) { return count(3); }
