// Accounts in an array, each with a lock; transfers lock the lower account first, and no money is lost.
// expect: safe
// threads: 3
// native: terminates
#include <assert.h>
#include <pthread.h>

struct account {
  pthread_mutex_t lock;
  int balance;
};

struct account accounts[2] = {{PTHREAD_MUTEX_INITIALIZER, 3}, {PTHREAD_MUTEX_INITIALIZER, 3}};

static void transfer(int from, int to, int amount) {
  const int lower = from < to ? from : to;
  pthread_mutex_lock(&accounts[lower].lock);
  pthread_mutex_lock(&accounts[1 - lower].lock);
  if (accounts[from].balance >= amount) {
    accounts[from].balance -= amount;
    accounts[to].balance += amount;
  }
  pthread_mutex_unlock(&accounts[1 - lower].lock);
  pthread_mutex_unlock(&accounts[lower].lock);
}

void *there(void *argument) {
  transfer(0, 1, 2);
  return argument;
}

void *back(void *argument) {
  transfer(1, 0, 1);
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
