// Handles of threads, strings and functions can be told apart.
// case 1: safe
// case 2: safe not native
// case 3: safe
// case 4: safe
// case 5: safe
// case 6: unsafe
// case 7: safe
#include <assert.h>
#include <pthread.h>
#include <string.h>

pthread_t seen;
void *work(void *p) { seen = pthread_self(); return p; }
static int one(void) { return 1; }
static int two(void) { return 2; }
typedef int (*function)(void);

#if CASE == 1
int main(void) { assert(pthread_self() != 0 && pthread_equal(pthread_self(), pthread_self())); }
#elif CASE == 2
int main(void) { pthread_t t = 0; pthread_create(&t, 0, work, 0); pthread_join(t, 0); assert(t != 0 && seen == t && seen != pthread_self()); }
#elif CASE == 3
int main(void) { pthread_t t, u; pthread_create(&t, 0, work, 0); pthread_create(&u, 0, work, 0); assert(!pthread_equal(t, u) && t != pthread_self()); pthread_join(t, 0); pthread_join(u, 0); }
#elif CASE == 4
int main(void) { function f = one, g = two; assert(f != g && f() + g() == 3 && f == one); }
#elif CASE == 5
int main(void) { char a[] = "same", b[] = "same"; assert(a != b && strcmp(a, b) == 0); a[0] = 'f'; assert(b[0] == 's'); }
#elif CASE == 6
int main(void) { const char *a = "abc", *b = "abd"; assert(a == b); }
#elif CASE == 7
int main(void) { const char *names[2] = {"left", "right"}; assert(names[0] != names[1] && names[1][0] == 'r'); }
#endif
