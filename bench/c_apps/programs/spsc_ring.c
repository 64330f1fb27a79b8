/* A ring buffer of bytes for one writer and one reader, with free-running 32-bit positions and a record header.
 * bug (assertions): the header is published before the payload. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define RING_SIZE 16u
#define RING_MASK (RING_SIZE - 1)
#define MIN(a, b) ((a) < (b) ? (a) : (b))

_Static_assert((RING_SIZE & RING_MASK) == 0, "a power of two");

struct ring {
  uint8_t data[RING_SIZE];
  _Atomic uint32_t head; /* written by the producer */
  _Atomic uint32_t tail; /* written by the consumer */
};

struct header {
  uint16_t length;
  uint16_t crc;
};

static struct ring ring;

static void copy_in(uint32_t at, const void *src, size_t len)
{
  const uint8_t *p = src;
  for (size_t i = 0; i < len; i++)
    ring.data[(at + i) & RING_MASK] = p[i];
}

static void copy_out(uint32_t at, void *dst, size_t len)
{
  uint8_t *p = dst;
  for (size_t i = 0; i < len; i++)
    p[i] = ring.data[(at + i) & RING_MASK];
}

static uint16_t crc(const uint8_t *p, size_t len)
{
  uint16_t c = 0xffff;
  while (len--)
    c = (uint16_t)((c << 1) ^ *p++);
  return c;
}

static int ring_put(const uint8_t *payload, uint16_t len)
{
  struct header h = { .length = len, .crc = crc(payload, len) };
  uint32_t head = atomic_load_explicit(&ring.head, memory_order_relaxed);
  uint32_t tail = atomic_load_explicit(&ring.tail, memory_order_acquire);
  if (RING_SIZE - (head - tail) < sizeof h + len)
    return -1;
  copy_in(head, &h, sizeof h);
#ifdef BUG
  atomic_store_explicit(&ring.head, head + sizeof h + len, memory_order_release);
  copy_in(head + sizeof h, payload, len);
#else
  copy_in(head + sizeof h, payload, len);
  atomic_store_explicit(&ring.head, head + sizeof h + len, memory_order_release);
#endif
  return 0;
}

static int ring_get(uint8_t *payload, size_t room)
{
  struct header h;
  uint32_t tail = atomic_load_explicit(&ring.tail, memory_order_relaxed);
  uint32_t head = atomic_load_explicit(&ring.head, memory_order_acquire);
  if (head == tail)
    return 0;
  copy_out(tail, &h, sizeof h);
  assert(h.length <= room);
  copy_out(tail + sizeof h, payload, h.length);
  assert(crc(payload, h.length) == h.crc);
  atomic_store_explicit(&ring.tail, tail + sizeof h + h.length, memory_order_release);
  return h.length;
}

static void *producer(void *arg)
{
  static const char *const words[] = { "abc", "de" };
  (void)arg;
  for (int i = 0; i < 2; i++)
    while (ring_put((const uint8_t *)words[i], (uint16_t)strlen(words[i])) != 0)
      ;
  return NULL;
}

int main(void)
{
  pthread_t t;
  uint8_t buffer[8];
  int got = 0;
  pthread_create(&t, NULL, producer, NULL);
  while (got < 5) {
    int n = ring_get(buffer, sizeof buffer);
    if (n == 3)
      assert(memcmp(buffer, "abc", 3) == 0);
    got += n;
  }
  assert(got == 5);
  pthread_join(t, NULL);
  printf("%d bytes\n", got);
  return 0;
}
