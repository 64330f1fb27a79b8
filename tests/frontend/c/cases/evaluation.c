// Arguments and values that nobody looks at are evaluated all the same.
// case 1: unsafe --property faults
// case 2: unsafe --property faults
// case 3: unsafe --property races
// case 4: unsafe --property faults
// case 5: unsafe --property overflow
// case 6: unsafe --property races
// case 7: unsafe --property races
// case 8: unsafe --property races
// case 9: unsafe --property faults
// case 10: unsafe --property faults
// case 11: safe --property faults
// case 12: unsafe --property races
// case 13: safe --property races
// case 14: unsafe --property faults
// case 15: unsafe --property races
// case 16: safe
// case 17: unsafe --property races
// case 18: safe
// case 19: unsafe --property faults
// case 20: safe --property races
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

int x, y;
volatile int v;
struct pair { int a, b; } s;

#if CASE == 1
int main(void) { int *p = 0; printf("%d\n", *p); }
#elif CASE == 2
int main(void) { int *p = malloc(4); *p = 1; free(p); printf("%d %d\n", 1, *p); }
#elif CASE == 3
void *work(void *p) { printf("%d\n", x); return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); x = 1; pthread_join(t, 0); }
#elif CASE == 4
int main(void) { int zero = 0; fprintf(stderr, "%d\n", 1 / zero); }
#elif CASE == 5
int main(void) { int most = 2147483647; printf("%s %d\n", "a", most + 1); }
#elif CASE == 6
void *work(void *p) { x; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); x = 1; pthread_join(t, 0); }
#elif CASE == 7
void *work(void *p) { int z = (x, 3); return z ? p : 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); x = 1; pthread_join(t, 0); }
#elif CASE == 8
void *work(void *p) { (void)v; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); v = 1; pthread_join(t, 0); }
#elif CASE == 9
int sum(int count, ...) { return count; }
int main(void) { int *p = 0; return sum(2, 1, *p); }
#elif CASE == 10
int main(void) { struct pair *p = 0; (void)p->b; }
#elif CASE == 11
int main(void) { int *p = 0; (void)sizeof *p; (void)&*p; (void)p; }
#elif CASE == 12
void *work(void *p) { (void)s; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); s.b = 1; pthread_join(t, 0); }
#elif CASE == 13
void *work(void *p) { int mine; (void)mine; (void)p; (void)&x; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); x = 1; pthread_join(t, 0); }
#elif CASE == 14
int main(void) { int a[2] = {0, 0}; int i = 2; a[i], 1; }
#elif CASE == 15
void *work(void *p) { for (x; 0;) {} return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); x = 1; pthread_join(t, 0); }
#elif CASE == 16
static int last;
static int see(int n) { last = last * 10 + n; return n; }
static int three(int a, int b, int c, ...) { return a + b + c; }
int main(void) { three(see(1), see(1), see(1), see(1)); assert(last == 1111); }
#elif CASE == 17
void *work(void *p) { x ? y : 0; return p; }
int main(void) { pthread_t t; x = 1; pthread_create(&t, 0, work, 0); y = 1; pthread_join(t, 0); }
#elif CASE == 18
int main(void) { int n = 0; printf("%d\n", n++); assert(n == 1); sizeof(n++); assert(n == 1); }
#elif CASE == 19
int main(void) { int *p = 0; int k = 1; k && *p; }
#elif CASE == 20
void *work(void *p) { return sizeof(x) ? p : (void *)&x; }
int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); x = 1; pthread_join(t, 0); }
#endif
