/* Multiplies matrices of doubles, a row for each thread.
 * bug (assertions): threads take the next row without a lock */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#define N 3
#define NUM_THREADS 2
double A[N][N], B[N][N], C[N][N];
int next_row = 0, rows_done[N];
pthread_mutex_t row_lock = PTHREAD_MUTEX_INITIALIZER;
void init_matrices(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      A[i][j] = i + j;
      B[i][j] = (i == j) ? 1.0 : 0.0;
    }
}
void *multiply(void *unused) {
  for (;;) {
#ifndef BUG
    pthread_mutex_lock(&row_lock);
#endif
    int row = next_row++;
#ifndef BUG
    pthread_mutex_unlock(&row_lock);
#endif
    if (row >= N) break;
    rows_done[row]++;
    for (int j = 0; j < N; j++) {
      double sum = 0;
      for (int k = 0; k < N; k++) sum += A[row][k] * B[k][j];
      C[row][j] = sum;
    }
  }
  return NULL;
}
int main(void) {
  pthread_t threads[NUM_THREADS];
  init_matrices();
  for (int i = 0; i < NUM_THREADS; i++) pthread_create(&threads[i], NULL, multiply, NULL);
  for (int i = 0; i < NUM_THREADS; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < N; i++) {
    assert(rows_done[i] == 1);
    for (int j = 0; j < N; j++) assert(C[i][j] == A[i][j]);
  }
  return 0;
}
