// Transfers that lock only the account they take from: what comes in at the same time can be lost.
// expect: unsafe
// threads: 3
// native: terminates
#include <assert.h>
#include <pthread.h>

struct account {
  pthread_mutex_t lock;
  int balance;
};

struct account accounts[2] = {{PTHREAD_MUTEX_INITIALIZER, 3}, {PTHREAD_MUTEX_INITIALIZER, 3}};

static void transfer(struct account *from, struct account *to, int amount) {
  pthread_mutex_lock(&from->lock);
  if (from->balance >= amount) {
    from->balance -= amount;
    to->balance += amount;
  }
  pthread_mutex_unlock(&from->lock);
}

void *there(void *argument) {
  transfer(&accounts[0], &accounts[1], 2);
  return argument;
}

void *back(void *argument) {
  transfer(&accounts[1], &accounts[0], 1);
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, there, NULL);
  pthread_create(&second, NULL, back, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(accounts[0].balance + accounts[1].balance == 6);
  return 0;
}
