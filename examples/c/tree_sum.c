// Two threads add up the halves of a tree, each by recursion.
// expect: safe
// threads: 3
// native: terminates
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct node {
  int value;
  struct node *left, *right;
};

struct node leaves[4] = {{1, NULL, NULL}, {2, NULL, NULL}, {3, NULL, NULL}, {4, NULL, NULL}};
struct node inner[2] = {{10, &leaves[0], &leaves[1]}, {20, &leaves[2], &leaves[3]}};

static int sum(const struct node *tree) {
  if (tree == NULL) return 0;
  return tree->value + sum(tree->left) + sum(tree->right);
}

void *work(void *argument) { return (void *)(long)sum(argument); }

int main(void) {
  pthread_t thread;
  void *result;
  pthread_create(&thread, NULL, work, &inner[0]);
  int own = sum(&inner[1]);
  pthread_join(thread, &result);
  assert(own + (int)(long)result == 40);
  return 0;
}
