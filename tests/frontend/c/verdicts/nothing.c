// A program that states nothing to check.
// case NOTHING: safe, there is nothing to check
// case NOTHING -q: safe, there is nothing to check
// case NOTHING --property races: safe
#ifdef NOTHING
int zero;
int main(void) { return zero; }
#endif
